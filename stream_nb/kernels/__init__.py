"""The compiled inner loops. Nothing here is imported, and numba neither, before the first one is called.

    tokenize.py      bytes of a message -> distinct keyed features
    swar.py          eight bytes of a text at a time: where a word ends, its lower case, its key
    cpu.py           instructions of the processor that numba has no name for
    table.py         keyed feature -> row of counters: find, insert, add
    mail_nb_score.py rows of counters -> the score of MailNB, and what a label would add
    calibration.py   margins of past labels -> probabilities
    workspace.py     many arrays as one argument
    mail_nb.py       all of these for one message or many in one call
    text_common.py   what one message adds to the textbook models, and what is read off its log probabilities
    multinomial.py, bernoulli.py   words -> their rows -> log probabilities -> the result, in one call
    headers.py       the header fields of a mail
    html.py          HTML -> text, with html_attributes.py and html_characters.py

Each is plain Python under one decorator (`jit.kernel`) and gives the same bits compiled or not. The compile cache of a
file does not notice changes in another: a kernel calls only kernels of its own file, or names the others in
`jit.fingerprint`, as mail_nb.py does.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

UNIT = 256
"""Counts are integers in this fraction of a message."""

_FILES = (
    *("tokenize", "table", "mail_nb_score", "workspace", "mail_nb", "calibration"),
    *("text_common", "multinomial", "bernoulli"),
)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    for file in _FILES:
        module = import_module(f"stream_nb.kernels.{file}")
        globals().update({key: value for key, value in vars(module).items() if not key.startswith("_")})
    try:
        return globals()[name]
    except KeyError:
        raise AttributeError(f"no kernel is named {name!r}") from None
