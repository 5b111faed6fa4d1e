"""The words behind a score come from a model that follows the log, also after the log has been replaced."""

from __future__ import annotations

import shutil
from functools import partial

from consumers.filter import words
from consumers.filter.words import StrongestWords
from consumers.records.setup import open_ready_log
from consumers.settings import Settings
from tests.support.few_mails import TEXTS, mail, work
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
