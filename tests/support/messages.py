"""Messages with words, counts, numbers and categories, and their labels: as records of a log, and as input of the
library's models."""

from __future__ import annotations

import math
import random
from typing import Any

from consumers.log.base import ProducerRecord
from consumers.records.schemas import EMAILS, encode
from consumers.settings import LearnerSettings
from stream_nb import BernoulliNB, CategoricalNB, GaussianNB, MailNB, MixedNB, MultinomialNB
from stream_nb.types import Mail, Part
from tests.support.worker_run import label

WORDS = {"ham": "lunch noon minutes meeting canteen see you", "spam": "win money free pills click here now"}
SMOOTHING = 0.5


def draw_messages(n: int, seed: int) -> list[tuple[dict[str, Any], str]]:
    """JSON messages and labels of three classes; each text, count, number and category is sometimes missing."""
    draw = random.Random(seed)
    rows: list[tuple[dict[str, Any], str]] = []
    for i in range(n):
        label = draw.choices(["ham", "spam", "work"], [5, 4, 1])[0]
        words = WORDS.get(label, "plan budget meeting you").split()
        centre = {"ham": 3.0, "spam": 9.0, "work": 5.0}[label]
        features = {
            "size": draw.gauss(centre, 2.0),
            "links": draw.choice([0, 1, 2, int(centre)]),
            "format": draw.choice(["html", "plain", "html" if label == "spam" else "plain"]),
            "signed": draw.random() < 0.5,
            "odd": draw.choice([1.5, "text", True, None]),
        }
        kept = {name: value for name, value in features.items() if draw.random() < 0.9}
        text = " ".join(draw.choices(words, k=draw.randrange(6)))
        counts = {word: draw.randrange(1, 4) for word in draw.sample(words, draw.randrange(3))}
        rows.append(({"id": f"m{i}", "text": text, "words": counts, "features": kept}, label))
    return rows


def mail_of(message: dict[str, Any]) -> Mail:
    """The message as a mail."""
    features = tuple(sorted((name, value) for name, value in message["features"].items() if value is not None))
    return Mail((Part("", message["text"].encode()),), tuple(sorted(message["words"].items())), features)


def read_by(name: str, message: dict[str, Any]) -> Any:
    """The input of a library model for a message, computed independently of the consumers."""
    mail = mail_of(message)
    features = {name: value for name, value in message["features"].items() if value is not None}
    numbers = {n: v for n, v in features.items() if isinstance(v, int | float) and not isinstance(v, bool)}
    if name == "gaussian":
        return numbers
    if name == "categorical":
        return {n: v for n, v in features.items() if n not in numbers}
    return {"": mail, **features} if name == "mixed" else mail


def library_model(name: str, key: bytes) -> Any:
    """An empty library model for a value of `[learner] model`, with smoothing `SMOOTHING`."""
    made = {
        "mail": lambda: MailNB(key, smoothing=SMOOTHING, band=math.inf, trust=False),
        "multinomial": lambda: MultinomialNB(key, SMOOTHING),
        "boolean": lambda: MultinomialNB(key, SMOOTHING, presence=True),
        "bernoulli": lambda: BernoulliNB(key, SMOOTHING),
        "categorical": lambda: CategoricalNB(SMOOTHING),
        "gaussian": GaussianNB,
        "mixed": lambda: MixedNB(MultinomialNB(key, SMOOTHING, "uniform"), CategoricalNB(SMOOTHING), text=""),
    }
    return made[name]()


def learner(name: str) -> LearnerSettings:
    """The settings of that model."""
    return LearnerSettings(model=name, smoothing=SMOOTHING, learn="everything", trust=False)


def message(row: dict[str, Any]) -> ProducerRecord:
    """The message as a record."""
    return ProducerRecord(EMAILS, row["id"].encode(), encode(row))


Step = tuple[str, dict[str, Any], str | None, str]


def history(rows: list[tuple[dict[str, Any], str]], seed: int) -> tuple[list[ProducerRecord], list[Step]]:
    """The records of a stream with labels that are late, changed, withdrawn and forgotten; and the same stream as steps
    of a library model, in order: "score", "learn" or "unlearn", with the message, the label and its source."""
    draw = random.Random(seed)
    records: list[ProducerRecord] = []
    steps: list[Step] = []
    votes: dict[str, dict[str, str | None]] = {}
    learned: dict[str, tuple[str | None, str]] = {}

    def vote(row: dict[str, Any], class_name: str | None, source: str = "ann", forget: bool = False) -> None:
        name = row["id"]
        records.append(label(name, class_name, source, forget))
        votes_of_mail = votes.setdefault(name, {})
        votes_of_mail.pop(source, None)
        if not forget:
            votes_of_mail[source] = class_name
        current = (list(votes_of_mail.values())[-1], list(votes_of_mail)[-1]) if votes_of_mail else (None, "")
        learned_label = learned.get(name, (None, ""))
        if current == learned_label or (current[0] is None and learned_label[0] is None):
            return
        if learned_label[0] is not None:
            steps.append(("unlearn", row, *learned_label))
        if current[0] is not None:
            steps.append(("learn", row, *current))
        learned[name] = current

    seen: list[dict[str, Any]] = []
    for row, class_name in rows:
        records.append(message(row))
        steps.append(("score", row, None, ""))
        seen.append(row)
        if draw.random() < 0.8:
            vote(row, class_name)
        if draw.random() < 0.3:
            source, other = draw.choice(["ann", "bob"]), draw.choice(seen)
            vote(other, draw.choice(["ham", "spam", "work", None]), source, draw.random() < 0.3)
    return records, steps
