"""Scoring a mail over the log: on any failure the answer is "no action" with the reason."""

import asyncio
import threading

import msgspec

from consumers.filter import path
from consumers.filter.path import MailPath
from consumers.filter.words import StrongestWords
from consumers.settings import LearnerSettings, Settings
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh
from tests.support.filter_client import post, talk
from tests.support.own_log import own_messages
from tests.support.own_loop import run_coroutine


def test_a_mail_too_large_to_score_gets_no_action_and_the_reason(mail_filter):
    before = len(mail_filter.emails())
    large = b"Subject: big\n\n" + b"x" * 3_000_000

    status, content = post(mail_filter.port, "/checkv2", large)

    assert (status, content["action"]) == (200, "no action")
    assert "STREAM_NB_TOO_LARGE" in content["symbols"]
    assert len(mail_filter.emails()) == before


def test_an_empty_mail_gets_the_reason(mail_filter):
    assert "STREAM_NB_EMPTY" in post(mail_filter.port, "/checkv2", b" \n")[1]["symbols"]


def test_a_mail_that_looks_like_json_is_scored_as_a_mail(mail_filter):
    status, content = post(mail_filter.port, "/checkv2", b'{"id": "mine", "text": "hello"}')

    assert status == 200 and content["stream_nb"]["label"] is not None


class BrokenLog:
    """A log whose reads and appends fail while `broken` is set."""

    def __init__(self, log, broken: threading.Event) -> None:
        self._log = log
        self._broken = broken

    def __getattr__(self, name: str):
        if self._broken.is_set() and name in ("append", "read", "scan"):
            raise OSError("the disk is gone")
        return getattr(self._log, name)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self._log.close()


def test_without_a_worker_the_answer_is_no_action_at_the_deadline_and_the_mail_is_on_the_log(filter_on):
    server = filter_on(trained=False, deadline_s=0.2)
    symbols: dict = {}
    while "STREAM_NB_DEADLINE" not in symbols:  # a busy machine may take longer to put a mail on the log
        item = fresh("spam")
        content = post(server.port, "/checkv2", item.value)[1]
        symbols = content["symbols"]
        assert content["action"] == "no action" and symbols.keys() <= {"STREAM_NB_DEADLINE", "STREAM_NB_LOG_BEHIND"}

    assert server.emails()[content["stream_nb"]["id"]] == item.value


def test_a_slow_append_is_not_awaited_beyond_the_deadline(filter_on, monkeypatch):
    held = threading.Event()
    works = RunningFilter.open

    class Slow(BrokenLog):
        def __getattr__(self, name: str):
            if name == "append":
                held.wait(PATIENCE_S)
            return getattr(self._log, name)

    monkeypatch.setattr(RunningFilter, "open", lambda self: Slow(works(self), held))
    server = filter_on(trained=False, deadline_s=0.2)
    item = fresh("spam")

    content = post(server.port, "/checkv2", item.value)[1]
    held.set()

    assert (content["action"], list(content["symbols"])) == ("no action", ["STREAM_NB_LOG_BEHIND"])
    assert content["stream_nb"]["id"] == ""
    server.wait_for(lambda log: item.value in server.emails().values())


def test_an_untrained_model_gets_no_action_and_the_reason(filter_on):
    server = filter_on(trained=False, deadline_s=PATIENCE_S)
    server._start(server._work)

    content = post(server.port, "/checkv2", fresh("spam").value)[1]

    assert content["action"] == "no action"
    assert "STREAM_NB_UNTRAINED" in content["symbols"]


def test_while_the_log_fails_the_answer_is_no_action_and_afterwards_mails_are_scored_again(filter_on, monkeypatch):
    broken = threading.Event()
    works = RunningFilter.open
    monkeypatch.setattr(RunningFilter, "open", lambda self: BrokenLog(works(self), broken))
    server = filter_on()
    assert post(server.port, "/checkv2", fresh("spam").value)[1]["action"] == "add header"

    broken.set()
    content = post(server.port, "/checkv2", fresh("spam").value)[1]
    assert (content["action"], list(content["symbols"])) == ("no action", ["STREAM_NB_LOG_UNAVAILABLE"])
    assert post(server.port, "/learnspam", fresh("spam").value)[0] == 503
    tell = b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: spam\r\n\r\n"
    assert talk(server.port, tell, fresh("spam").value).startswith(b"SPAMD/1.1 75 EX_TEMPFAIL ")

    broken.clear()
    assert post(server.port, "/checkv2", fresh("spam").value)[1]["action"] == "add header"


def test_the_code_that_reads_mails_is_loaded_before_the_first_connection(filter_on, monkeypatch):
    """Compiling it takes seconds, during which no connection would be served."""
    works, read = path.new_id, []
    monkeypatch.setattr(path, "new_id", lambda raw: read.append(threading.current_thread()) or works(raw))

    server = filter_on(trained=False)

    assert read and server._threads[-1] not in read


def test_words_that_refer_to_another_class_than_the_score_are_left_out(mail_filter, monkeypatch, caplog):
    """As after [learner] positive was changed for the worker only: their signs would be reversed."""
    monkeypatch.setattr(StrongestWords, "_answer", lambda self, raw: ("money -1.00",))
    other = msgspec.structs.replace(mail_filter.settings, learner=LearnerSettings(positive="ham"))

    async def ask(settings: Settings) -> tuple[str, ...]:
        mails = MailPath(mail_filter.open, settings)
        await mails.ready()
        try:
            return (await mails.check(fresh("spam").value)).symbol.options
        finally:
            await asyncio.to_thread(mails.close)

    assert run_coroutine(ask(mail_filter.settings)) == ("money -1.00",)
    assert run_coroutine(ask(other)) == ()
    assert own_messages(caplog) == [
        "[learner] positive is 'ham' here and 'spam' at the worker: set it alike; until then words are left out"
    ]


def test_the_class_none_which_withdraws_a_label_elsewhere_is_refused(mail_filter):
    before = len(mail_filter.labels())

    status, content = post(mail_filter.port, "/learnclass", fresh("ham").value, Class="none")

    assert status == 400 and "'none' is no class; `stream-nb learn --forget` withdraws a label" in content["error"]
    assert len(mail_filter.labels()) == before
