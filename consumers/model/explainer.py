"""Why a mail scored so, what the model knows of words, and what other smoothing would have done.

All of it is read from a copy of the model that follows the log. Questions that need a
model without one lesson take the lesson back, ask, and give it again: the statistics are sums, so nothing changes.
"""

from __future__ import annotations

import time

from stream_nb import MailNB
from stream_nb.mail_nb.trending import rising
from stream_nb.mail_nb.vocabulary import strongest, weight_course, word_probabilities
from stream_nb.types import Mail, Part, Term

from ..errors import BadRecord, Restart
from ..log.base import Log, TopicPartition
from ..records.foreign import Foreign
from ..records.messages import Message, read_message
from ..records.sanitize import show_safely
from ..records.schemas import EMAILS
from ..settings import Settings
from .factory import new_policy
from .ledger import Entry
from .replica import Replica

SHOWN_TERMS = 30
PREVIEW_CHARS = 700
STRONGEST = 25
GRID = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
GRID_MAILS = 200
SAMPLE_MAILS = 200
COURSE_MAILS = 1_000
WORDS_S = 10.0


class Explainer:
    """Answers as plain values, fit for JSON and safe to show."""

    def __init__(self, log: Log, settings: Settings) -> None:
        self._log = log
        self._settings = settings
        self._policy = new_policy(settings.learner)
        self._replica: Replica | None = None
        self._foreign = Foreign()
        self._words: dict = {}
        self._words_due = float("-inf")

    def why(self, place: tuple[int, int]) -> dict:
        """What the mail at a place (partition, offset of `emails`) scores now, term by term.

        `terms` are the strongest, `rest` sums up the others, so that together they are `log_odds`. `flip` are the terms
        without which the mail would be called otherwise; `if_labelled` is the score after one such label. Raises
        BadRecord when the mail is gone.
        """
        model = self._model()
        message = self._message(place)
        evidence = model.evidence(message.mail)
        distance = evidence.log_odds - self._policy.cut(model)
        shown, others = evidence.terms[:SHOWN_TERMS], evidence.terms[SHOWN_TERMS:]
        entry = self._entry(place[0], message.id)
        return {
            "subject": show_safely(message.subject, 300),
            "sender": show_safely(message.sender, 200),
            "id": show_safely(message.id, 200),
            "preview": show_safely(_text(message.mail), PREVIEW_CHARS),
            "log_odds": evidence.log_odds,
            "probability": model.score(message.mail).probability,
            "classes": list(model.classes),
            "positive": model.positive,
            "bias": evidence.bias,
            "terms": [_plain(term) for term in shown],
            "rest": {"terms": len(others), "weight": sum(term.weight for term in others)},
            "flip": [show_safely(text, 60) for text in _flip(evidence.terms, distance)],
            "if_labelled": {label: self._after(model, message.mail, entry, label) for label in model.classes},
            "update": _lesson(entry),
            "votes": [_opinion(opinion) for opinion in entry.opinions] if entry else [],
            "labels_learned": model.labels_learned,
        }

    def score(self, place: tuple[int, int]) -> dict:
        """The log-odds of a mail under the model of now."""
        return {"log_odds": self._model().score(self._message(place).mail).log_odds}

    def words(self) -> dict:
        """The strongest words of each class (in `text` and other `headers`), and those that appear more among the
        latest labelled mails; put together at most once in `WORDS_S`, however many ask."""
        if time.monotonic() >= self._words_due:
            self._words = self._ask_words()
            self._words_due = time.monotonic() + WORDS_S
        return self._words

    def _ask_words(self) -> dict:
        model = self._model()
        classes = model.classes
        lists = {
            kind: {label: [_plain(term) for term in strongest(model, label, STRONGEST, keep)] for label in classes}
            for kind, keep in (("text", _is_text), ("headers", lambda text: not _is_text(text)))
        }
        labelled = self._labelled(2 * SAMPLE_MAILS)
        half = len(labelled) // 2
        old, new = [mail for mail, _ in labelled[:half]], [(mail, entry.label) for mail, entry in labelled[half:]]
        rises = [{**rise._asdict(), "text": show_safely(rise.text, 60)} for rise in rising(model, old, new)]
        since = labelled[half][1].opinion.at if labelled else None
        return {**lists, "rising": {"words": rises, "mails": len(new), "since": since}}

    def word(self, text: str) -> dict:
        """Counts and probabilities of a word in a body, and as it stands in subjects; `subject:free` asks for a part.

        `course` is its weight for the positive class after each of the latest lessons that had it.
        """
        model = self._model()
        lessons = [(entry.opinion.at, mail, entry.lesson) for mail, entry in self._labelled(COURSE_MAILS)]
        found = []
        for name in (text,) if ":" in text else (text, f"subject:{text}"):
            alone = _alone(name)
            terms = model.evidence(alone).terms
            if terms:
                course = weight_course(model, alone, model.positive, lessons) if model.positive in model.classes else []
                probabilities = word_probabilities(model, terms[0])
                points = [{"timestamp": timestamp, "weight": weight} for timestamp, weight in course]
                found.append({**_plain(terms[0]), "probabilities": probabilities, "course": points})
        return {"word": show_safely(text, 100), "found": found, "classes": list(model.classes)}

    def smoothing(self) -> dict:
        """Accuracy on the last labelled mails for a grid of lambdas, each mail scored without its own lesson."""
        model = self._model()
        mails = [(mail, entry) for mail, entry in self._labelled(GRID_MAILS)]
        in_use, right = model.smoothing, dict.fromkeys(GRID, 0)
        try:
            for mail, entry in mails:
                for value in GRID:
                    model.revert_update(mail, entry.lesson)
                    model.smoothing = value
                    right[value] += self._called(model, mail) == entry.label
                    model.apply_update(mail, entry.lesson)
        finally:
            model.smoothing = in_use
        n = len(mails)
        grid = [{"smoothing": value, "accuracy": right[value] / n if n else None} for value in GRID]
        return {"mails": n, "in_use": in_use, "grid": grid}

    def _model(self) -> MailNB:
        """The model as of now; raises BadRecord while there is none."""
        try:
            if self._replica is None:
                self._replica = Replica.load(self._log, self._settings, self._foreign)
            else:
                self._replica.follow()
        except Restart:
            self._replica = Replica.load(self._log, self._settings, self._foreign)
        if self._replica.model is None:
            raise BadRecord("no-model", "no worker has started yet, so there is no model to ask")
        return self._replica.model

    def _message(self, place: tuple[int, int]) -> Message:
        record = self._log.read_at(TopicPartition(EMAILS, place[0]), place[1])
        if record is None:
            raise BadRecord("mail-gone", f"{EMAILS}[{place[0]}]@{place[1]} is no longer kept")
        return read_message(record, self._settings.learner.headers)

    def _entry(self, partition: int, message_id: str) -> Entry | None:
        return self._replica.ledger(partition).entries.get(message_id)

    def _labelled(self, limit: int) -> list[tuple[Mail, Entry]]:
        """The mails labelled last, oldest first, with their ledger entries."""
        found = []
        for partition, ledger in self._replica.ledgers.items():
            entries = [entry for entry in ledger.entries.values() if entry.lesson and entry.label is not None]
            found += [(partition, entry) for entry in entries[-limit:]]
        found.sort(key=lambda item: item[1].opinion.at)
        mails = []
        for partition, entry in found[-limit:]:
            try:
                mails.append((self._message((partition, entry.next_offset - 1)).mail, entry))
            except BadRecord:
                continue
        return mails

    def _called(self, model: MailNB, mail: Mail) -> str | None:
        return self._policy.decide(model.score(mail), self._policy.cut(model))

    def _after(self, model: MailNB, mail: Mail, entry: Entry | None, label: str) -> float:
        """The mail's log-odds once the page had called it `label`."""
        held = entry.lesson if entry is not None else None
        if held is not None and held.label == label:
            return model.score(mail).log_odds
        if held is not None:
            model.revert_update(mail, held)
        lesson = model.grade(mail, label, source=self._settings.dashboard.source)
        model.apply_update(mail, lesson)
        after = model.score(mail).log_odds
        model.revert_update(mail, lesson)
        if held is not None:
            model.apply_update(mail, held)
        return after


def _flip(terms: tuple[Term, ...], distance: float) -> list[str]:
    """The fewest terms whose weights bring the score to the other side of the threshold; [] when none do."""
    side = 1.0 if distance > 0 else -1.0
    speaking = sorted((term for term in terms if side * term.weight > 0), key=lambda term: -side * term.weight)
    taken: list[str] = []
    for term in speaking:
        if side * distance <= 0:
            break
        distance -= term.weight
        taken.append(term.text)
    return taken if side * distance <= 0 else []


def _alone(feature: str) -> Mail | list[str]:
    """A message of one word: `free` in a body, `subject:free` in a subject."""
    part, colon, word = feature.partition(":")
    return Mail((Part(part, word.encode()),)) if colon else [feature]


def _is_text(feature: str) -> bool:
    """Words of the body and the subject, as against those of other headers."""
    name, colon, _ = feature.partition(":")
    return not colon or name in ("subject", "hidden")


def _plain(term: Term) -> dict:
    return {"text": show_safely(term.text, 60), "kind": term.kind, "weight": term.weight, "counts": term.counts}


def _lesson(entry: Entry | None) -> dict | None:
    if entry is None or entry.lesson is None:
        return None
    lesson = entry.lesson
    return {"label": lesson.label, "weight": lesson.weight / 256, "source": show_safely(lesson.source, 60)}


def _opinion(opinion) -> dict:
    return {"source": show_safely(opinion.source, 60), "label": opinion.label, "timestamp": opinion.at}


def _text(mail: Mail) -> str:
    """The words of a mail, its plain body first."""
    parts = sorted(mail.parts, key=lambda part: part.name != "")
    return b" ".join(part.text[:PREVIEW_CHARS] for part in parts[:3] if part.name in ("", "html"))[
        : 2 * PREVIEW_CHARS
    ].decode("utf-8", "replace")
