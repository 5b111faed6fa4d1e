"""What the page explains on request: scores, words, smoothing, sources; by mouse, keyboard and screen reader."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from consumers.log.base import TopicPartition
from consumers.records.messages import read_message
from consumers.records.replay import final_labels
from consumers.records.schemas import EMAILS
from tests.support import plain_http
from tests.support.page_mails import play


@pytest.fixture
def played(stage):
    play(stage, 120)
    stage.mail("doubtful", "cheap lunch offer", "cheap meeting offer project")
    stage.reconcile()
    stage.wait_for_mail("doubtful")
    return stage


def number(text: str) -> float:
    return float(text.replace("\u2212", "-").replace("+", "").split()[0])


def mail_of(stage, message_id: str):
    for partition in range(2):
        for record in stage.log.read({TopicPartition(EMAILS, partition): 0}):
            if record.key == message_id.encode():
                return read_message(record, stage.settings.learner.headers).mail
    raise AssertionError(message_id)


def test_L4_the_evidence_on_the_page_adds_up_to_the_score(played, open_page):
    page = open_page(f"{played.server.url}mail")
    page.locator(".mail", has_text="cheap lunch offer").locator(".subject").click()
    page.wait_for_selector("#why-sum")
    expected = played.worker.replica.model.score(mail_of(played, "doubtful")).log_odds
    assert number(page.locator("#why-log-odds").inner_text()) == pytest.approx(expected, abs=0.006)
    assert number(page.locator("#why-sum").inner_text()) == pytest.approx(expected, abs=0.0006)
    shares = [number(text) for text in page.locator("#why .terms tr td:nth-child(3)").all_inner_texts()[:-1]]
    assert sum(shares) == pytest.approx(expected, abs=0.0006 * len(shares))


def test_what_if_predicts_the_score_after_the_label(played, open_page):
    page = open_page(f"{played.server.url}mail")
    row = page.locator(".mail", has_text="cheap lunch offer")
    row.locator(".subject").click()
    foretold = page.locator("#why dt", has_text="If you label it spam").locator("+ dd")
    promised = number(foretold.inner_text())
    learned = played.worker.replica.model.labels_learned
    row.get_by_role("button", name="This mail is spam").click()
    played.settle_until(lambda: played.worker.replica.model.labels_learned == learned + 1)
    moved = row.locator(".moved")
    moved.wait_for()
    after = played.worker.replica.model.score(mail_of(played, "doubtful")).log_odds
    assert number(moved.inner_text().split("→")[1].strip()) == pytest.approx(after, abs=0.006)
    assert promised == pytest.approx(after, abs=0.006)


def test_words_of_each_class_are_listed_and_one_can_be_looked_up(played, open_page):
    page = open_page(f"{played.server.url}words")
    spam = page.locator("#word-lists .card", has_text="Strongest for spam").locator("tbody th")
    spam.first.wait_for()
    strongest = spam.all_inner_texts()
    assert set("cheap pills winner money casino offer".split()) & set(strongest)
    page.fill("#word", "pills")
    page.press("#word", "Enter")
    found = page.locator("#word-answer .found").first
    found.wait_for()
    model = played.worker.replica.model
    alone = model.score(["pills"]).log_odds - model.evidence(["pills"]).bias
    assert number(found.locator(".alone").inner_text()) == pytest.approx(alone, abs=0.0006)
    assert found.locator("tbody th").all_inner_texts() == sorted(model.classes)
    page.locator("#word-course svg").wait_for()


def test_a_word_has_one_weight_in_the_list_and_when_looked_up(played, open_page):
    page = open_page(f"{played.server.url}words")
    card = page.locator("#word-lists .card", has_text="Strongest for spam")
    row = card.locator("tbody tr").first
    listed = row.locator("td").first.inner_text()
    row.locator("a").click()
    looked_up = page.locator("#word-answer .found").first.locator("tbody tr", has_text="spam").locator("td").last
    expect(looked_up).to_have_text(listed)
    page.go_back()
    expect(page.locator("#word-answer")).to_be_empty()


def test_Q7_smoothing_curve_on_demand(played, open_page):
    page = open_page(f"{played.server.url}quality")
    page.click("#smoothing-run")
    page.locator("#smoothing svg").wait_for()
    assert "labelled mails by lambda" in page.locator("#smoothing-note").inner_text()


def test_undoing_a_source_withdraws_its_labels(played, open_page):
    page = open_page(f"{played.server.url}sources")
    page.get_by_role("button", name="Undo second thoughts").click()
    page.get_by_role("button", name="Keep").click()
    before = final_labels(played.log)
    page.get_by_role("button", name="Undo people").click()
    page.get_by_role("button", name="Withdraw all labels").click()
    page.get_by_text("labels of people are being withdrawn").wait_for()
    left = final_labels(played.log)
    assert 0 < len(left) < len(before)
    played.reconcile()
    assert played.worker.replica.model.labels_learned == len(left)
    expected = str(len(left))
    page.get_by_role("link", name="Quality").click()
    page.locator('[data-measure="Labelled mails"] [data-window="start"]', has_text=expected).wait_for()


def test_Q3_the_slider_shows_the_result_of_the_policy_at_each_threshold(played, open_page):
    page = open_page(f"{played.server.url}quality")
    slider = page.locator("#threshold")
    expect(slider).to_be_enabled()
    rows = plain_http.get(f"{played.server.url}api/state").json()["changes"]["mails"]
    # The others arrived while the model knew no class, or only one.
    decided = [row for row in rows if row["true_label"] and row["margin"] is not None]
    seen = []
    for value in range(0, 1001, 100):
        with page.expect_response(lambda answer: "policy/preview" in answer.url) as answer:
            slider.evaluate("(node, value) => { node.value = value; node.dispatchEvent(new Event('input')); }", value)
        threshold = answer.value.json()["threshold"]
        called = [row["true_label"] for row in decided if row["log_odds"] > threshold]
        seen.append((called.count("spam"), called.count("ham")))
        expect(page.locator("#policy-preview")).to_contain_text(f"): {seen[-1][0]} of")
        expect(page.locator("#policy-preview")).to_contain_text(f", {seen[-1][1]} of")
        expect(page.locator("#threshold-effect")).to_be_empty()
    assert seen == sorted(seen, reverse=True)
    assert seen[0] != seen[-1]


def test_each_press_of_an_arrow_key_moves_the_slider_to_the_next_point_of_the_curve(played, open_page):
    page = open_page(f"{played.server.url}quality")
    slider = page.get_by_role("slider", name="Predict spam above log-odds")
    expect(slider).to_be_enabled()
    slider.focus()
    thresholds = []
    for key in ["ArrowLeft"] * 4 + ["ArrowRight"] * 4:
        with page.expect_response(lambda answer: "policy/preview" in answer.url) as answer:
            page.keyboard.press(key)
        thresholds.append(answer.value.json()["threshold"])
    assert len(set(thresholds[:4])) == 4 and thresholds[:4] == sorted(thresholds[:4], reverse=True)
    assert thresholds[4:7] == thresholds[2::-1] and thresholds[7] > thresholds[0]


def test_keys_move_label_and_explain(played, open_page):
    page = open_page(f"{played.server.url}mail")
    page.wait_for_selector(".mail")
    page.keyboard.press("j")
    assert page.locator(".mail.selected").count() == 0, "keys of one letter act in the list only"
    page.locator("#keys-on").focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    chosen = page.locator(".mail.selected")
    assert chosen.get_attribute("data-place") == page.locator(".mail").nth(1).get_attribute("data-place")
    page.keyboard.press("w")
    page.wait_for_selector("#why-sum")
    page.keyboard.press("s")
    page.locator(".mail.selected .state", has_text="spam").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("doubt")
    assert page.locator("#search").input_value() == "doubt"
    page.fill("#search", "")
    page.uncheck("#keys-on")
    page.locator(".mail .subject").first.focus()
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.className") == "subject"


def test_filters_and_search(played, open_page):
    page = open_page(f"{played.server.url}mail")
    page.get_by_role("button", name="Unsure first").click()
    odds = page.locator(".mail .probability").evaluate_all("nodes => nodes.map(node => Number(node.dataset.logOdds))")
    doubts = [abs(each) for each in odds]
    assert doubts == sorted(doubts)
    page.get_by_role("button", name="Newest").click()
    page.select_option("#label-filter", "spam")
    assert set(page.locator(".mail .label").all_inner_texts()) == {"spam"}
    page.fill("#search", "CHEAP LUNCH")
    page.select_option("#label-filter", "")
    assert page.locator(".mail").count() == 1


def test_the_slider_proposes_and_a_button_applies_and_undoes(played, open_page):
    page = open_page(f"{played.server.url}quality?window=start")
    matrix = page.locator("#threshold-effect")
    expect(matrix).to_contain_text("As predicted")
    expect(page.locator("#policy-in-force")).to_contain_text("from the settings")
    expect(page.locator("#policy-changes")).to_have_attribute("data-newest", "")
    page.fill("#policy-unsure", "0.5")
    page.locator("#threshold").evaluate("node => { node.value = 900; node.dispatchEvent(new Event('input')); }")
    expect(page.locator("#policy-preview")).to_contain_text("would have been predicted differently")
    page.get_by_role("button", name="Apply to new mail").click()
    expect(page.locator("#policy-in-force")).to_contain_text("by tester")
    assert "unsure within 0.5" in page.locator("#policy-in-force").inner_text()
    in_force = plain_http.get(f"{played.server.url}api/policy").json()["in_force"]
    assert in_force["threshold"] > 0 and in_force["unsure"] == 0.5
    expect(page.locator("#policy-proposal")).to_be_hidden()
    page.get_by_role("button", name="Undo this change").click()
    expect(page.locator("#policy-in-force")).to_contain_text("threshold 0.00")
    assert plain_http.get(f"{played.server.url}api/policy").json()["in_force"]["threshold"] == 0.0


def test_the_matrix_and_the_threshold_show_the_same_figures(played, open_page):
    page = open_page(f"{played.server.url}?window=start")
    cell = {name: page.locator(f'[data-cell="{name}"] b') for name in ("spam/spam", "ham/spam")}
    caught, lost = (int(cell[name].inner_text()) for name in ("spam/spam", "ham/spam"))
    page.get_by_role("link", name="Quality").click()
    words = page.locator("#threshold-effect", has_text="As predicted").inner_text().split()
    assert (int(words[words.index("spam") - 3]), int(words[words.index("ham") - 3])) == (caught, lost)


def test_a_word_links_to_the_mails_that_taught_it_where_labels_can_be_withdrawn(played, open_page):
    page = open_page(f"{played.server.url}words?word=pills")
    found = page.locator("#word-answer .found").first
    found.get_by_text("Who taught this").click()
    rows = found.locator(".lessons tbody tr")
    rows.first.wait_for()
    count = rows.count()
    labelled = len(final_labels(played.log))
    rows.first.locator("a").click()
    expect(page).to_have_title("Mail · stream_nb")
    page.wait_for_selector("#why-sum")
    page.locator("#why").get_by_role("button", name="This mail has no label").click()
    played.settle_until(lambda: len(final_labels(played.log)) == labelled - 1)
    page.go_back()
    page.reload()
    found.get_by_text("Who taught this").click()
    expect(rows).to_have_count(count - 1)


@pytest.mark.parametrize(("evicted", "said"), [(0, "has forgotten, with time"), (3, "no longer remembered (3)")])
def test_the_unexplained_part_of_a_count_is_called_forgotten_or_evicted(played, open_page, evicted, said):
    page = open_page(f"{played.server.url}words?word=pills")

    def with_a_rest(route):
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"unexplained": {"spam": 0.5}, "evicted": evicted})

    page.route("**/api/lessons*", with_a_rest)
    found = page.locator("#word-answer .found").first
    found.get_by_text("Who taught this").click()
    expect(found).to_contain_text(said)
