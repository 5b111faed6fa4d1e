"""Counts of labels by originator: exact, revertible, mergeable and bounded."""

import random

import numpy as np
import pytest

from stream_nb import Mail, MailNB, Part
from stream_nb.kernels.layout import OriginatorCount
from stream_nb.mail_nb.originator_counts import ARRAYS, OriginatorCounts, originator_cell

KEY = b"sixteen bytes or more"
CELL = 7


def counts_of(found: OriginatorCounts) -> list[int]:
    return found.counts(CELL).tolist()


def count_labels(found: OriginatorCounts, *labels: tuple[str, bool]) -> None:
    """Count labels, given as pairs of label and whether it contradicts the model."""
    for label, contradicts in labels:
        columns = {"ham": 0, "spam": 1}
        found.add_update(found.update(CELL, contradicts, label, columns), columns, 1)


def test_a_run_counts_consecutive_equal_labels_and_ends_with_another_label():
    found = OriginatorCounts(2)
    count_labels(found, ("ham", False), ("spam", True), ("spam", False), ("spam", True))
    assert counts_of(found) == [4, 2, 0, 2]
    count_labels(found, ("ham", False))
    assert counts_of(found) == [5, 2, 0, 0]
    count_labels(found, ("spam", True), ("ham", True))
    assert counts_of(found) == [7, 4, 1, 0]


def test_an_originator_of_which_only_the_run_of_a_removed_class_was_left_is_removed():
    found = OriginatorCounts(2)
    found.put(CELL, [0, 0, 0, -1])
    found.keep_columns([0])
    assert found.empty


def test_updates_can_be_subtracted_in_any_order():
    found, columns = OriginatorCounts(2), {"ham": 0, "spam": 1}
    updates = []
    draw = random.Random(1)
    for _ in range(200):
        update = found.update(draw.randrange(3), draw.random() < 0.5, draw.choice(["ham", "spam"]), columns)
        found.add_update(update, columns, 1)
        updates.append(update)
    draw.shuffle(updates)
    for update in updates:
        found.add_update(update, columns, -1)
    assert found.empty


def test_counts_are_merged_unmerged_reordered_and_packed_by_class():
    first, other = OriginatorCounts(2), OriginatorCounts(2)
    count_labels(first, ("spam", True))
    count_labels(other, ("ham", True), ("ham", True))
    first.merge(other, [1, 0])
    assert counts_of(first) == [3, 3, 0, 3]
    first.merge(other, [1, 0], -1)
    assert counts_of(first) == [1, 1, 0, 1]
    assert counts_of(OriginatorCounts.unpack(first.pack([1, 0]), 2)) == [1, 1, 1, 0]
    first.add_column()
    first.keep_columns([2, 1])
    assert counts_of(first) == [1, 1, 0, 1] and first.holds(1) and not first.holds(0)
    first.scale(0.0)
    assert first.empty


@pytest.mark.parametrize(
    ("cells", "counts", "message"),
    [
        (np.array([1, 1], np.uint16), np.zeros(8, np.int64), "occurs twice"),
        (np.array([1], np.int64), np.zeros(4, np.int64), "outside 0 to 65535"),
        (np.array([1], np.uint16), np.zeros(3, np.int64), "cannot reshape"),
        (np.array([1], np.uint16), np.array([1, 1, 0, 2**62]), "beyond"),
    ],
)
def test_inconsistent_arrays_are_refused(cells, counts, message):
    with pytest.raises(ValueError, match=message):
        OriginatorCounts.unpack(dict(zip(ARRAYS, (cells, counts), strict=True)), 2)


def test_an_originators_cell_is_a_keyed_hash_of_two_bytes():
    cells = {originator_cell(f"{n}@example.org", KEY) for n in range(1000)}
    assert len(cells) > 950 and max(cells) < 65536
    assert originator_cell("a@example.org", KEY) != originator_cell("a@example.org", b"another key of 16 bytes")


def random_mails(seed: int, n: int = 120) -> list[tuple[Mail, str, str]]:
    draw = random.Random(seed)
    mails = []
    for _ in range(n):
        label = draw.choice(["ham", "spam", "news"])
        words = " ".join(draw.choice([label, "w"]) + str(draw.randrange(30)) for _ in range(12))
        originator = draw.choice(["", "a@x", "b@x", "list.example"])
        given = label if draw.random() < 0.7 else draw.choice(["ham", "spam", "news"])
        mails.append((Mail((Part("", words.encode()),), originator=originator), given, draw.choice(["", "ann"])))
    return mails


@pytest.mark.parametrize("seed", range(3))
def test_updates_with_originators_are_reverted_merged_and_recorded_exactly(seed):
    model, follower, graded = MailNB(KEY), MailNB(KEY), MailNB(KEY)
    recorder = model.recorder()
    updates = []
    for mail, label, source in random_mails(seed):
        assert graded.grade(mail, label, source) == model.grade(mail, label, source)
        updates.append((mail, recorder.learn(mail, label, source)))
        graded.learn_one(mail, label, source)
        if len(updates) % 10 == 0:
            follower.apply_changes(recorder.take())
    assert model == follower == graded == MailNB.from_bytes(model.to_bytes())
    assert not model._counts.originators.empty

    other = MailNB(KEY)
    for mail, label, source in random_mails(seed + 100):
        other.learn_one(mail, label, source)
    both = model.copy()
    both.merge(other)
    both.unmerge(other)
    assert both == model

    random.Random(seed).shuffle(updates)
    for mail, update in updates:
        recorder.revert_update(mail, update)
    follower.apply_changes(recorder.take())
    assert model == follower == MailNB(KEY)


def test_without_trust_no_originator_is_counted():
    model = MailNB(KEY, trust=False)
    for mail, label, source in random_mails(5):
        model.learn_one(mail, label, source)
    assert model._counts.originators.empty


def test_a_batch_counts_originators_like_single_mails():
    first, batch = MailNB(KEY), MailNB(KEY)
    mails = random_mails(9)
    for mail, label, _ in mails:
        first.learn_one(mail, label)
    batch.learn_many([mail for mail, _, _ in mails], [label for _, label, _ in mails])
    assert first == batch


def test_the_layout_begins_with_the_counts_of_all_classes():
    assert [int(each) for each in OriginatorCount] == [0, 1, 2]
