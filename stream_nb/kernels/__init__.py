"""The compiled inner loops. Neither these modules nor numba are imported before the first kernel is called.

    tokenize.py      bytes of a message -> distinct keyed features
    grams.py         bytes of a message -> its character n-grams, with gram_layout.py
    swar.py          eight bytes of text at a time: word boundaries, lower case, keys
    cpu.py           CPU instructions that numba does not expose
    table.py         keyed feature -> row of counters: find, insert, add
    changes.py       what many updates change in a table, encoded; changes_reader.py adds it to another table
    mail_nb_score.py rows of counters -> the score of MailNB, with mail_nb_terms.py (the terms of each feature)
    mail_nb_update.py the score -> what a label adds
    novelty.py       what the new features of a mail say about its class
    stretch.py       the stretch of a mail that speaks most for a class
    label_trust.py   how far a label is believed, with originator_trust.py (by other labels of the same list or sender)
    wrong_labels.py  how many labels of mails with a positive score are right
    class_balance.py corrections for classes with few labels
    calibration.py   margins of past labels -> probabilities
    jit.py           the decorators of compiled functions
    workspace.py     many arrays as one argument
    layout.py        the rows and arrays that Python and the kernels share, each field named, with number_layout.py
    mail_nb.py       all of MailNB's kernels for one message in one call, with mail_nb_batch.py (for many messages)
    text_common.py   what the textbook models of words share: learning a message, the result from log-likelihoods
    multinomial.py, bernoulli.py   words -> their rows -> log-likelihoods -> the result, in one call
    exact_moments.py sums of numbers and of their squares, without rounding
    feature_counts.py numbers and categories of a message -> their counts
    feature_terms.py  these counts -> log-likelihoods
    feature_parts.py  words, numbers and categories as parts of one score, and what a label adds
    part_pool.py      what each part predicted for past labels -> its weight
    starter.py        counts of a model and of its starter -> the score of MailNB
    number_weights.py what each number predicted for past labels -> its weight among the numbers
    headers.py       the header fields of a mail
    html/            HTML -> visible and hidden text
    css/             style sheets and styles -> which elements are visible
    text_difference.py the words that only one of two texts has
    disguises.py     spaced-out letters, and invisible characters

Each kernel is plain Python under one decorator (`jit.kernel`) and gives identical bits compiled or not. layout.py, with
the rows and arrays that Python and the kernels share, does not need numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

compiling = True
"""Set this to False before the first kernel is called to run all kernels uncompiled. That is faster for a single mail,
because loading numba takes longer."""

_EXPORTS = {
    "Workspace": "workspace",
    "most_text": "tokenize",
    "scan_text": "tokenize",
    "scan_tokens": "tokenize",
    "scan_grams": "grams",
    "start_value": "swar",
    "find_all": "table",
    "insert_all": "table",
    "reindex": "table",
    "merge_rows": "table",
    "copy_texts": "table",
    "sum_update": "changes",
    "write_changes": "changes",
    "read_changes": "changes_reader",
    "add_changes": "changes_reader",
    "grade_update": "mail_nb_update",
    "add_update": "mail_nb_update",
    "discount_wrong_labels": "wrong_labels",
    "mail_score": "mail_nb",
    "mail_learn": "mail_nb",
    "mail_score_then_learn": "mail_nb_batch",
    "text_learn": "text_common",
    "compact_histogram": "text_common",
    "multinomial_score": "multinomial",
    "bernoulli_score": "bernoulli",
    "add_value": "exact_moments",
    "add_rows": "exact_moments",
    "mean_and_std": "exact_moments",
    "score_features": "feature_parts",
    "add_features": "feature_counts",
    "merge_cells": "feature_counts",
    "merge_moments": "feature_counts",
    "learn_features": "feature_parts",
    "add_to_pool": "part_pool",
    "list_filled": "part_pool",
    "part_weights": "part_pool",
    "pool_cell": "part_pool",
    "starter_share": "starter",
    "score_with_starter": "starter",
    "starter_cell": "starter",
    "number_gradients": "number_weights",
    "add_gradients": "number_weights",
    "interval_start": "feature_counts",
    "read_fields": "headers",
    "split_html": "html.split",
    "read_styles": "html.sheets",
    "other_words": "text_difference",
    "has_disguise": "disguises",
    "has_unseen": "disguises",
    "join_letters": "disguises",
}
"""The kernels that the rest of the package calls, and the module of each."""


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_EXPORTS[name]}"), name)
    return value
