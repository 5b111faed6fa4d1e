"""The canonical form of a table is the same for equal counts, in whatever order they were learned."""

import numpy as np
import pytest

from stream_nb.features.canonical import Canonical
from stream_nb.features.count_table import CountTable
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY


def table_of(*texts):
    extractor, table = Extractor(STUDY_KEY, True, 2000, counted=False), CountTable(2)
    for number, text in enumerate(texts):
        extractor.extract(text)
        table.find(extractor)
        table.insert(extractor, 256)
        table.counts[extractor.row_ids[: extractor.n], number % 2] += 256
    table.sizes[1] = int(table.counts.any(axis=1).sum())
    return table, extractor.hash_multipliers


def equal(one: Canonical, two: Canonical) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_words_are_sorted_by_key_with_their_texts_and_pairs_follow():
    table, _ = table_of("free money now", "see you")
    parts = table.canonical([0, 1])
    assert parts.words.tolist() == sorted(parts.words.tolist())
    texts, at = [], 0
    for length in parts.lengths.tolist():
        texts.append(parts.texts[at : at + length].tobytes().decode())
        at += length
    assert sorted(texts) == ["free", "money", "now", "see", "you"]
    pairs = {(texts[first], texts[second]) for first, second in parts.pairs.tolist()}
    assert pairs == {("free", "money"), ("money", "now"), ("see", "you")}
    assert parts.counts.shape == (5 + 3, 2)
    assert parts.counts[texts.index("money")].tolist() == [256, 0]


def test_equal_counts_give_equal_arrays_in_any_order_of_learning():
    one, _ = table_of("free money now", "see you")
    two, _ = table_of("now free money now", "you see you")
    other, _ = table_of("see you", "free money now")
    assert not equal(one.canonical([0, 1]), two.canonical([0, 1]))  # they have different pairs
    assert equal(one.canonical([0, 1]), other.canonical([1, 0]))


def test_a_table_is_restored_from_its_canonical_form():
    table, multipliers = table_of("free money now", "see you", "", "free money")
    parts = table.canonical([0, 1])
    restored = CountTable.from_canonical(parts, multipliers)
    assert equal(restored.canonical([0, 1]), parts)
    assert (restored.live, restored.used) == (table.live, table.used)


def test_words_without_counts_are_kept_only_if_a_pair_with_counts_has_them():
    table, _ = table_of("free money", "see you")
    texts = {table.text_of(row): row for row in range(table.used)}
    table.counts[[texts["free"], texts["see"], texts["you"], texts["see you"]]] = 0
    parts = table.canonical([0, 1])
    assert len(parts.words) == 2 and len(parts.pairs) == 1


@pytest.mark.parametrize(
    "broken",
    [
        lambda parts: parts._replace(lengths=parts.lengths[:-1]),
        lambda parts: parts._replace(texts=parts.texts[:-1]),
        lambda parts: parts._replace(pairs=parts.pairs + 99),
        lambda parts: parts._replace(pairs=-1 - parts.pairs),
    ],
)
def test_inconsistent_arrays_are_refused(broken):
    table, multipliers = table_of("free money now", "see you")
    with pytest.raises((ValueError, IndexError)):
        CountTable.from_canonical(broken(table.canonical([0, 1])), multipliers)
