"""The page of sources: what the model has learned about each source, if it learns that."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import expect

from consumers.monitor.figures import label_sources
from consumers.settings import LearnerSettings
from tests.support.page_stage import Stage, settings_of


@pytest.mark.parametrize(("model", "cells"), [("mail", ["2", "0.0"]), ("gaussian", 2 * ["\N{EN DASH}"])])
def test_columns_about_reliability_are_shown_if_the_model_learns_it(open_page, model, cells):
    stage = Stage(msgspec.structs.replace(settings_of(), learner=LearnerSettings(model=model)))
    try:
        for number, label in enumerate(("ham", "spam")):
            stage.features(f"f{number}", {"size": float(number)})
            stage.label(f"f{number}", label, source="me")
        stage.reconcile()
        page = open_page(f"{stage.server.url}sources")
        row = page.locator('[data-source="me"]')
        row.wait_for()
        assert row.locator("td").all_inner_texts()[3:5] == cells
        row.get_by_role("button").click()
        known = "2 of its labels count in the model now; the labels" if model == "mail" else "The labels"
        expect(page.locator("#undo-question")).to_have_text(
            f"Withdraw all labels of “me”? {known} of others for the same mails will count again."
        )
        page.close()  # before the server, of whose absence the browser would complain
    finally:
        stage.close()


def test_sources_that_are_counted_together_have_no_figures_of_the_model_and_cannot_be_undone(open_page, monkeypatch):
    monkeypatch.setattr(label_sources, "MAX_SOURCES", 1)
    stage = Stage(settings_of())
    try:
        for number in range(4):
            stage.mail(f"m{number}", f"mail {number}")
            stage.label(f"m{number}", ("ham", "spam")[number % 2], source=f"user {number}")
        stage.reconcile()
        page = open_page(f"{stage.server.url}sources")
        row = page.locator(f'[data-source="{label_sources.OTHERS}"]')
        row.wait_for()
        cells = row.locator("td").all_inner_texts()
        assert (cells[0], cells[3:6], cells[-1]) == ("3", 3 * ["\N{EN DASH}"], "")
        expect(page.locator('[data-source="user 0"] button')).to_have_count(1)
        page.close()
    finally:
        stage.close()
