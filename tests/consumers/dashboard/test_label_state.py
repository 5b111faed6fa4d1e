"""The line below the label buttons that says which label a mail has, from whom, and whether it is learned."""

from __future__ import annotations

import msgspec
import pytest

from consumers.settings import WorkerSettings
from consumers.worker.worker import Worker


@pytest.mark.parametrize("source", ["people", "the rules of a folder that somebody gave a long name"])
def test_no_line_begins_with_the_comma_after_the_source(stage, open_page, source):
    for number, label in enumerate(("spam", "ham", "system-notifications", None)):
        stage.mail(f"m{number}", "subject")
        if label is not None:
            stage.label(f"m{number}", label, source=source)
    stage.reconcile()
    stage.label("m3", "system-notifications", source=source)
    while stage.monitor.step(timeout_s=0.0):
        pass
    stage.monitor.publish(curves=False)
    page = open_page(f"{stage.server.url}mail")
    page.get_by_text(", not learned yet").wait_for()
    lines = page.locator(".by").evaluate_all(
        """ends => ends.map(end => [end.firstChild, end.lastChild, end.closest(".given")]
            .map(part => part.getBoundingClientRect()))"""
    )
    assert len(lines) == 4
    for by, learned, box in lines:
        assert learned["left"] >= by["right"] - 1 and learned["right"] <= box["right"] + 1
        assert box["left"] <= by["left"] + 1 and abs(learned["bottom"] - by["bottom"]) < 8


def test_a_label_above_the_cap_of_its_source_is_not_shown_as_learned(stage, open_page):
    stage.settings = msgspec.structs.replace(stage.settings, worker=WorkerSettings(poll_s=0.01, source_cap_per_hour=1))
    stage.worker.consumer.close()
    stage.worker = Worker(stage.open_log(), stage.settings, "worker-0")
    for number in range(2):
        stage.mail(f"m{number}", f"subject {number}")
        stage.label(f"m{number}", "spam", source="eve")
    stage.reconcile()

    page = open_page(f"{stage.server.url}mail")
    refused = page.locator(".mail", has_text="subject 1")
    refused.get_by_text("more labels an hour than allowed").wait_for()
    assert refused.locator(".by").inner_text().endswith(", not learned")
    assert page.locator(".mail", has_text="subject 0").locator(".by").inner_text().endswith(", learned")
    refused.get_by_role("button", name="subject 1").click()
    page.get_by_text("spam from eve was noted, not learned: more labels an hour than allowed.").wait_for()
