"""A sum of changes gives the same model as the changes themselves, bit for bit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb import MailNB, SnapshotError
from stream_nb.mail_nb.update_sum import UpdateSum
from tests.stream_nb.mail_nb.test_recorder import KEY, mail


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from([1, 2, 6]))
def test_applying_sums_less_own_changes_equals_applying_each_change(seed: int, features: bool, classes: int):
    """Three models learn concurrently; sums of their changes are applied to all, and to two that learn nothing."""
    rng = random.Random(seed)
    models, applying_each, applying_sums = [MailNB(KEY) for _ in range(3)], MailNB(KEY), MailNB(KEY)
    recorders, total = [model.recorder() for model in models], MailNB(KEY).update_sum()
    learned_mails: list[list] = [[] for _ in models]
    own_deltas: list[list[bytes]] = [[] for _ in models]
    deltas: list[tuple[int, bytes]] = []

    def publish() -> None:
        covered = deltas[: rng.randrange(len(deltas) + 1)]
        del deltas[: len(covered)]
        for _, data in covered:
            total.add(data)
            applying_each.apply_changes(data)
        if covered:
            summed = total.take()
            applying_sums.apply_changes(summed)
            for n, model in enumerate(models):
                own_changes = [data for who, data in covered if who == n]
                model.apply_changes(summed, own_changes)
                del own_deltas[n][: len(own_changes)]

    for _ in range(rng.randrange(1, 60)):
        n = rng.randrange(len(models))
        if learned_mails[n] and rng.random() < 0.4:
            recorders[n].revert_update(*learned_mails[n].pop(rng.randrange(len(learned_mails[n]))))
        else:
            x = mail(rng, features)
            learned_mails[n].append((x, recorders[n].learn(x, f"class {rng.randrange(classes)}", rng.choice("ab"))))
        if rng.random() < 0.6 and (data := recorders[n].take()):
            deltas.append((n, data))
            own_deltas[n].append(data)
        if rng.random() < 0.2 and not any(recorder.nbytes for recorder in recorders):
            publish()
    for n, recorder in enumerate(recorders):
        if data := recorder.take():
            deltas.append((n, data))
            own_deltas[n].append(data)
    while deltas:
        publish()
    assert applying_sums.to_bytes() == applying_each.to_bytes()
    for model in models:
        assert model.to_bytes() == applying_each.to_bytes()


def test_a_sum_keeps_the_text_of_a_word_whose_changes_cancel_out():
    """A recorder that learned a word from changes in between does not include its text again."""
    model, between, applying_sums = MailNB(KEY), MailNB(KEY), MailNB(KEY)
    recorder, total = model.recorder(), UpdateSum(KEY, KEY.hex())
    update = recorder.learn("lottery", "spam")
    total.add(first := recorder.take())
    recorder.revert_update("lottery", update)
    total.add(recorder.take())
    between.apply_changes(first)
    recorder = between.recorder()
    recorder.learn("lottery", "spam")
    applying_sums.apply_changes(total.take())
    applying_sums.apply_changes(recorder.take())
    assert applying_sums.evidence("lottery").terms[0].text == "lottery"


def test_an_empty_sum_has_no_bytes_and_taking_a_sum_empties_it():
    total = UpdateSum(KEY, KEY.hex())
    assert total.take() == b""
    recorder = MailNB(KEY).recorder()
    recorder.learn("free money", "spam")
    total.add(recorder.take())
    assert total.nbytes > 0
    assert total.take() != b""
    assert total.take() == b"" and total.nbytes < 2


def test_damaged_or_foreign_changes_are_refused_and_change_neither_sum_nor_model():
    model, total = MailNB(KEY), UpdateSum(KEY, KEY.hex())
    recorder, other = model.recorder(), MailNB(b"o" * 16).recorder()
    recorder.learn("free money", "spam")
    other.learn("free lunch", "ham")
    data, foreign = recorder.take(), other.take()
    total.add(data)
    for wrong in (data[:-1], foreign):
        with pytest.raises(SnapshotError):
            total.add(wrong)
        before = model.to_bytes()
        with pytest.raises(SnapshotError):
            model.apply_changes(data, [wrong])
        assert model.to_bytes() == before
    assert total.take() == data
