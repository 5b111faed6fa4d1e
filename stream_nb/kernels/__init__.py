"""The compiled inner loops. Neither these modules nor numba are imported before the first kernel is called.

    features/        bytes of a message -> keyed features -> rows of counters
    mail_nb/         rows of counters -> the scores of MailNB -> what a label adds
    tabular/         numbers and categories of a message -> their counts, log-likelihoods and weights
    text/            the textbook models of words
    mail/            header fields, disguised letters, and the difference of two texts
    html/            HTML -> visible and hidden text
    css/             style sheets and styles -> which elements are visible
    layout.py        the rows and arrays that Python and the kernels share, each field named
    workspace.py     many arrays as one argument
    swar.py          eight bytes of text at a time: word boundaries, lower case, keys
    cpu.py           CPU instructions that numba does not expose
    jit.py           the decorators of compiled functions

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
    "most_text": "features.tokenize",
    "scan_text": "features.tokenize",
    "scan_tokens": "features.tokenize",
    "scan_grams": "features.grams",
    "start_value": "swar",
    "find_all": "features.table",
    "insert_all": "features.table",
    "reindex": "features.table",
    "merge_rows": "features.table",
    "copy_texts": "features.table",
    "sum_update": "features.changes",
    "write_changes": "features.changes",
    "read_changes": "features.changes_reader",
    "add_changes": "features.changes_reader",
    "grade_update": "mail_nb.update",
    "add_update": "mail_nb.update",
    "discount_wrong_labels": "mail_nb.wrong_labels",
    "mail_score": "mail_nb.message",
    "mail_learn": "mail_nb.message",
    "mail_score_then_learn": "mail_nb.batch",
    "text_learn": "text.common",
    "compact_histogram": "text.common",
    "multinomial_score": "text.multinomial",
    "bernoulli_score": "text.bernoulli",
    "add_value": "tabular.exact_moments",
    "add_rows": "tabular.exact_moments",
    "mean_and_std": "tabular.exact_moments",
    "score_features": "tabular.feature_parts",
    "add_features": "tabular.feature_counts",
    "merge_cells": "tabular.feature_counts",
    "merge_moments": "tabular.feature_counts",
    "learn_features": "tabular.feature_parts",
    "add_to_pool": "tabular.part_pool",
    "list_filled": "tabular.part_pool",
    "part_weights": "tabular.part_pool",
    "pool_cell": "tabular.part_pool",
    "starter_share": "mail_nb.starter",
    "score_with_starter": "mail_nb.starter",
    "starter_cell": "mail_nb.starter",
    "number_gradients": "tabular.number_weights",
    "add_gradients": "tabular.number_weights",
    "interval_start": "tabular.feature_counts",
    "read_fields": "mail.headers",
    "split_html": "html.split",
    "read_styles": "html.sheets",
    "other_words": "mail.text_difference",
    "has_disguise": "mail.disguises",
    "mixes_scripts": "mail.disguises",
    "may_have_unseen": "mail.disguises",
    "copy_seen": "mail.disguises",
    "join_letters": "mail.disguises",
}
"""The kernels that the rest of the package calls, and the module of each."""


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_EXPORTS[name]}"), name)
    return value
