"""Sums of changes of textbook models: applying a sum, less one's own changes, equals applying each change."""

import random

import pytest

from consumers.model.textbook import TextbookModel
from stream_nb import SnapshotError
from tests.consumers.model.test_textbook import KEY, TEXTBOOK
from tests.support.messages import draw_messages, mail_of


@pytest.mark.parametrize("name", TEXTBOOK)
@pytest.mark.parametrize("seed", range(4))
def test_applying_sums_less_own_changes_equals_applying_each_change(name, seed):
    """Two models learn and revert concurrently; each sum covers a random number of their changes."""
    rng = random.Random(seed)
    models, applying_each, applying_sums = (
        [TextbookModel.new(name, 0.5, "spam", KEY) for _ in range(2)],
        *(TextbookModel.new(name, 0.5, "spam", KEY) for _ in range(2)),
    )
    learned_rows, deltas, total = [[], []], [], applying_each.update_sum()
    for row, label in draw_messages(40, seed=seed):
        n = rng.randrange(2)
        recorder = models[n].recorder()
        recorder.learn(mail_of(row), label)
        learned_rows[n].append((row, label))
        if rng.random() < 0.7:
            row, label = learned_rows[n].pop(rng.randrange(len(learned_rows[n])))
            if rng.random() < 0.5:
                deltas.append((n, recorder.take()))
                recorder = models[n].recorder()
            recorder.revert_update(mail_of(row), models[n].grade(mail_of(row), label))
        deltas.append((n, recorder.take()))
        if rng.random() < 0.3:
            covered = [deltas.pop(0) for _ in range(rng.randrange(1, len(deltas) + 1))]
            for _, data in covered:
                total.add(data)
                applying_each.apply_changes(data)
            summed = total.take()
            applying_sums.apply_changes(summed)
            for n, model in enumerate(models):
                model.apply_changes(summed, [data for who, data in covered if who == n])
            assert applying_sums.to_bytes() == applying_each.to_bytes()
    for n, data in deltas:
        applying_each.apply_changes(data)
        models[1 - n].apply_changes(data)
    assert models[0].to_bytes() == models[1].to_bytes() == applying_each.to_bytes()
    assert total.take() == b""


@pytest.mark.parametrize("name", TEXTBOOK)
def test_changes_of_another_log_are_refused_and_leave_the_sum_unchanged(name):
    row, label = draw_messages(1, seed=3)[0]
    model = TextbookModel.new(name, 0.5, "spam", KEY)
    recorder, foreign = model.recorder(), TextbookModel.new(name, 0.5, "spam", KEY[::-1]).recorder()
    recorder.learn(mail_of(row), label)
    foreign.learn(mail_of(row), label)
    total, data = model.update_sum(), recorder.take()
    total.add(data)

    for wrong in (foreign.take(), data[:-1]):
        with pytest.raises(SnapshotError):
            total.add(wrong)
    assert total.nbytes == len(data)
    assert total.take() == data
