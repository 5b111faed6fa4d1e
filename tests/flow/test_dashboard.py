"""The page on top of all stages, each in its own process: figures, labels given by click, crashes."""

from __future__ import annotations

import signal

import pytest

from consumers.ingest.synthetic import synthetic_mails
from tests.flow.test_end_to_end import write_json_lines
from tests.support.ports import free_ports, wait_for_port


@pytest.fixture
def port() -> int:
    (port,) = free_ports(1)
    return port


def percent(share: float) -> str:
    return f"{100 * share:.2f}\N{NO-BREAK SPACE}%"


def expect_figures(page, report: dict) -> None:
    """The page shows, in the end, what `stream-nb report` counts on the log."""
    base = page.url.rpartition("/")[0]
    page.goto(f"{base}/quality?window=start")
    cell = page.locator('[data-measure="Labelled mails"] [data-window="start"]')
    cell.get_by_text(f"{report['n']:,}", exact=True).wait_for()
    for name in ("precision", "recall"):
        measure = page.locator(f'[data-measure="{name.capitalize()}"] [data-window="start"]')
        assert measure.inner_text() == percent(report[name])
    page.goto(f"{base}/?window=start")
    page.locator('[data-tile="Accuracy"] .figure', has_text=percent(report["accuracy"])).wait_for()
    for truth, row in report["confusion"].items():
        for given, mails in row.items():
            assert page.locator(f'[data-cell="{truth}/{given}"] b').inner_text() == f"{mails:,}"
    page.goto(f"{base}/mail")


@pytest.mark.parametrize(
    ("kind", "mail"),
    [
        ("sqlite", "generated"),
        pytest.param("kafka", "generated", marks=pytest.mark.slow),
        pytest.param("sqlite", "spamassassin", marks=pytest.mark.slow),
    ],
)
def test_the_page_agrees_with_the_report_takes_labels_and_survives_crashes(
    kind, mail, tmp_path, stages_on, real_mail, open_page, port
):
    if mail == "generated":
        source = ["feed", write_json_lines(tmp_path / "mails.jsonl", 300)]
    else:
        source = ["feed", str(real_mail("spamassassin")), "--shuffle", "1", "--limit", "1500"]
    stages = stages_on(kind)
    stages.run(*source, "--labels", "--label-delay", "30")
    commands = (["worker"], ["monitor", "--port", "0"], ["dashboard", "--port", str(port)])
    running = [stages.start(*command) for command in commands]
    stages.wait_until_done()
    url = f"http://127.0.0.1:{port}/"
    wait_for_port(port, running[2])
    page = open_page(f"{url}mail")
    page.wait_for_selector(".mail")
    before = stages.report()
    expect_figures(page, before)

    place = page.locator(".mail").first.get_attribute("data-place")
    row = page.locator(f'[data-place="{place}"]')
    row.get_by_role("button", name="This mail has no label").click()
    row.get_by_text("no label by user").wait_for()
    stages.wait_until_done()
    expect_figures(page, report := stages.report())
    assert report["n"] == before["n"] - 1
    row.get_by_role("button", name="This mail is spam").click()
    row.locator(".learned", has_text="by user").wait_for()
    expect_figures(page, stages.report())
    assert "0 differences" in stages.run("verify")

    for process, command in zip(list(running), commands, strict=True):
        process.send_signal(signal.SIGKILL)
        process.wait()
        running.append(stages.start(*command))
    late = next(iter(synthetic_mails(1, seed=99)))
    path = tmp_path / "late.eml"
    path.write_bytes(late.value)
    stages.run("feed", str(path))
    stages.wait_until_done()
    stages.run("label", late.id, "spam")
    stages.wait_until_done()
    expect_figures(page, report := stages.report())
    assert report["n"] == before["n"] + 1
    page.complaints.clear()  # about the connections that broke
