"""Senders whose mails have different labels: a newsletter that one person calls spam, or an address that is forged."""

from __future__ import annotations

import re
from collections import Counter, OrderedDict

import msgspec

from ...records.sanitize import ROW_SENDER_CHARS, show_safely
from .label_sources import OTHERS

MAX_SENDERS = 2_000
MAX_SOURCES_OF_SENDER = 50
"""Sources counted separately in one class of one sender."""
MIN_MAILS = 3
MIN_SHARE = 0.1
"""A sender is shown if its second commonest class has at least this many mails, and this share of them."""
MAX_SHOWN = 20
_ADDRESS = re.compile(r"[^\s<>\"',;:()@]+@[^\s<>\"',;:()@]+")


class SenderLabel(msgspec.Struct, frozen=True):
    """How many of a sender's mails have the true label `label`, and how many sources gave it."""

    label: str
    mails: int
    sources: int


class SenderView(msgspec.Struct, frozen=True):
    """A sender with mails of several classes, the commonest class first; `address` is safe to show."""

    address: str
    labels: list[SenderLabel]


class SenderLabels:
    """True labels by sender and source; above `MAX_SENDERS` the least recently labelled sender is evicted.

    A sender is the address in the From field; a mail without one is not counted.
    """

    def __init__(self) -> None:
        self._senders: OrderedDict[str, dict[str, Counter[str]]] = OrderedDict()

    def add(self, sender: str, label: str, source: str) -> None:
        """Count a mail with the From field `sender` and the true `label`, given by `source`."""
        address = _address(sender)
        if not address:
            return
        labels = self._senders.setdefault(address, {})
        self._senders.move_to_end(address)
        sources = labels.setdefault(label, Counter())
        sources[source if source in sources or len(sources) < MAX_SOURCES_OF_SENDER else OTHERS] += 1
        if len(self._senders) > MAX_SENDERS:
            self._senders.popitem(last=False)

    def remove(self, sender: str, label: str, source: str) -> None:
        """Remove a mail that was counted with this `sender`, `label` and `source`, because its label or the label's
        source changed."""
        labels = self._senders.get(_address(sender), {})
        sources = labels.get(label)
        if sources is None:
            return
        name = source if source in sources else OTHERS
        sources[name] -= 1
        if sources[name] <= 0:
            del sources[name]
        if not sources:
            del labels[label]

    def view(self) -> list[SenderView]:
        """The senders whose mails have different labels, those with the most mails in their second class first."""
        differing: list[tuple[int, SenderView]] = []
        for address, labels in self._senders.items():
            if len(labels) < 2:
                continue
            counts = [SenderLabel(label, sources.total(), len(sources)) for label, sources in labels.items()]
            counts.sort(key=lambda count: -count.mails)
            second = counts[1].mails
            if second >= MIN_MAILS and second >= MIN_SHARE * sum(count.mails for count in counts):
                differing.append((second, SenderView(show_safely(address, ROW_SENDER_CHARS), counts)))
        differing.sort(key=lambda one: -one[0])
        return [view for _, view in differing[:MAX_SHOWN]]


def _address(sender: str) -> str:
    """The address in a From field, without the display name; empty if there is none, or if the field was truncated.

    >>> _address("Ann <b>@home <Ann@Example.org>"), _address("Ann <ann@exam…")
    ('ann@example.org', '')
    """
    found = _ADDRESS.findall(sender) if "@" in sender and not sender.endswith("…") else []
    return found[-1].lower() if found else ""
