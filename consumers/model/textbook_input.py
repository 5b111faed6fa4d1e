"""The input of each textbook model, made from a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stream_nb.types import Mail

from ..records.values import is_number

TEXT = ""
"""The key under which `MixedNB` finds the words; no feature of a message has this name."""


def whole(mail: Mail) -> Mail:
    """The message itself, of which models of words read the words, including counted ones."""
    return mail


def numbers(mail: Mail) -> dict[str, Any]:
    """The numbers of a message by name."""
    return {name: value for name, value in mail.features if is_number(value)}


def categories(mail: Mail) -> dict[str, Any]:
    """The texts and booleans of a message by name."""
    return {name: value for name, value in mail.features if not is_number(value)}


def everything(mail: Mail) -> dict[str, Any]:
    """Words, numbers and categories of a message, as input of `MixedNB`."""
    return {TEXT: mail, **dict(mail.features)}


READS: dict[str, Callable[[Mail], Any]] = {
    "multinomial": whole,
    "boolean": whole,
    "bernoulli": whole,
    "categorical": categories,
    "gaussian": numbers,
    "mixed": everything,
}
"""For each textbook model, the function that makes its input from a message."""

READS_WORDS = ("mail", *(name for name, read in READS.items() if read in (whole, everything)))
"""The models that read words, and so can distinguish mails."""
