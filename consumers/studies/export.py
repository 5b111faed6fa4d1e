"""A model's words as a table: bias and weights of its linear form, or the most probable words of each class."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from stream_nb import MailNB
from stream_nb.mail_nb.vocabulary import word_probabilities, word_weights
from stream_nb.text.base import TextNB
from stream_nb.types import Term

from ..errors import UserError
from ..log.base import Log
from ..model.files import model_on_log
from ..model.words import word_part
from ..records.values import Label
from ..settings import LearnerSettings, Settings
from .corpus import Labelled, has_words, name_of_others, positive_class
from .models import count_model

_FORMULA = ("=", "+", "-", "@")
"""Prefixes that make a spreadsheet treat a cell as a formula."""


class ExportTable(NamedTuple):
    """Column headings, and rows of text and numbers."""

    head: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def of_mails(mails: Sequence[Labelled], name: str, learner: LearnerSettings, top: int | None) -> ExportTable:
    """Train a textbook model; the log-odds of its positive class are exactly b + the sum of w x.

    Args:
        mails: The mails to train on. If they have more than two classes, all but the positive one count as one
            (`name_of_others`).
        name: A name of `COUNT_MODELS`.
        learner: Smoothing and the positive class.
        top: Number of most probable words per class, instead of bias and weights; None for bias and weights.

    Raises:
        UserError: No mail has a word. For bias and weights: no mail is of the positive class, all are, or there is no
            linear form without smoothing.
    """
    if not has_words(mails):
        raise UserError("no mail has a word, so there are none to export; give --text-column if PATH is a table")
    positive = learner.positive if top is not None else positive_class(mails, learner.positive)
    several = len({mail.label for mail in mails}) > 2 and top is None
    others = name_of_others(positive)
    model = count_model(name, learner.smoothing, positive)
    for mail in mails:
        model.learn_one(mail.mail, others if several and mail.label != positive else mail.label)
    return _of_text_model(model, positive, top)


def _of_text_model(model: TextNB, positive: Label, top: int | None) -> ExportTable:
    """Raises UserError if there is no linear form: without smoothing, or with more than two classes."""
    if top is not None:
        return _top(
            (label, word, chance) for label in sorted(model.classes) for word, chance in model.top_words(label, top)
        )
    labels = sorted(model.classes, key=lambda label: label == positive)
    if len(labels) != 2:
        raise UserError(f"classes {', '.join(labels)}: bias and weights need exactly two classes; give --top")
    try:
        linear = model.linear(positive, labels[0])
    except ValueError as error:
        raise UserError(str(error)) from error
    chances = {label: dict(model.top_words(label, model.words)) for label in labels}
    rows = [
        ("word", word, weight, *(chances[label].get(word, 0.0) for label in labels))
        for word, weight in sorted(linear.weights.items())
    ]
    return _linear(labels, linear.bias, rows)


def of_log(log: Log, settings: Settings, learner: LearnerSettings, top: int | None) -> ExportTable:
    """The words of the log's current model, with their weights.

    For a textbook model with two classes, the log-odds (of its words and the prior) are exactly b + the sum of w x. The
    mail model has no prior, so b is 0. It shapes and damps the sum of the weights, so they rank words but do not add
    up to its score. With `[learner] max_features`, it may have words whose text it does not know, because it had
    forgotten them when another worker learned them; these are left out.

    `learner` has smoothing and the positive class; `top` is as for `of_mails`.

    Raises:
        UserError: There is no model, it has no words, or, for bias and weights, it does not know the positive class.
    """
    model = word_part(model_on_log(log, settings, "export"))
    if model is None:
        raise UserError(f"[learner] model {settings.learner.model} counts no words, so there are none to export")
    model.smoothing = learner.smoothing
    if not model.classes:
        raise UserError("the model has learned no label yet, so there are no weights to export; label mails first")
    if top is None and learner.positive not in model.classes:
        learned = ", ".join(model.classes)
        raise UserError(f"class {learner.positive} has not been learned; choose --positive from: {learned}")
    if not (model.words if isinstance(model, TextNB) else model.features):
        raise UserError("the model has learned no word, so there are none to export")
    if isinstance(model, TextNB):
        return _of_text_model(model, learner.positive, top)
    labels = sorted(model.classes, key=lambda label: (label == learner.positive, label))
    terms = [(term, word_probabilities(model, term)) for term in word_weights(model, labels[-1]) if term.text]
    if top is not None:
        return _top(_most_probable(model, terms, top))
    rows = [("word", term.text, term.weight, *(chances[label] for label in labels)) for term, chances in terms]
    return _linear(labels, 0.0, rows)


def to_csv(table: ExportTable) -> str:
    """The table as CSV. Text that a spreadsheet would treat as a formula is prefixed with '."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return text.getvalue()


def _linear(labels: Sequence[Label], bias: float, rows: list[tuple[Any, ...]]) -> ExportTable:
    head = ("kind", "word", "weight", *(f"P(word | {label})" for label in labels))
    return ExportTable(head, [("bias", "", bias, *("" for _ in labels)), *rows])


def _top(words: Iterator[tuple[Label, str, float]]) -> ExportTable:
    return ExportTable(("class", "word", "P(word | class)"), list(words))


def _most_probable(
    model: MailNB, terms: list[tuple[Term, dict[Label, float]]], top: int
) -> Iterator[tuple[Label, str, float]]:
    for label in sorted(model.classes):
        for term, chances in sorted(terms, key=lambda pair: (-pair[1][label], pair[0].text))[:top]:
            yield label, term.text, chances[label]


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return repr(value)
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(value))
    return f"'{text}" if text.startswith(_FORMULA) else text
