"""The words behind a score come from a model that follows the log, also after the log has been replaced."""

from __future__ import annotations

import logging
import shutil
import threading
import weakref
from functools import partial
from unittest.mock import Mock, patch

import pytest

from consumers.errors import LogUnavailable, Restart
from consumers.filter import words
from consumers.filter.words import MAX_WAITING, StrongestWords
from consumers.model.replica import Replica
from consumers.records.setup import open_ready_log
from consumers.settings import FilterSettings, Settings
from tests.support.few_mails import TEXTS, mail, work
from tests.support.own_log import own_messages
from tests.support.worker_run import label


def test_words_follow_the_new_log_after_its_folder_was_replaced(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "FOLLOW_S", 0.0)
    monkeypatch.setattr(words, "PAUSE_S", 0.0)
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    open_log = partial(open_ready_log, settings, lambda text: None)
    with open_log() as log:
        work(log, records=[*map(mail, "ab"), label("a", "spam"), label("b", "ham")])
    asked = StrongestWords(open_log, settings)
    try:
        first = asked.ask(TEXTS["a"]).result()
        shutil.copytree(tmp_path / "log", tmp_path / "copy")
        shutil.move(tmp_path / "log", tmp_path / "moved")
        shutil.move(tmp_path / "copy", tmp_path / "log")

        assert asked.ask(TEXTS["a"]).result() == first != ()  # from the model in memory, while the log fails
        with open_log() as log:
            work(log, records=[*map(mail, "cd"), label("c", "spam"), label("d", "ham")])
        assert asked.ask(TEXTS["a"]).result() != first
    finally:
        asked.close()


def test_as_many_words_are_computed_as_are_set(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}", filter=FilterSettings(words=1))
    open_log = partial(open_ready_log, settings, lambda text: None)
    with open_log() as log:
        work(log, records=[*map(mail, "ab"), label("a", "spam"), label("b", "ham")])
    asked = StrongestWords(open_log, settings)
    try:
        assert len(asked.ask(TEXTS["a"]).result()) == 1
    finally:
        asked.close()


def test_with_words_set_to_0_no_model_is_loaded():
    opened = []
    asked = StrongestWords(lambda: opened.append(1), Settings(filter=FilterSettings(words=0)))
    assert asked.ask(TEXTS["a"]) is None
    asked.close()
    assert opened == []


def test_before_the_first_label_there_are_no_words_and_no_errors(tmp_path, caplog):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    asked = StrongestWords(partial(open_ready_log, settings, lambda text: None), settings)
    try:
        assert asked.ask(TEXTS["a"]).result() == ()
    finally:
        asked.close()

    ours = [record for record in caplog.records if not record.name.startswith("kafka")]  # clients of earlier tests
    assert [record for record in ours if record.levelno >= logging.WARNING] == []


def test_the_model_is_loaded_once_and_then_followed(tmp_path, monkeypatch):
    monkeypatch.setattr(words, "FOLLOW_S", 0.0)
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    with patch.object(Replica, "load", wraps=Replica.load) as load:
        asked = StrongestWords(partial(open_ready_log, settings, lambda text: None), settings)
        try:
            for _ in range(3):
                asked.ask(TEXTS["a"]).result()
        finally:
            asked.close()

    assert load.call_count == 1


def test_a_model_that_knows_one_class_has_no_words(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    open_log = partial(open_ready_log, settings, lambda text: None)
    with open_log() as log:
        work(log, records=[*map(mail, "ab"), label("a", "spam"), label("b", "spam")])
    asked = StrongestWords(open_log, settings)
    assert asked.ask(TEXTS["a"]).result() == ()
    asked.close()


def test_the_model_is_loaded_before_the_first_mail_and_then_followed_at_intervals(monkeypatch):
    monkeypatch.setattr(words, "FOLLOW_S", 3600.0)
    with patch.object(Replica, "load", return_value=Mock(model=None)) as load:
        asked = StrongestWords(Mock, Settings())
        asked._thread.submit(int).result()
        assert load.call_count == 1
        assert [asked.ask(TEXTS["a"]).result() for _ in range(3)] == [()] * 3
        asked.close()

    assert load.return_value.follow.call_count == 0


@pytest.mark.parametrize(
    ("fault", "lines"),
    [(Restart("compacted"), []), (LogUnavailable("away"), ["cannot read the model, words are left out: away"])],
)
def test_after_a_fault_the_log_is_closed_and_opened_again(monkeypatch, caplog, fault, lines):
    monkeypatch.setattr(words, "FOLLOW_S", 0.0)
    monkeypatch.setattr(words, "PAUSE_S", 0.0)
    logs = []
    with patch.object(Replica, "load", return_value=Mock(model=None)) as load:
        load.return_value.follow.side_effect = [fault, None]
        asked = StrongestWords(lambda: logs.append(Mock()) or logs[-1], Settings())
        assert [asked.ask(TEXTS["a"]).result() for _ in range(3)] == [()] * 3
        asked.close()

    assert [log.close.call_count for log in logs] == [1, 1]
    assert own_messages(caplog) == lines


def test_the_old_model_is_gone_before_a_new_one_is_loaded(monkeypatch):
    monkeypatch.setattr(words, "FOLLOW_S", 0.0)
    loaded: list[weakref.ref] = []
    alive: list[int] = []

    class Compacted:
        model = None

        def follow(self) -> None:
            raise Restart("compacted")

    def load(*_) -> Compacted:
        alive.append(sum(replica() is not None for replica in loaded))
        replica = Compacted()
        loaded.append(weakref.ref(replica))
        return replica

    with patch.object(Replica, "load", side_effect=load):
        asked = StrongestWords(Mock, Settings())
        assert [asked.ask(TEXTS["a"]).result() for _ in range(4)] == [()] * 4
        asked.close()

    assert alive == [0, 0, 0]


def test_a_log_that_cannot_be_opened_is_not_tried_for_each_mail(monkeypatch, caplog):
    monkeypatch.setattr(words, "PAUSE_S", 3600.0)
    monkeypatch.setattr(words, "FOLLOW_S", 0.0)
    open_log = Mock(side_effect=LogUnavailable("away"))
    asked = StrongestWords(open_log, Settings())
    assert [asked.ask(TEXTS["a"]).result() for _ in range(3)] == [()] * 3
    asked.close()

    assert open_log.call_count == 1
    assert own_messages(caplog) == ["cannot read the model, words are left out: away"]


def test_an_unforeseen_error_costs_a_mail_only_its_words(caplog):
    model = Mock(classes=["ham", "spam"], evidence=Mock(side_effect=ValueError("not foreseen")))
    with patch.object(Replica, "load", return_value=Mock(model=model)):
        asked = StrongestWords(Mock, Settings())
        assert asked.ask(TEXTS["a"]).result() == ()
        asked.close()

    assert own_messages(caplog) == ["words are left out"]


def test_after_an_unforeseen_error_the_model_is_loaded_from_the_open_log(monkeypatch, caplog):
    monkeypatch.setattr(words, "FOLLOW_S", 0.0)
    open_log = Mock()
    with patch.object(Replica, "load", side_effect=[ValueError("not foreseen"), Mock(model=None)]) as load:
        asked = StrongestWords(open_log, Settings())
        assert asked.ask(TEXTS["a"]).result() == ()
        asked.close()

    assert (load.call_count, open_log.call_count) == (2, 1)
    assert own_messages(caplog) == []


def test_while_too_many_mails_wait_for_their_words_others_are_answered_without(tmp_path, monkeypatch):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    open_log = partial(open_ready_log, settings, lambda text: None)
    go_on = threading.Event()
    asked = StrongestWords(lambda: open_log() if go_on.wait() else None, settings)
    try:
        waiting = [asked.ask(TEXTS["a"]) for _ in range(MAX_WAITING)]
        assert None not in waiting
        assert asked.ask(TEXTS["b"]) is None
        go_on.set()
        assert {each.result() for each in waiting} == {()}
        assert asked.ask(TEXTS["b"]) is not None
    finally:
        go_on.set()
        asked.close()
