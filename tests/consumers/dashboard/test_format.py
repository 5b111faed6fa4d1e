"""How the page writes numbers, shares and times."""

from __future__ import annotations

from consumers.records.number_text import percent


def test_numbers_and_units_are_joined_by_no_break_spaces(stage, open_page):
    page = open_page(stage.server.url)
    texts = page.evaluate("""async () => {
        const { ago, duration, percent, short } = await import("./static/format.js");
        const now = Date.now() / 1000;
        const durations = [0.001, 0.5, 8.5, 600, 9e3, 1e6].map(duration);
        return [...durations, ago(now - 8.5), percent(0.5), short(2e3), short(2e6)];
    }""")
    assert all("\N{NO-BREAK SPACE}" in text and " " not in text for text in texts), texts


def test_only_exact_shares_are_shown_as_0_or_100_percent(stage, open_page):
    page = open_page(stage.server.url)
    texts = page.evaluate("""async () => {
        const { percent } = await import("./static/format.js");
        return [0, 1e-6, 0.00006, 0.5, 0.99994, 0.999999, 1].map(share => percent(share).replace("\\u00a0", " "));
    }""")
    assert texts == ["0.00 %", "<0.01 %", "0.01 %", "50.00 %", "99.99 %", ">99.99 %", "100.00 %"]


def test_shares_are_rounded_as_by_the_commands(stage, open_page):
    shares = [mails / of for of in (32, 800, 20_000) for mails in range(of + 1)]
    page = open_page(stage.server.url)
    texts = page.evaluate(
        """async shares => {
            const { percent } = await import("./static/format.js");
            return shares.map(share => percent(share).replace("\\u00a0", " "));
        }""",
        shares,
    )
    assert texts == [percent(share) for share in shares]


def test_an_amount_that_rounds_to_0_has_no_sign(stage, open_page):
    page = open_page(stage.server.url)
    texts = page.evaluate("""async () => {
        const { count, fixed, logOdds, mailCount } = await import("./static/format.js");
        return [-0.004, -1e-17].flatMap(value => [count, fixed, logOdds, mailCount].map(show => show(value)));
    }""")
    assert texts == ["0", "0.00", "0.00", "0.0"] * 2


def test_negative_numbers_have_a_minus_sign(stage, open_page):
    page = open_page(stage.server.url)
    texts = page.evaluate("""async () => {
        const { fixed, general, logOdds, mailCount } = await import("./static/format.js");
        const { shortest } = await import("./static/features/number.js");
        const shown = [fixed, logOdds, mailCount, general, shortest(-1, 1)].map(show => show(-0.3));
        return [...shown, general(-1e-7)];
    }""")
    minus = "\N{MINUS SIGN}"
    assert texts == [f"{minus}0.30", f"{minus}0.30", *[f"{minus}0.3"] * 3, f"{minus}1e-07"]
