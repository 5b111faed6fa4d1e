"""Orders of mails and labels that a classifier may meet, made from a labelled stream, for `benchmarks.robustness`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

HAM, SPAM = "ham", "spam"
FIRST = 500
LATE = 1000
LIAR = "liar"
_KINDS = 3


@dataclass(frozen=True)
class Labelled:
    """A parsed mail, its true class, the kinds of mail it belongs to, and its words as each of `benchmarks.peers` reads
    them."""

    mail: Any
    truth: str
    kinds: frozenset[str] = frozenset()
    words: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Condition:
    """A stream, and the label and source given to each mail; `watched` are indexes of mails to count separately."""

    name: str
    mails: list[Labelled]
    given: list[str]
    sources: list[str] | None = None
    truth: list[str] | None = None
    watched: list[int] = field(default_factory=list)


def _other(label: str) -> str:
    return HAM if label == SPAM else SPAM


def _correctly_labelled(name: str, mails: list[Labelled]) -> Condition:
    return Condition(name, mails, [mail.truth for mail in mails])


def one_class_first(mails: list[Labelled], first: str, most: int) -> list[Labelled]:
    """At most `most` mails of class `first`, then as many of the other class, then the rest in order."""
    own = [mail for mail in mails if mail.truth == first][:most]
    others = [mail for mail in mails if mail.truth != first][:most]
    opening = set(map(id, own + others))
    return own + others + [mail for mail in mails if id(mail) not in opening]


def one_class_rare(mails: list[Labelled], rare: str, one_in: int, seed: int) -> list[Labelled]:
    """The mails without some of class `rare`, drawn at random, so that 1 mail in `one_in` is of this class."""
    others = sum(mail.truth != rare for mail in mails)
    of_class = [mail for mail in mails if mail.truth == rare]
    kept = set(map(id, Random(seed).sample(of_class, min(others // (one_in - 1), len(of_class)))))
    return [mail for mail in mails if mail.truth != rare or id(mail) in kept]


def one_class_late(mails: list[Labelled], late: str) -> list[Labelled]:
    """The mails without those of class `late` that come before the first 1,000 of the other class."""
    others, kept = 0, []
    for mail in mails:
        others += mail.truth != late
        if mail.truth != late or others > LATE:
            kept.append(mail)
    return kept


def with_wrong_labels(mails: list[Labelled], share: float, seed: int, only: str | None = None) -> list[str]:
    """The labels, with a share of them (those of class `only`, if given) wrong."""
    draw = Random(seed)
    wrong = [draw.random() < share and only in (None, mail.truth) for mail in mails]
    return [_other(mail.truth) if is_wrong else mail.truth for mail, is_wrong in zip(mails, wrong, strict=True)]


def common_kinds(mails: list[Labelled]) -> list[tuple[str, list[int]]]:
    """The kinds of 3 to 25 % of the ham and of almost no spam, with the indexes of their ham; at most three."""
    ham = Counter(kind for mail in mails if mail.truth == HAM for kind in mail.kinds)
    spam = Counter(kind for mail in mails if mail.truth == SPAM for kind in mail.kinds)
    total = sum(mail.truth == HAM for mail in mails)
    found: list[tuple[str, list[int]]] = []
    for kind, count in sorted(ham.items(), key=lambda item: (-item[1], item[0])):
        if not (0.03 * total <= count <= 0.25 * total and spam[kind] <= 0.03 * count):
            continue
        places = [i for i, mail in enumerate(mails) if mail.truth == HAM and kind in mail.kinds]
        if all(len(set(places) & set(others)) < 0.3 * len(places) for _, others in found):
            found.append((kind, places))
        if len(found) == _KINDS:
            break
    return found


def orders(mails: list[Labelled], seeds: range) -> Iterator[Condition]:
    """Correct labels in misleading orders."""
    yield _correctly_labelled("as they come", mails)
    for label in (HAM, SPAM):
        yield _correctly_labelled(f"{FIRST} {label} first", one_class_first(mails, label, FIRST))
        yield _correctly_labelled(f"all {label} first", one_class_first(mails, label, len(mails)))
        yield _correctly_labelled(f"{label} after {LATE}", one_class_late(mails, label))
        for one_in in (31, 101):
            for seed in seeds:
                yield _correctly_labelled(f"{label} 1 in {one_in}", one_class_rare(mails, label, one_in, seed))


def wrong_labels(mails: list[Labelled], seeds: range) -> Iterator[Condition]:
    """Wrong labels at random, from all sources or for one class only, in a misleading order, or from one source."""
    for seed in seeds:
        for share in (0.05, 0.1, 0.2):
            yield Condition(f"{100 * share:.0f} % flips", mails, with_wrong_labels(mails, share, seed))
        for label in (HAM, SPAM):
            yield Condition(f"{label} mislabelled, 20 %", mails, with_wrong_labels(mails, 0.2, seed, label))
            first = one_class_first(mails, label, FIRST)
            yield Condition(f"5 % flips, {FIRST} {label} first", first, with_wrong_labels(first, 0.05, seed))
            rare = one_class_rare(mails, label, 31, seed)
            yield Condition(f"5 % flips, {label} 1 in 31", rare, with_wrong_labels(rare, 0.05, seed))
        for share in (0.1, 0.2, 0.33):
            draw = Random(seed)
            lies = [draw.random() < share for _ in mails]
            given = [_other(m.truth) if lie else m.truth for m, lie in zip(mails, lies, strict=True)]
            sources = [LIAR if lie else "honest" for lie in lies]
            yield Condition(f"liar, {100 * share:.0f} %", mails, given, sources)


def kinds_of_mail(mails: list[Labelled], seeds: range) -> Iterator[Condition]:
    """One kind of ham becomes spam half-way (its first 50 mails are watched), also with 2 % of labels wrong; or half of
    it is mislabelled at random (all of it is watched)."""
    truth = [mail.truth for mail in mails]
    for _, places in common_kinds(mails):
        later = places[len(places) // 2 :]
        changed = list(truth)
        for place in later:
            changed[place] = SPAM
        yield Condition("changed mind", mails, changed, truth=changed, watched=later[:50])
        for seed in seeds:
            draw = Random(seed)
            noisy = [_other(label) if draw.random() < 0.02 else label for label in changed]
            yield Condition("changed mind, 2 % flips", mails, noisy, truth=changed, watched=later[:50])
            given = list(truth)
            for place in Random(seed).sample(places, len(places) // 2):
                given[place] = SPAM
            yield Condition("one kind mislabelled", mails, given, watched=places)
