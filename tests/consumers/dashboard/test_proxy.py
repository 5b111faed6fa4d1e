"""The page behind a TLS proxy on this machine, which passes the browser's Host on."""

from __future__ import annotations

import json

import pytest

from tests.consumers.dashboard.test_security import first_row
from tests.support import plain_http

NAME = "mail.example.org"


@pytest.fixture
def proxied(make_stage):
    """The address, and the headers of a browser that has the token's cookie."""
    stage = make_stage(token="secret")
    stage.mail("m1", "hello there")
    stage.reconcile()
    url = stage.server.url
    cookie = plain_http.get(f"{url}?token=secret").headers["set-cookie"].partition(";")[0]
    return url, {"Host": NAME, "Cookie": cookie}


def test_with_a_token_the_page_may_have_any_name(proxied):
    url, headers = proxied
    assert plain_http.get(url, headers=headers).status_code == 200
    assert plain_http.get(url, headers={"Host": NAME}).status_code == 401


@pytest.mark.parametrize(("host", "status"), [(NAME, 200), ("127.0.0.1", 403)])
def test_labels_need_the_host_of_the_browser(proxied, host, status):
    url, headers = proxied
    page, row = first_row(url, headers)
    sent = {"X-Stream-NB": page["csrf"], "Content-Type": "application/json", "Origin": f"https://{NAME}", "Host": host}
    body = {"place": row["place"], "id": row["id"], "label": "spam"}

    answer = plain_http.post(f"{url}api/label", content=json.dumps(body), headers=headers | sent)

    assert answer.status_code == status
    assert status == 200 or "let a proxy in between pass Host on" in answer.text


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_nginx_is_told_not_to_hold_events_back(proxied, encoding):
    url, headers = proxied
    with plain_http.stream("GET", f"{url}events", headers=headers | {"Accept-Encoding": encoding}) as events:
        assert events.headers["x-accel-buffering"] == "no"
