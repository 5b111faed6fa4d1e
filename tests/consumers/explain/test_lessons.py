"""The lessons of a word are the labels that taught it: what they taught adds up to the word's counts."""

from __future__ import annotations

import random

import msgspec
import pytest

from consumers.errors import BadRecord
from consumers.explain.explainer import Explainer
from consumers.log.memory import MemoryLog
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from tests.support import worker_run
from tests.support.memory_log import new_log
from tests.support.worker_run import message, run_worker

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))
CLASSES = ("spam", "ham", "news", "work", "lists", "bills")
WORDS = ("money", "lunch", "paper", "minutes", "digest", "invoice")


@pytest.fixture
def log() -> MemoryLog:
    return new_log(2)


def mail(log: MemoryLog, name: str, text: str, subject: str = "x") -> None:
    log.append([message(name, f"Subject: {subject}\n\n{text}".encode())])


def label(log: MemoryLog, *vote: str | None, forget: bool = False) -> None:
    log.append([worker_run.label(*vote, forget=forget)])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("classes", [1, 2, 6])
def test_what_the_lessons_of_a_word_taught_adds_up_to_its_counts(log, classes, seed):
    rng = random.Random(seed)
    for number in range(60):
        which = rng.randrange(classes)
        words = [WORDS[which], *rng.sample(WORDS, 2)]
        mail(log, f"m{number}", " ".join(words), subject=rng.choice(WORDS))
        label(log, f"m{number}", CLASSES[which], rng.choice(["ann", "bob"]))
        if rng.random() < 0.2:
            label(log, f"m{number}", CLASSES[rng.randrange(classes)], "ann")
        if rng.random() < 0.2:
            label(log, f"m{number}", None, "ann", forget=True)
    run_worker(log)
    explainer = Explainer(MemoryLog(log.topics), SETTINGS)
    for word in ("money", "subject:lunch"):
        found = explainer.lessons(word)
        info = explainer.word(word)["found"][0]
        shown = {name: max(count, 0.0) for name, count in found.counts.items()}
        assert {name: count for name, count in shown.items() if count} == {
            name: count for name, count in info["counts"].items() if count
        }
        assert (found.taught, found.unexplained) == (found.counts, {})
        assert found.complete
        assert (found.evicted, found.unreadable, found.found) == (0, 0, len(found.lessons))
        assert sum(each.lessons for each in found.sources) == found.found > 0
        taught = sum(sum(each.taught.values()) for each in found.sources)
        lessons = sum(sum(each.taught.values()) for each in found.lessons)
        assert taught == lessons == sum(found.counts.values())
        assert all(each.taught.keys() <= {*CLASSES} for each in (*found.sources, *found.lessons)), "not even None"
        times = [each.labelled_at for each in found.lessons]
        assert times == sorted(times, reverse=True)


def test_a_label_believed_to_mean_the_opposite_is_a_lesson_even_if_it_adds_nothing_to_its_own_class(log):
    for number in range(200):
        for name, which, source in (("m", number % 2, "ann"), ("l", 1 - number % 2, "liar")):
            if source == "ann" or number % 7 == 0:
                mail(log, f"{name}{number}", f"{WORDS[number % 2]} {number}")
                label(log, f"{name}{number}", CLASSES[which], source)
    run_worker(log)

    found = Explainer(MemoryLog(log.topics), SETTINGS).lessons("money")

    assert any(each.taught[each.label] == 0.0 < max(each.taught.values()) for each in found.lessons)
    assert (found.taught, found.unexplained, found.complete) == (found.counts, {}, True)


def test_not_all_lessons_are_listed_and_the_source_that_taught_most_comes_first(log, monkeypatch):
    monkeypatch.setattr("consumers.explain.lessons.SHOWN_LESSONS", 2)
    for number in range(6):
        mail(log, f"m{number}", "money")
        label(log, f"m{number}", "spam", "ann" if number else "bob")
    run_worker(log)

    found = Explainer(MemoryLog(log.topics), SETTINGS).lessons("money")

    assert (found.found, len(found.lessons)) == (6, 2)
    assert [(each.name, each.lessons) for each in found.sources] == [("ann", 5), ("bob", 1)]


def test_a_lesson_names_its_mail_label_and_source_in_safe_text(log):
    mail(log, "m1", "free money", subject="exe.\u202egpj")
    label(log, "m1", "spam", "an\u202en")
    run_worker(log)
    (lesson,) = Explainer(MemoryLog(log.topics), SETTINGS).lessons("Money").lessons
    assert (lesson.id, lesson.label, lesson.source) == ("m1", "spam", "an⟨U+202E⟩n")
    assert "\u202e" not in lesson.subject


def test_an_unknown_word_has_no_lessons(log):
    mail(log, "m1", "free money")
    label(log, "m1", "spam")
    run_worker(log)
    found = Explainer(MemoryLog(log.topics), SETTINGS).lessons("zebra")
    assert (found.counts, found.lessons, found.searched, found.complete) == ({}, [], 0, True)


def test_evicted_lessons_are_counted_and_their_share_of_the_count_is_unexplained(log):
    remembering_two = Settings(worker=WorkerSettings(poll_s=0.001, remember_mails=2, remember_labels=2))
    for number in range(5):
        mail(log, f"m{number}", "free money")
        label(log, f"m{number}", "spam")
        run_worker(log, remembering_two)
    found = Explainer(MemoryLog(log.topics), remembering_two).lessons("money")
    assert found.evicted > 0
    assert found.complete
    assert found.found == found.remembered == 5 - found.evicted
    assert found.taught["spam"] + found.unexplained["spam"] == found.counts["spam"]


def test_lessons_are_refused_for_a_textbook_model(log):
    textbook = msgspec.structs.replace(SETTINGS, learner=LearnerSettings(model="multinomial"))
    mail(log, "m1", "free money")
    label(log, "m1", "spam")
    run_worker(log, textbook)
    with pytest.raises(BadRecord, match="only the mail model"):
        Explainer(MemoryLog(log.topics), textbook).lessons("money")


def test_lessons_whose_mail_has_left_the_log_are_counted_as_unreadable(log, monkeypatch):
    for number in range(3):
        mail(log, f"m{number}", "free money")
        label(log, f"m{number}", "spam")
    run_worker(log)
    explainer = Explainer(MemoryLog(log.topics), SETTINGS)
    monkeypatch.setattr(MemoryLog, "read_at", lambda self, place, offset: None)
    found = explainer.lessons("money")
    assert (found.unreadable, found.found, found.unexplained) == (3, 0, found.counts)


def test_a_search_beyond_its_time_limit_ends_incomplete(log, monkeypatch):
    for number in range(3):
        mail(log, f"m{number}", "free money")
        label(log, f"m{number}", "spam")
    run_worker(log)
    monkeypatch.setattr("consumers.explain.lessons.SEARCH_S", -1.0)
    found = Explainer(MemoryLog(log.topics), SETTINGS).lessons("money")
    assert (found.searched, found.complete, found.unexplained) == (0, False, found.counts)
