"""Batches as in river: predictions for dataframes and series are dataframes and series with the same index.

Results equal those of single messages bit for bit.
"""

import math

import pandas as pd
import pytest
from river import compose, feature_extraction, multiclass, preprocessing

from stream_nb import (
    GaussianNB,
    Mail,
    MailNB,
    MixedNB,
    MultinomialNB,
    Part,
)
from stream_nb.batch import Batch
from stream_nb.mail import read_mail
from tests.support.models import CLASSES, WORD_CLASSES

INDEX = [7, 3, 5, 4]
NUMBERS = pd.DataFrame({"size": [1.0, 0.0, 3.0, 2.0], 0: [2, 0, 1, 1]}, index=INDEX)
TEXTS = pd.Series(["win money", "lunch at noon", "free money money", "see you at lunch"], index=INDEX)
LABELS = pd.Series(["spam", "ham", "spam", "ham"], index=INDEX)


def learn_one_by_one(model, messages, labels):
    for x, y in zip(messages, labels, strict=True):
        model.learn_one(x, y)
    return model


def assert_same_predictions(model, expected, table, messages):
    labels, probabilities = model.predict_many(X=table), model.predict_proba_many(X=table)
    assert labels.tolist() == [expected.predict_one(x) for x in messages]
    assert probabilities.to_dict("records") == [expected.predict_proba_one(x) for x in messages]
    assert labels.index.tolist() == probabilities.index.tolist() == table.index.tolist()


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("labels", [LABELS, [True, False, True, False], pd.Series([1, 2, 3, 1])], ids=str)
def test_each_row_of_a_dataframe_is_a_message(cls, labels):
    model = cls()
    model.learn_many(X=NUMBERS, y=labels)
    rows = NUMBERS.to_dict("records")
    expected = learn_one_by_one(cls(), rows, labels)
    assert model == expected
    assert_same_predictions(model, expected, NUMBERS, rows)


@pytest.mark.parametrize("cls", WORD_CLASSES)
def test_each_text_of_a_series_is_a_message(cls):
    model = cls()
    model.learn_many(TEXTS, LABELS)
    expected = learn_one_by_one(cls(), TEXTS, LABELS)
    assert model == expected
    assert_same_predictions(model, expected, TEXTS, TEXTS)


@pytest.mark.parametrize("cls", CLASSES)
def test_an_empty_model_predicts_none_for_each_row_of_a_dataframe(cls):
    assert cls().predict_many(NUMBERS).tolist() == [None] * 4
    probabilities = cls().predict_proba_many(NUMBERS)
    assert probabilities.shape == (4, 0) and probabilities.index.tolist() == INDEX


@pytest.mark.parametrize("cls", CLASSES)
def test_a_dataframe_without_rows_changes_nothing_and_has_no_predictions(cls):
    model = cls()
    model.learn_many(NUMBERS, LABELS)
    before = model.copy()
    model.learn_many(NUMBERS[:0], [])
    assert model == before and model.predict_many(NUMBERS[:0]).tolist() == []
    assert model.predict_proba_many(NUMBERS[:0]).shape == (0, 2)


@pytest.mark.parametrize("cls", CLASSES)
def test_predictions_for_a_list_are_a_list(cls):
    model = cls()
    rows = NUMBERS.to_dict("records")
    model.learn_many(rows, LABELS)
    assert model.predict_many(rows) == [model.predict_one(x) for x in rows]
    assert model.predict_proba_many(tuple(rows)) == [model.predict_proba_one(x) for x in rows]


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA, pd.NaT], ids=str)
def test_missing_values_of_a_dataframe_are_ignored(missing):
    table = pd.DataFrame({"text": ["win", missing], "size": [missing, 2.0], "lang": pd.array(["en", missing], object)})
    model = MixedNB()
    model.learn_many(table, ["spam", "ham"])
    assert model == learn_one_by_one(MixedNB(), [{"text": "win", "lang": "en"}, {"size": 2.0}], ["spam", "ham"])


@pytest.mark.parametrize("missing", [None, math.nan, pd.NA], ids=str)
@pytest.mark.parametrize("cls", WORD_CLASSES)
def test_a_column_in_which_a_text_is_missing_is_refused_as_a_whole(cls, missing):
    """The texts before it used to be learned, and the error named the type float."""
    model, texts = cls(), pd.Series(["win money", missing, "lunch"], index=[7, 3, 5])
    for read in (model.predict_many, model.predict_proba_many, lambda X: model.learn_many(X, ["spam", "ham", "ham"])):
        with pytest.raises(ValueError, match="message 1 of the column is missing: leave it out, or give an empty text"):
            read(texts)
    assert not model.classes
    model.learn_many(texts.fillna(""), ["spam", "ham", "ham"])
    assert model.labels_learned == 3


@pytest.mark.parametrize("cls", WORD_CLASSES)
@pytest.mark.parametrize("vectorizer", [feature_extraction.BagOfWords, feature_extraction.TFIDF])
@pytest.mark.parametrize("ngram_range", [(1, 1), (1, 2)], ids=str)
def test_word_counts_of_a_pipeline_are_learned_in_batches(cls, vectorizer, ngram_range):
    model = compose.Pipeline(("words", vectorizer(ngram_range=ngram_range)), ("model", cls()))
    model.learn_many(TEXTS, LABELS)
    sparse = model["words"].transform_many(TEXTS)
    rows = sparse.sparse.to_dense().to_dict("records")
    expected = learn_one_by_one(cls(), rows, LABELS)
    assert model["model"] == expected
    assert_same_predictions(model, expected, TEXTS, rows)
    assert expected.predict_many(sparse).tolist() == expected.predict_many(rows)


def test_messages_of_words_do_not_hold_the_zeros_of_a_dense_dataframe():
    """A table of counts is mostly zeros, which would take a hundred bytes each as items of a dict."""
    table = feature_extraction.BagOfWords().transform_many(TEXTS).sparse.to_dense()
    rows = [{name: count for name, count in row.items() if count} for row in table.to_dict("records")]
    assert Batch.of(table, zeros=False).messages == rows
    assert Batch.of(table, zeros=True).messages == table.to_dict("records")


def test_zeros_of_a_sparse_dataframe_are_numbers():
    table = feature_extraction.BagOfWords().transform_many(TEXTS)
    model = GaussianNB()
    model.learn_many(table, LABELS)
    assert model == learn_one_by_one(GaussianNB(), table.sparse.to_dense().to_dict("records"), LABELS)


@pytest.mark.parametrize("fill", [1, math.nan])
def test_a_sparse_dataframe_may_have_another_fill_value_than_0(fill):
    table = pd.DataFrame({"free": pd.arrays.SparseArray([1.0, 0.0, 2.0, 1.0], fill_value=fill)})
    model = MultinomialNB()
    model.learn_many(table, LABELS)
    assert model == learn_one_by_one(MultinomialNB(), [{"free": count} for count in (1, 0, 2, 1)], LABELS)


def test_scaled_numbers_of_a_pipeline_are_learned_in_batches():
    model = preprocessing.StandardScaler() | GaussianNB()
    model.learn_many(NUMBERS, LABELS)
    scaled = model["StandardScaler"].transform_many(NUMBERS).to_dict("records")
    expected = learn_one_by_one(GaussianNB(), scaled, LABELS)
    assert model["GaussianNB"] == expected
    assert model.predict_many(NUMBERS).tolist() == expected.predict_many(scaled)


@pytest.mark.parametrize("cls", CLASSES)
def test_a_one_versus_rest_classifier_learns_in_batches(cls):
    model = multiclass.OneVsRestClassifier(cls())
    model.learn_many(NUMBERS, LABELS)
    rows = NUMBERS.to_dict("records")
    for label, one in model.classifiers.items():
        assert one == learn_one_by_one(cls(), rows, LABELS == label)
    assert model.predict_many(NUMBERS).tolist() == [model.predict_one(x) for x in rows]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("labels", [["ham", "spam", "ham", None], ["ham", "spam", "ham", math.nan]], ids=str)
def test_a_batch_with_an_invalid_label_is_not_learned(cls, labels):
    model = cls()
    with pytest.raises((TypeError, ValueError), match="message 3: label"):
        model.learn_many(NUMBERS, labels)
    assert not model.classes


def test_a_batch_can_be_learned_with_a_source():
    model, expected = MailNB(), MailNB()
    pipeline = compose.FuncTransformer(lambda texts: texts) | model
    pipeline.learn_many(TEXTS, LABELS, source="me")
    for x, y in zip(TEXTS, LABELS, strict=True):
        expected.learn_one(x, y, source="me")
    assert model == expected
    assert model.score_many(TEXTS) == [expected.score(x) for x in TEXTS]


@pytest.mark.parametrize("cls", CLASSES)
def test_an_array_without_column_names_is_refused_as_a_whole(cls):
    """It used to be read as a list, whose first row was then refused: "a message of type ndarray: give a dict"."""
    for read in (cls().predict_many, cls().predict_proba_many, lambda X: cls().learn_many(X, LABELS)):
        with pytest.raises(TypeError, match="ndarray with 2 dimensions: give a pandas or polars dataframe"):
            read(NUMBERS.to_numpy())


@pytest.mark.parametrize("nothing", [None, 5])
def test_what_has_no_items_is_refused_as_messages_and_as_labels(nothing):
    """The error used to be Python's, that an object is not iterable."""
    for messages, labels, name in ((nothing, LABELS, "messages"), (TEXTS, nothing, "labels")):
        with pytest.raises(TypeError, match=f"{name} of type {type(nothing).__name__}: give a "):
            MailNB().learn_many(messages, labels)


@pytest.mark.parametrize("unordered", [set, frozenset])
def test_a_set_of_messages_or_labels_is_refused_because_it_has_no_order(unordered):
    model = MailNB()
    for messages, labels in ((["a", "b"], unordered(["ham", "spam"])), (unordered(["a", "b"]), ["ham", "spam"])):
        with pytest.raises(TypeError, match=f"of type {unordered.__name__}: give a list"):
            model.learn_many(messages, labels)
    with pytest.raises(TypeError, match=f"messages of type {unordered.__name__}"):
        model.predict_many(unordered(["a", "b"]))
    assert model == MailNB()


@pytest.mark.parametrize(
    "mail", [Mail((Part("", b"free money"),)), read_mail(b"Subject: hi\r\n\r\nfree money")], ids=repr
)
def test_a_single_mail_is_refused_as_a_batch(mail):
    """A mail is a named tuple: its fields used to be read as messages."""
    model = MailNB()
    labels = ["ham"] * len(mail)
    for read in (model.predict_many, model.predict_proba_many, model.score_many, lambda X: model.learn_many(X, labels)):
        with pytest.raises(TypeError, match=f"messages of type {type(mail).__name__}: give a list of messages"):
            read(mail)
    assert model == MailNB()
