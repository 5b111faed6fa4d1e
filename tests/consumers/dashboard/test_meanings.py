"""What a figure means, and over which mails it was measured, can be read where it is shown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.page_mails import play


@pytest.fixture
def filled(stage):
    play(stage, 60)
    return stage


@pytest.mark.parametrize(("window", "title"), [("1000", "last 1,000"), ("start", "since start"), ("1+h", "last 1,000")])
def test_curves_name_their_window_which_windows_of_time_do_not_have(filled, open_page, window, title):
    page = open_page(f"{filled.server.url}quality?window={window}")
    expect(page.locator("#calibration-card .note")).to_contain_text(f"labelled mails ({title}) with")
    expect(page.locator("#threshold-effect")).to_contain_text(f"As predicted, {title}: ")


def test_mails_near_the_threshold_are_not_called_unsure_where_unsure_is_a_prediction(filled, open_page):
    """The field "Unsure within" beside the curve may say 0."""
    page = open_page(f"{filled.server.url}quality")
    expect(page.locator("#threshold-effect")).to_contain_text("Within 1 of the threshold: ")
    expect(page.locator("#roc-legend")).to_contain_text("within 1 of the threshold")


def test_the_share_of_labelled_mails_names_their_number(filled, open_page):
    page = open_page(filled.server.url)
    expect(page.locator("[data-tile=Labelled] .below")).to_contain_text("of the latest 60 mails")


def test_predictions_that_are_not_classes_are_explained_below_the_confusion_matrix(stage, open_page):
    for number, label in enumerate(["spam", "ham"]):  # scored before the first label, then with one class
        stage.mail(f"m{number}", "hello")
        stage.reconcile()
        stage.label(f"m{number}", label)
        stage.reconcile()
    page = open_page(stage.server.url)
    expect(page.locator("#confusion .note")).to_contain_text(
        "100\N{NO-BREAK SPACE}%. (none): scored before the first label. unsure: near the threshold"
    )


EXPLAINED = [
    ("", "Accuracy", "95 times out of 100"),
    ("", "base rate", "always predicting the commonest class. Here over the last 1,000"),
    ("operations", "Arrival to score", "latest 1,000 scored mails"),
    ("operations", "Labels per", "if fewer than ten, since the tenth last"),
    ("operations", "Quarantine", "no worker could use"),
]


@pytest.mark.parametrize(("address", "name", "text"), EXPLAINED)
def test_unfamiliar_figures_are_explained(filled, open_page, address, name, text):
    """Also those that the browser scrolls to."""
    page = open_page(f"{filled.server.url}{address}", viewport={"width": 1280, "height": 300})
    page.get_by_role("button", name=name).focus()
    expect(page.get_by_role("tooltip")).to_contain_text(text)


def test_the_log_odds_of_an_explained_mail_are_explained(filled, open_page):
    page = open_page(f"{filled.server.url}mail")
    page.locator(".mail .subject").first.click()
    page.get_by_role("button", name="On arrival").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("0 is undecided")


def test_a_field_is_explained_while_it_has_the_focus(filled, open_page):
    page = open_page(f"{filled.server.url}quality")
    field = page.get_by_label("Unsure within")
    expect(field).to_be_enabled()
    field.focus()
    expect(page.get_by_role("tooltip")).to_contain_text("Mails closer to the threshold")


def test_the_log_odds_of_the_mail_model_are_not_explained_as_logarithms_of_the_odds(filled, open_page):
    """Its percentages are calibrated: log-odds of 1.2 may be 99 %, not 77 %."""
    page = open_page(f"{filled.server.url}mail")
    page.locator("#mails .subject").first.click()
    page.get_by_role("button", name="On arrival").focus()
    expect(page.get_by_role("tooltip")).to_contain_text("the percentage is fitted to the labels learned so far")
