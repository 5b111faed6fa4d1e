"""The routes of the policy: state, preview, change and undo, and their protection."""

from __future__ import annotations

import pytest

from consumers.dashboard.security import CSRF_HEADER
from tests.consumers.dashboard.test_names import ANSWER_TYPES, interfaces, mismatches
from tests.consumers.dashboard.test_page import play
from tests.support import plain_http
from tests.support.waiting import until

TYPES = interfaces() | interfaces(*ANSWER_TYPES)


@pytest.fixture
def url(stage) -> str:
    return f"{stage.server.url}api/"


@pytest.fixture
def send(url):
    """Post as the page does."""
    csrf = plain_http.get(f"{url}page").json()["csrf"]
    headers = {CSRF_HEADER: csrf, "Content-Type": "application/json"}
    return lambda path, body=None: plain_http.post(f"{url}{path}", json=body or {}, headers=headers)


def test_a_change_is_previewed_made_and_undone(stage, url, send):
    play(stage, 120)
    until(lambda: plain_http.get(f"{url}policy/preview").json().get("mails", 0) > 50)
    wanted = {"threshold": 2.5, "lose_at_most": None, "false_positive_cost": 1.0, "unsure": 0.5}
    preview = plain_http.get(f"{url}policy/preview", params={"threshold": 2.5, "unsure": 0.5}).json()
    assert mismatches(preview, "PolicyPreview", TYPES, "preview") == []
    assert preview["policy"] == wanted
    assert preview["after"] != preview["before"]
    state = send("policy", {"policy": wanted}).json()
    assert mismatches(state, "PolicyState", TYPES, "state") == []
    assert state["in_force"] == wanted
    assert state["changes"][0]["source"] == "tester"
    assert plain_http.get(f"{url}policy").json() == state
    stage.mail("late", "cheap pills")

    def thresholds() -> set[float]:
        rows = plain_http.get(f"{url}state").json()["changes"]["mails"]
        return {row["threshold"] for row in rows if row["id"] == "late"}

    stage.settle_until(lambda: thresholds() == {2.5})
    undone = send("policy/undo", {"offset": state["offset"]}).json()
    assert undone["in_force"]["threshold"] == 0.0
    assert [change["policy"] for change in undone["changes"]] == [None, wanted]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"policy": {"threshold": "2"}},
        {"policy": {"threshold": 1e300}},
        {"policy": {"lose_at_most": 0.1, "false_positive_cost": 2.0}},
        {"policy": {"smoothing": 1.0}},
        {"policy": None, "source": "me"},
    ],
)
def test_an_invalid_policy_is_refused_with_the_reason(stage, send, url, body):
    answer = send("policy", body)
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert plain_http.get(f"{url}policy").json()["offset"] == -1
    assert send("policy/undo", {"offset": -1}).json() == {
        "error": "nobody has changed the policy, so there is nothing to undo"
    }


@pytest.mark.parametrize(
    "query", ["threshold=x", "threshold=nan", "unsure=-1", "smoothing=1", "lose_at_most=0&false_positive_cost=2"]
)
def test_a_preview_of_an_invalid_policy_is_refused_with_the_reason(stage, url, query):
    answer = plain_http.get(f"{url}policy/preview?{query}")
    assert answer.status_code == 404
    assert answer.json()["error"]


@pytest.mark.parametrize("path", ["policy", "policy/undo"])
def test_another_site_changes_nothing(stage, url, path):
    assert plain_http.post(f"{url}{path}", json={"policy": None}).status_code == 403
