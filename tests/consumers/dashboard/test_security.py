"""Who may use the page: requests made directly, and from another site in Chromium."""

from __future__ import annotations

import http.client
import json
import re
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from consumers.dashboard.security import HEADERS, Guard
from consumers.dashboard.server import DashboardServer
from consumers.errors import UserError
from consumers.log.base import TopicPartition
from consumers.records.schemas import LABELS
from tests.consumers.dashboard.conftest import settings_of
from tests.support import plain_http


@pytest.fixture
def filled(stage):
    stage.mail("m1", "hello there")
    stage.reconcile()
    return stage


def labels_on_log(stage) -> int:
    return sum(stage.log.end_offset(TopicPartition(LABELS, p)) for p in range(2))


def first_row(url: str, headers: dict[str, str] | None = None) -> tuple[dict, dict]:
    for _ in range(100):
        state = plain_http.get(f"{url}api/state", headers=headers).json()
        if state["changes"]["mails"]:
            return state["page"], state["changes"]["mails"][0]
    raise AssertionError("the mail did not reach the page")


def post(url: str, page: dict, row: dict, **headers: str) -> httpx.Response:
    body = {"place": row["place"], "id": row["id"], "label": "spam"}
    sent = {"X-Stream-NB": page["csrf"], "Content-Type": "application/json", **headers}
    return plain_http.post(f"{url}api/label", content=json.dumps(body), headers={k: v for k, v in sent.items() if v})


def test_a_post_from_the_page_is_accepted(filled):
    page, row = first_row(filled.server.url)
    assert post(filled.server.url, page, row).status_code == 200
    assert labels_on_log(filled) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Stream-NB": ""},
        {"X-Stream-NB": "guess"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Content-Type": "text/plain"},
    ],
)
def test_posts_from_elsewhere_are_refused(filled, headers):
    page, row = first_row(filled.server.url)
    assert post(filled.server.url, page, row, **headers).status_code == 403
    assert labels_on_log(filled) == 0


@pytest.mark.parametrize("path", ["api/words", "api/smoothing", "events", "static/main.js"])
def test_another_site_cannot_cause_work_on_the_server(filled, path):
    for site in ("cross-site", "same-site"):
        assert plain_http.get(filled.server.url + path, headers={"Sec-Fetch-Site": site}).status_code == 403
    assert plain_http.get(filled.server.url, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8050", "127.0.0.1.evil.example", "[::2]", "", "[bad"])
def test_another_host_name_is_refused(filled, host):
    with closing(http.client.HTTPConnection("127.0.0.1", filled.server.port)) as connection:
        connection.putrequest("GET", "/api/state", skip_host=True)
        connection.putheader("Host", host)
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status in (400, 421)
        assert b"mails" not in answer.read()


def test_every_response_has_the_security_headers(filled):
    url = filled.server.url
    for path in ("", "static/main.js", "api/state", "api/why?partition=0&offset=0", "nowhere"):
        answer = plain_http.get(url + path)
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "server" not in answer.headers
    for part in ("unsafe", "*", "http", "data:"):
        assert part not in HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"place":PLACE,"id":"m1","label":"spam","more":1}', 400),
        (b'{"place":PLACE,"id":"m1","label":"a\\u202eb"}', 400),
        (b'{"place":{"partition":0,"offset":99},"id":"m1","label":"spam"}', 404),
        (b'{"place":{"partition":-1,"offset":0},"id":"m1","label":"spam"}', 404),
        (b'{"place":PLACE,"id":"other","label":"spam"}', 404),
        (b'{"label":"' + b"x" * 5_000 + b'"}', 413),
    ],
)
def test_bad_bodies_are_refused_and_append_nothing(filled, body, status):
    page, row = first_row(filled.server.url)
    body = body.replace(b"PLACE", json.dumps(row["place"]).encode())
    headers = {"X-Stream-NB": page["csrf"], "Content-Type": "application/json"}
    assert plain_http.post(f"{filled.server.url}api/label", content=body, headers=headers).status_code == status
    assert labels_on_log(filled) == 0


def test_a_declared_length_above_the_limit_is_refused_before_the_body_is_read(filled):
    page, _ = first_row(filled.server.url)
    with closing(http.client.HTTPConnection("127.0.0.1", filled.server.port, timeout=30)) as connection:
        headers = {"X-Stream-NB": page["csrf"], "Content-Type": "application/json", "Content-Length": "9" * 20}
        connection.request("POST", "/api/label", headers=headers)
        assert connection.getresponse().status == 413


@pytest.mark.parametrize(
    "path", ["static/../app.py", "static/%2e%2e/app.py", "static/..%2fapp.py", "api/why?partition=../x&offset=0"]
)
def test_files_outside_the_static_folder_are_not_served(filled, path):
    with closing(http.client.HTTPConnection("127.0.0.1", filled.server.port)) as connection:
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        assert answer.status == 404
        assert b"create_app" not in answer.read()


def test_beyond_loopback_a_token_is_needed(stage):
    for host in ("0.0.0.0", "mail.example.org"):
        with pytest.raises(UserError, match=re.escape(host) + ".*STREAM_NB_DASHBOARD_TOKEN"):
            DashboardServer(stage.open_log, settings_of(host=host))
    assert Guard(None, "::1", "").csrf != Guard(None, "::1", "").csrf


@pytest.mark.parametrize("number", ["²", "-1", "", "٣", "9" * 5_000, "0x1", "1" * 30])
def test_an_event_stream_with_an_invalid_version_starts_at_the_beginning(filled, number):
    page, row = first_row(filled.server.url)
    since = f"{page['event_id'].partition('-')[0]}-{number}"
    ways = ({"headers": {"Last-Event-ID": since.encode("utf-8")}}, {"params": {"since": since}})
    for asked in ways:
        with plain_http.stream("GET", f"{filled.server.url}events", **asked) as answer:
            assert answer.status_code == 200
            event = next(line for line in answer.iter_lines() if line.startswith("data: {"))
        assert json.loads(event.removeprefix("data: "))["mails"][0]["id"] == row["id"]


@pytest.mark.parametrize("number", ["²", "9" * 30, "-1", "٣", "9" * 5_000, "0/1", ""])
@pytest.mark.parametrize("name", ["partition", "offset"])
def test_an_invalid_place_is_an_error(filled, name, number):
    place = {"partition": "0", "offset": "0", name: number}
    answer = plain_http.get(f"{filled.server.url}api/why", params=place)
    assert (answer.status_code, f"{name} {number[:40]!r} is not" in answer.json()["error"]) == (404, True)


def test_if_a_token_is_set_every_request_needs_it(make_stage, open_page):
    stage = make_stage(token="correct horse")
    stage.mail("m1", "secret subject")
    stage.reconcile()
    url = stage.server.url
    for path in ("", "static/main.js", "api/state", "events", "?token=wrong", "?token="):
        answer = plain_http.get(url + path)
        assert answer.status_code == 401
        assert "secret" not in answer.text
    page = open_page(f"{url}mail?token=correct%20horse")
    page.get_by_text("secret subject").wait_for()
    assert page.url == f"{url}mail"
    cookie = page.context.cookies()[0]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    assert "correct" not in cookie["value"]
    page.reload()
    page.get_by_text("secret subject").wait_for()


ATTACK = """<!doctype html><body><script type=module>
const tried = [];
const go = (name, promise) =>
  promise.then((a) => tried.push(name + ":" + a.type), () => tried.push(name + ":blocked"));
const body = JSON.stringify({place: PLACE, id: "m1", label: "spam"});
await go("simple", fetch("URLapi/label", {method: "POST", mode: "no-cors", body}));
const headers = {"Content-Type": "application/json", "X-Stream-NB": "x"};
await go("json", fetch("URLapi/label", {method: "POST", headers, body}));
await go("read", fetch("URLapi/state").then((a) => a.text()).then(() => ({type: "READ", status: ""})));
const form = document.createElement("form");
form.method = "post"; form.action = "URLapi/label"; form.target = "inner"; form.enctype = "text/plain";
const frame = document.createElement("iframe"); frame.name = "inner"; document.body.append(frame, form);
await new Promise((done) => { frame.onload = done; form.submit(); setTimeout(done, 2000); });
const page = document.createElement("iframe"); document.body.append(page);
await new Promise((done) => { page.onload = done; page.src = "URL"; setTimeout(done, 2000); });
document.title = "done " + tried.join(" ");
</script>"""


def test_another_site_can_neither_read_nor_label_nor_frame(filled, chromium):
    _, row = first_row(filled.server.url)
    attack = ATTACK.replace("URL", filled.server.url).replace("PLACE", json.dumps(row["place"]))

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(attack.encode())

        def log_message(self, *_: object) -> None:
            pass

    evil = ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    context = chromium.new_context()
    try:
        page = context.new_page()
        page.goto(f"http://localhost:{evil.server_address[1]}/")
        for _ in range(100):
            if page.title().startswith("done"):
                break
            page.wait_for_timeout(100)
        assert page.title() == "done simple:blocked json:blocked read:blocked"
        assert all("stream_nb" not in (frame.title() or "") for frame in page.frames)
        assert labels_on_log(filled) == 0
    finally:
        context.close()
        evil.shutdown()
        evil.server_close()
