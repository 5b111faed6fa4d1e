"""The values in records: their types and limits, and the checks of labels, words and features."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Annotated, Any, TypeGuard

import msgspec
from msgspec import Meta

from stream_nb.kernels.layout import FEATURE_ROOM
from stream_nb.mail.identification import MAX_ID_CHARS
from stream_nb.mail.limits import MAX_MAIL_BYTES
from stream_nb.mail_nb.decision import UNSURE

from ..errors import BadRecord

Number = Annotated[int, Meta(ge=0, lt=1 << 62)]
NextOffset = Annotated[int, Meta(ge=1, lt=1 << 62)]
Share = Annotated[float, Meta(ge=0, le=1)]
MAX_LOG_ODDS = 1e12
LogOdds = Annotated[float, Meta(ge=-MAX_LOG_ODDS, le=MAX_LOG_ODDS)]
Time = Annotated[float, Meta(ge=-1e12, le=1e12)]

Label = str
"""A label on the log (`LABEL_FORM`). The models of `stream_nb` accept bools and numbers, too."""

MAX_LABEL_CHARS = 100
UNSCORED = "(none)"
"""The predicted label, in a confusion matrix, of a mail that was scored before the model knew any class."""
LABEL_FORM = (
    f"1 to {MAX_LABEL_CHARS} printable characters, not all blank, neither {UNSCORED!r} nor {UNSURE!r} "
    "(the label of mails near the threshold)"
)
Originator = Annotated[str, Meta(max_length=998)]
MAX_COUNT = MAX_MAIL_BYTES
"""Largest count of a word; no mail has more bytes than this."""
MAX_FEATURES = FEATURE_ROOM
"""Most features of a message that the mail model reads."""
MAX_NAME_CHARS = 200
MAX_CATEGORY_CHARS = 1_000

_encode = msgspec.json.Encoder().encode


def is_label(text: str) -> bool:
    """Whether `text` can be a label: `LABEL_FORM`."""
    return len(text) <= MAX_LABEL_CHARS and text.isprintable() and bool(text.strip()) and text not in (UNSCORED, UNSURE)


def cut(text: str, limit: int = 40) -> str:
    """Cut `text` to `limit` characters, for a message; ``…`` stands for what is left out.

    >>> cut("1" + "0" * 400, 4)
    '1000…'
    """
    return text if len(text) <= limit else text[:limit] + "…"


def check_id(message_id: str) -> None:
    """Raise BadRecord (`bad-id`) unless `message_id` has 1 to `MAX_ID_CHARS` characters."""
    if not 0 < len(message_id) <= MAX_ID_CHARS:
        raise BadRecord("bad-id", f"message id of {len(message_id)} characters, 1 to {MAX_ID_CHARS} are allowed")


def check_label(label: str | None) -> None:
    """Raise BadRecord (`bad-label`) unless `label` is a valid label, or None for no label."""
    if label is not None and not is_label(label):
        raise BadRecord("bad-label", f"label {cut(label)!r} is not {LABEL_FORM}")


def bounded(log_odds: float) -> float:
    """Clip `log_odds` (or one term of them) to +-`MAX_LOG_ODDS`, as in records; impossible classes make them infinite.

    >>> bounded(float("-inf"))
    -1000000000000.0
    """
    if -MAX_LOG_ODDS <= log_odds <= MAX_LOG_ODDS:
        return log_odds
    return math.copysign(MAX_LOG_ODDS, log_odds)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether the `value` of a feature is a number; booleans are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_values(words: Mapping[str, Any], features: Mapping[str, Any]) -> None:
    """Check the counts and features of a message.

    Args:
        words: How often each word occurs: whole numbers from 0 to `MAX_COUNT`.
        features: Numbers, texts, booleans and None by name: at most `MAX_FEATURES`, numbers within the range of a
            double, names of 1 to `MAX_NAME_CHARS` characters, texts of at most `MAX_CATEGORY_CHARS`.

    Raises:
        BadRecord: `bad-count` or `bad-feature`.
    """
    for name, count in words.items():
        if not (0 <= count <= MAX_COUNT and count == int(count)):
            raise BadRecord(
                "bad-count", f"words: {_named(name, count)}; a count is a whole number from 0 to {MAX_COUNT}"
            )
    if len(features) > MAX_FEATURES:
        raise BadRecord("bad-feature", f"features: {len(features)} of them; a message has at most {MAX_FEATURES}")
    for name, value in features.items():
        if not 0 < len(name) <= MAX_NAME_CHARS:
            limit = f"a name has 1 to {MAX_NAME_CHARS} characters"
            raise BadRecord("bad-feature", f"features: {_named(name, value)}; {limit}")
        if isinstance(value, str) and len(value) > MAX_CATEGORY_CHARS:
            limit = f"a feature's text is a value of a category, of at most {MAX_CATEGORY_CHARS} characters"
            raise BadRecord("bad-feature", f'features: {_named(name, value)}; {limit}; put running text into "text"')
        if is_number(value) and not -sys.float_info.max <= value <= sys.float_info.max:
            limit = f"a number is from -{sys.float_info.max} to {sys.float_info.max}"
            raise BadRecord("bad-feature", f"features: {_named(name, value)}; {limit}")


def _named(name: str, value: object) -> str:
    text = str(value) if is_number(value) else _encode(value).decode()
    return f"{cut(name, 80)!r} is {cut(text)}"
