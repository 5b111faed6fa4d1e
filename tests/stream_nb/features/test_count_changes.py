"""Changes as arrays: inconsistent ones change no count, and a word's key is computed from its text."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb import MailNB, SnapshotError, flat
from stream_nb.types import Mail, Part
from tests.stream_nb.mail_nb.test_recorder import KEY, mail

NAMES = ("totals", "keys", "lengths", "texts", "bits", "runs", "gains")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("totals", lambda a: a[1:]),
        ("keys", lambda a: a[1:]),
        ("keys", lambda a: a[5:]),
        ("keys", lambda a: a.astype(np.int64)),
        ("lengths", lambda a: a + np.uint8(1)),
        ("lengths", lambda a: a[1:]),
        ("lengths", lambda a: np.append(a, np.uint8(0))),
        ("lengths", lambda a: a[:0]),
        ("texts", lambda a: a[1:]),
        ("texts", lambda a: a.astype(np.int64)),
        ("bits", lambda a: a[1:]),
        ("bits", lambda a: a[:-1]),
        ("bits", lambda a: a[:0]),
        ("bits", lambda a: np.append(a, np.uint8(0))),
        ("bits", lambda a: a | np.uint8(255)),
        ("bits", lambda a: a & np.uint8(0)),
        ("bits", lambda a: a.astype(np.int64)),
        ("runs", lambda a: a[1:]),
        ("runs", lambda a: a + np.uint8(1)),
        ("runs", lambda a: a | np.uint8(128)),
        ("runs", lambda a: np.concatenate((a, a))),
        ("runs", lambda a: np.append(a, np.uint8(0))),
        ("runs", lambda a: np.array([2], np.uint8)),
        ("gains", lambda a: a[:-1]),
        ("gains", lambda a: a[:0]),
        ("gains", lambda a: np.concatenate((a, a))),
        ("gains", lambda a: np.append(a | np.uint8(128), [128, 128, 128, 128, 64]).astype(np.uint8)),
        ("gains", lambda a: a | np.uint8(128)),
    ],
)
def test_changes_with_inconsistent_arrays_are_refused_and_change_nothing(name: str, wrong):
    model, other = MailNB(KEY), MailNB(KEY)
    model.learn_one("money", "spam")
    recorder = model.recorder()
    recorder.learn("free money for lunch", "spam")
    header, arrays = flat.unpack(recorder.take())
    index = NAMES.index(name)
    assert len(arrays[NAMES.index("keys")]) == 5 and len(arrays[NAMES.index("lengths")]) == 3
    arrays[index] = wrong(arrays[index])
    with pytest.raises(SnapshotError):
        other.apply_changes(flat.pack(header, arrays))
    assert other == MailNB(KEY)


@settings(deadline=None, max_examples=200)
@given(st.integers(0, 2**32))
def test_randomly_damaged_changes_are_refused_or_applied_completely(seed: int):
    rng = random.Random(seed)
    model, other = MailNB(KEY), MailNB(KEY)
    model.learn_one(mail(rng), "ham")
    recorder = model.recorder()
    for _ in range(rng.randrange(1, 4)):
        recorder.learn(mail(rng), rng.choice(["ham", "spam"]))
    header, arrays = flat.unpack(recorder.take())
    for _ in range(rng.randrange(1, 4)):
        index = rng.randrange(1, len(NAMES))
        data = bytearray(arrays[index])
        begin, end = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        data[begin:end] = rng.choice([b"", rng.randbytes(end - begin), rng.randbytes(3), data[begin:end] * 2])
        arrays[index] = np.frombuffer(bytes(data), np.uint8)
    mangled = flat.pack(header, arrays)
    try:
        other.apply_changes(mangled)
    except SnapshotError:
        assert other == MailNB(KEY)
    else:
        other.apply_changes(mangled, [mangled, mangled])
        assert other.features == 0


@pytest.mark.parametrize(
    "x",
    [
        "plain words, and twice: words!",
        "ÄÖ naïve 日本語の 한국어 ไทย " + "x" * 300 + " eightlet sixteen_letters",
        Mail((Part("subject", b"Free MONEY"), Part("url:host", b"a.example:80 ::"), Part("", b": :"))),
        Mail((Part("x" * 300, b"long name of a part"), Part(":", b"colons"))),
        Mail((), (("a:b", 2.0), (":", 1.0), ("UPPER case\0", 1.0), ("\udc80", 1.0))),
        ["as:they", "are", "", "c:"],
        "".join(map(chr, range(0x20, 0x250))),
    ],
)
@pytest.mark.parametrize("grams", [False, True])
def test_keys_and_texts_of_unusual_words_are_transferred(x, grams: bool):
    model, other = MailNB(KEY, grams=grams), MailNB(KEY, grams=grams)
    recorder = model.recorder()
    recorder.learn(x, "spam")
    other.apply_changes(recorder.take())
    assert other.to_bytes() == model.to_bytes()


def test_words_with_short_texts_are_transferred_without_their_keys():
    recorder = MailNB(KEY).recorder()
    recorder.learn(Mail((Part("subject", b"free money: eightlet!"), Part("", b"Lunch 10"))), "spam")
    _, arrays = flat.unpack(recorder.take())
    assert len(arrays[NAMES.index("lengths")]) == 7 and len(arrays[NAMES.index("keys")]) == 0
