"""The line below the label buttons that says which label a mail has, from whom, and whether it is learned."""

from __future__ import annotations

import pytest


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
