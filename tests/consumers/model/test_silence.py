"""Which predictions silence repeats as labels, and that no measurement uses these labels."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.model.silence import SILENCE_MARGIN, sure_label, unmeasured
from consumers.model.words import reliabilities
from consumers.records.schemas import SILENCE
from stream_nb import Mail, MailNB, Part
from stream_nb.mail_nb.decision import threshold_losing
from stream_nb.mail_nb.feature_part import GRADIENTS
from stream_nb.mail_nb.reliability import Reliability
from stream_nb.tabular.feature_snapshot import pack
from tests.support.few_mails import TEXTS, work
from tests.support.monitor_stream import prediction
from tests.support.worker_run import NEAR_ERROR, label, message


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({}, "spam"),
        ({"scores": {"ham": 0.0, "spam": SILENCE_MARGIN - 0.01}}, None),
        ({"threshold": 3.0 - SILENCE_MARGIN + 0.01}, None),  # near the threshold
        ({"threshold": 5.0, "label": "ham"}, None),  # ham only by the threshold
        ({"label": "unsure"}, None),
        ({"label": None, "scores": {}}, None),
        ({"scores": {"spam": 3.0}}, None),  # no other class
        ({"positive": "fraud", "log_odds": 0.0}, "spam"),  # a threshold for an unknown class
        ({"scores": {"ham": 0.0, "spam": 3.0, "work": 2.5}}, None),
    ],
)
def test_silence_repeats_only_predictions_far_from_the_threshold_and_other_classes(changes, label):
    assert sure_label(msgspec.structs.replace(prediction(1, 3.0, 0.0), **changes)) == label


def test_the_flip_rate_of_silence_counts_only_corrections_by_people(log):
    """People correct 5 of 20 labels of silence, one of them in advance; then two corrections are withdrawn."""
    mails = [message(f"m{n}", TEXTS["ab"[n % 2]]) for n in range(60)]
    truths = {f"m{n}": ("spam", "ham")[n % 2] for n in range(60)}
    labels_of_people = [label(f"m{n}", truths[f"m{n}"]) for n in range(40)] + [label("m40", "ham")]
    labels_of_silence = [label(f"m{n}", truths[f"m{n}"], SILENCE) for n in range(40, 60)]
    corrections = [label(f"m{n}", "ham" if truths[f"m{n}"] == "spam" else "spam") for n in range(41, 45)]

    def reliability(*records) -> Reliability | None:
        model = work(log, NEAR_ERROR, records)
        assert verify(log, NEAR_ERROR).differences == []
        margins.append(model.statistics.margins("ham").tolist())
        return reliabilities(model).get(SILENCE)

    margins: list[list[int]] = []

    assert reliability(*mails, *labels_of_people) is None
    assert reliability(*labels_of_silence[1:]) == (19, 0.0, 0.1 / 29)
    assert margins[1] == margins[0], "the worker learned it as a measurement"
    assert reliability(labels_of_silence[0], *corrections) == (20, 5.0, 5.1 / 30)
    assert reliability(label("m41", None, forget=True), label("m42", None, forget=True)) == (20, 3.0, 3.1 / 30)
    assert reliability(label("m43", truths["m43"])) == (19, 2.0, 2.1 / 29)  # and now a person agrees
    assert reliability(*(label(f"m{n}", None, SILENCE, forget=True) for n in range(40, 60))) is None


def test_silence_teaches_words_but_neither_calibration_nor_the_bound_on_lost_ham():
    model, lessons = MailNB(), [("win free money now", "spam"), ("see you at lunch", "ham"), ("free money", "spam")]
    for text, name in lessons * 10:
        model.learn_one(text, name, "ann")
    bound, margins = threshold_losing(model, "spam", 0.1), model.statistics.margins("ham").tolist()
    mail = "the lunch that you know"

    for _ in range(50):
        model.apply_update(mail, unmeasured(model.grade(mail, "ham", "silence")))

    assert model.statistics.margins("ham").tolist() == margins
    unlikely = unmeasured(model.grade(mail, "spam", SILENCE))
    model.apply_update(mail, unlikely)
    assert reliabilities(model)[SILENCE].doubted == 0.0, "the model's own doubt says nothing"
    model.revert_update(mail, unlikely)
    assert threshold_losing(model, "spam", 0.1) == bound
    assert model.score(mail).scores["ham"] > 0 and model.labels_learned == 80
    model.learn_one(mail, "ham", "ann")
    assert model.statistics.margins("ham").tolist() != margins


def test_silence_changes_neither_counts_nor_weights_of_numbers_and_categories():
    model = MailNB()
    mails = [Mail((), (), (("size", 3.0 * n), ("length", float(n % 5)), ("form", f"{n % 3}"))) for n in range(40)]
    for n, mail in enumerate(mails):
        model.learn_one(mail, "spam" if n > 20 else "ham", "ann")
    before = pack(model._counts.tabular, [0, 1])

    for mail in mails[30:]:
        update = model.grade(mail, "spam", SILENCE)
        assert any(update.tallies[GRADIENTS:])
        model.apply_update(mail, unmeasured(update))

    state, arrays = pack(model._counts.tabular, [0, 1])
    assert state == before[0] and all((arrays[name] == before[1][name]).all() for name in arrays)


def test_reverting_a_correction_removes_the_corrected_source():
    model = MailNB()
    model.learn_one("win free money now", "spam", "ann")
    update = model.grade("free money", "ham", "ann")._replace(corrects=SILENCE)
    model.apply_update("free money", update)
    assert reliabilities(model)[SILENCE] == (1, 1.0, 1.1 / 11)
    model.revert_update("free money", update)
    assert SILENCE not in reliabilities(model)


def test_labels_of_silence_do_not_count_for_an_originator():
    model = MailNB()
    mail = Mail((Part("", b"news of the week"),), originator="news.example.org")
    for _ in range(20):
        model.learn_one(mail, "ham", "ann")
        model.learn_one("win free money", "spam", "ann")
    model.learn_one(mail, "spam", "ann")
    counts = model._counts.originators.copy().cells

    by_silence = unmeasured(model.grade(mail, "ham", SILENCE))
    model.apply_update(mail, by_silence)
    assert model._counts.originators.cells == counts
    model.revert_update(mail, by_silence)
    model.learn_one(mail, "ham", "ann")
    assert model._counts.originators.cells != counts
