"""Test-then-train without a log: score a mail, count it, then learn its label, maybe some mails later."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterable

from stream_nb.mail_nb.decision import Policy

from ..errors import BadRecord, UserError
from ..ingest.feeder import Item
from ..records.messages import read_value
from .report import Report, RunningReport


def evaluate(
    items: Iterable[Item],
    model,
    policy: Policy,
    headers: str,
    delay: int = 0,
    flip: float = 0.0,
    seed: int = 0,
    progress: Callable[[int], None] = lambda mails: None,
) -> tuple[Report, int]:
    """Run `model` over labelled mails; returns the figures and how many mails could not be read or had no label.

    Figures count what `policy` makes of each score by the model as it then is. Each label is learned after `delay`
    more mails. A share `flip` of them is changed to another class seen so far, drawn with `seed`; figures always count
    the true label. Speed counts reading, parsing, scoring and learning.
    Raises UserError when no mail has a label.
    """
    figures = RunningReport(policy.positive)
    draw = random.Random(seed)
    due: deque = deque()
    seen: list[str] = []
    skipped = done = 0
    started = time.perf_counter()
    for item in items:
        try:
            mail = read_value(item.value, item.id, headers).mail
        except BadRecord:
            skipped += 1
            continue
        if item.label is None:
            skipped += 1
            continue
        score = model.score(mail)
        figures.update(item.label, policy.decide(score, policy.cut(model)), score.log_odds)
        if item.label not in seen:
            seen.append(item.label)
        due.append((mail, _told(item.label, seen, flip, draw)))
        if len(due) > delay:
            model.learn_one(*due.popleft())
        done += 1
        progress(done)
    if not done:
        raise UserError("no mail with a label: give a folder with a sub-folder a class, an index, or labelled JSON")
    return figures.report(mails_per_s=done / (time.perf_counter() - started)), skipped


def _told(label: str, seen: list[str], flip: float, draw: random.Random) -> str:
    if flip and draw.random() < flip:
        others = [other for other in seen if other != label]
        return draw.choice(others) if others else label
    return label
