"""The format of snapshots: golden files of this version must remain readable, and be written identically.

`python -m tests.stream_nb.test_snapshot` creates the files; run it only after the format's version was raised, or a
model learns differently.
"""

import hashlib
import struct
from pathlib import Path

import numpy as np
import pytest

from stream_nb import (
    BernoulliNB,
    BinnedNB,
    CategoricalNB,
    GaussianNB,
    Mail,
    MailNB,
    MixedNB,
    MultinomialNB,
    Part,
    SnapshotError,
    snapshot,
)
from stream_nb.registry import MODELS
from tests.support.models import CLASSES, WORD_CLASSES

FOLDER = Path(__file__).parent / "golden"
FILES = {
    "MailNB": (MailNB, False),
    "MailNB-features": (MailNB, True),
    "MultinomialNB": (MultinomialNB, False),
    "BernoulliNB": (BernoulliNB, False),
}
"""The model in each file, and whether it has learned numbers and categories."""


def mail(number, with_features):
    text = f"see you at lunch {number % 4}" if number % 2 else f"win free money now {number % 3} naïve 日本語"
    features = (("size", 1.5 * number), ("links", number % 5), ("format", "html"), ("signed", number % 3 == 0))
    return Mail((Part("subject", b"about"), Part("", text.encode())), features=features if with_features else ())


def trained(kind, with_features):
    model = kind()
    for number in range(30):
        model.learn_one(mail(number, with_features), "ham" if number % 2 else "spam")
    return model


@pytest.mark.parametrize("name", FILES)
def test_a_golden_file_is_read_and_written_unchanged(name):
    kind, with_features = FILES[name]
    data = (FOLDER / f"{name}.snb").read_bytes()
    model, fresh = kind.from_bytes(data), trained(kind, with_features)

    assert model.to_bytes() == data
    assert model == fresh
    for x in ("free lunch", mail(7, with_features)):
        assert model.score(x) == fresh.score(x)


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if kind is not MailNB])
@pytest.mark.parametrize("classes", [(0, 1), (False, True), ("ham", "spam")])
def test_given_priors_are_kept_for_labels_of_every_type(kind, classes):
    first, second = classes
    model, reordered = kind(prior={first: 0.3, second: 0.7}), kind(prior={second: 0.7, first: 0.3})
    x = "a b" if kind in WORD_CLASSES else {"a": 1}
    for label in classes:
        model.learn_one(x, label)
        reordered.learn_one(x, label)
    restored = kind.from_bytes(model.to_bytes())

    assert restored == model == reordered
    assert restored.prior == {first: 0.3, second: 0.7}
    assert model.to_bytes() == reordered.to_bytes()
    assert restored.predict_proba_one(x)[second] == pytest.approx(0.7)


def test_given_numbers_of_categories_are_kept_for_feature_names_of_every_type():
    model = CategoricalNB(min_categories={0: 4, "b": 2})
    restored = CategoricalNB.from_bytes(model.to_bytes())

    assert restored == model
    assert restored.min_categories == {0: 4, "b": 2}


@pytest.mark.parametrize("kind", [CategoricalNB, GaussianNB, BinnedNB, MixedNB])
def test_writing_a_feature_name_that_cannot_be_stored_is_refused(kind):
    model = kind()
    model.learn_one({("size", 1): 1.5}, "ham")
    with pytest.raises(TypeError, match=r"feature \('size', 1\) cannot be stored: use a string or a number"):
        model.to_bytes()


def test_a_snapshot_of_a_newer_version_is_refused_with_both_versions():
    data = bytearray((FOLDER / "MailNB.snb").read_bytes())
    data[4] += 1
    with pytest.raises(SnapshotError, match=r"version 7.*reads version 6"):
        MailNB.from_bytes(bytes(data))


def test_a_snapshot_with_missing_values_or_shortened_arrays_is_refused():
    values, arrays = snapshot.unpack((FOLDER / "MailNB.snb").read_bytes(), "MailNB")
    for broken in ({k: v for k, v in arrays.items() if k != "counts"}, arrays | {"words": arrays["words"][:-1]}):
        with pytest.raises(SnapshotError):
            MailNB.from_bytes(snapshot.pack("MailNB", values, broken))
    with pytest.raises(SnapshotError):
        MailNB.from_bytes(snapshot.pack("MailNB", {k: v for k, v in values.items() if k != "classes"}, arrays))


@pytest.mark.parametrize(("model", "totals"), [(MailNB, "tallies"), (MultinomialNB, "totals"), (BernoulliNB, "totals")])
def test_a_snapshot_with_totals_of_other_classes_than_its_own_is_refused(model, totals):
    """The kernels read and write the totals of each class without looking whether there are any."""
    name = model.__name__
    values, arrays = snapshot.unpack((FOLDER / f"{name}.snb").read_bytes(), name)
    rows, names = arrays[totals], values["classes"]
    for broken in (rows[:-1], np.concatenate((rows, rows))):
        with pytest.raises(SnapshotError, match="classes, totals of"):
            model.from_bytes(snapshot.pack(name, values, arrays | {totals: broken}))
    for repeated in ([names[0]] * len(names), [names[0], *names]):
        with pytest.raises(SnapshotError):
            model.from_bytes(snapshot.pack(name, values | {"classes": repeated}, arrays))


@pytest.mark.parametrize("sums", [[1], [1, 2, 3], [2**80, 0], [float("inf"), 0], ["x", 0]], ids=repr)
def test_a_snapshot_with_malformed_sums_of_a_source_is_refused(sums):
    values, arrays = snapshot.unpack((FOLDER / "MailNB.snb").read_bytes(), "MailNB")
    with pytest.raises(SnapshotError, match="missing or malformed parts"):
        MailNB.from_bytes(snapshot.pack("MailNB", values | {"sources": [["anna", *sums]]}, arrays))


def test_a_deeply_nested_header_is_refused():
    header = b'{"kind":"MailNB","values":' + b"[" * 100_000
    body = b"SNB1" + struct.pack("<HI", snapshot.VERSION, len(header)) + header
    with pytest.raises(SnapshotError, match="unreadable header"):
        MailNB.from_bytes(body + hashlib.blake2b(body, digest_size=16).digest())


@pytest.mark.parametrize("name", MODELS)
def test_damaged_snapshots_are_refused(name):
    model = MODELS[name].new()
    model.learn_one("win money now" if MODELS[name].messages == "text" else {"a": 1}, "spam")
    data = model.to_bytes()
    changed = [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), 7)]
    for damaged in (*changed, b"", data[:-1], data[: len(data) // 2], data + b"\0", b"junk" * 100):
        with pytest.raises(SnapshotError):
            type(model).from_bytes(damaged)


@pytest.mark.parametrize("model", [entry.model for entry in MODELS.values()], ids=list(MODELS))
def test_bytes_like_objects_are_read_and_other_types_are_refused(model):
    data = model().to_bytes()
    assert model.from_bytes(bytearray(data)) == model.from_bytes(memoryview(data)) == model()
    for wrong in (None, data.hex(), [1]):
        with pytest.raises(TypeError, match=f"a snapshot of type {type(wrong).__name__}: give bytes"):
            model.from_bytes(wrong)


if __name__ == "__main__":
    for name, contents in FILES.items():
        (FOLDER / f"{name}.snb").write_bytes(trained(*contents).to_bytes())
