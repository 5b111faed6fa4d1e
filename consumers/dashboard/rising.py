"""Words that have become common: the latest labelled mails against the ones before."""

from __future__ import annotations

import math
from collections import Counter

from consumers.ledger import Entry
from consumers.monitor.display import show_safely
from stream_nb import MailNB
from stream_nb.types import Mail

MOST = 25
LEAST_MAILS = 4
LEAST_Z = 2.5


def rising(model: MailNB, labelled: list[tuple[Mail, Entry]]) -> dict:
    """Words whose share of mails rose most between the older and the newer half of `labelled` (oldest first).

    `z` is the difference of the two shares in standard errors (two-proportion test); words in fewer than
    `LEAST_MAILS` new mails or below `LEAST_Z` are left out. `label` is the class of most of the new mails with the word.
    """
    half = len(labelled) // 2
    old, new = labelled[:half], labelled[half:]
    if not old:
        return {"words": [], "mails": len(labelled), "since": None}
    before = Counter(word for mail, _ in old for word in _words(model, mail))
    classes: dict[str, Counter[str]] = {}
    for mail, entry in new:
        for word in _words(model, mail):
            classes.setdefault(word, Counter())[entry.label] += 1
    found = []
    for word, counts in classes.items():
        now = counts.total()
        z = _z(now, len(new), before[word], len(old))
        if now >= LEAST_MAILS and z >= LEAST_Z:
            shares = {"now": now / len(new), "before": before[word] / len(old)}
            found.append({"text": show_safely(word, 60), "z": z, "label": counts.most_common(1)[0][0], **shares})
    found.sort(key=lambda word: -word["z"])
    return {"words": found[:MOST], "mails": len(new), "since": new[0][1].opinion.at}


def _words(model: MailNB, mail: Mail) -> set[str]:
    return {term.text for term in model.evidence(mail).terms if term.kind == "word"}


def _z(now: int, n_now: int, before: int, n_before: int) -> float:
    share = (now + before) / (n_now + n_before)
    error = math.sqrt(share * (1.0 - share) * (1.0 / n_now + 1.0 / n_before))
    return (now / n_now - before / n_before) / error if error else 0.0
