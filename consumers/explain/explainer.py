"""Explains why a mail has its score, what the model knows about words, and how accurate other smoothing would be."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator

from stream_nb.kernels.layout import UNIT
from stream_nb.types import Score, Update

from ..errors import BadRecord, Restart
from ..log.base import Log, TopicPartition
from ..model.ledger import Entry, LearnedLabel
from ..model.policy import PolicyFollower
from ..model.replica import Replica
from ..model.words import as_known, class_weights, occurrences, weight_course, word_class, word_probabilities, word_term
from ..records.messages import MailPlace, Message, read_message
from ..records.sanitize import show_safely
from ..records.schemas import EMAILS
from ..records.skipped import SkippedRecords
from ..records.values import bounded
from ..settings import Settings
from .deciding import explained_class, flip_terms
from .explanation import (
    TERM_CHARS,
    Explanation,
    MailScore,
    SmoothingCurve,
    WordAnswer,
    WordInfo,
    WordLists,
    learned_update,
    preview,
    term_weight,
    votes,
)
from .feature_summary import FeatureSummary, summarize_features
from .last_learned import last_learned, left_of
from .lessons import WordLessons, word_lessons
from .what_if import WhatIf
from .word_lists import LISTED_MAILS, word_lists

SHOWN_TERMS = 30
SUBJECT_CHARS = 300
SENDER_CHARS = 200
ID_CHARS = 200
WORD_CHARS = 100
SMOOTHING_GRID = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
SMOOTHING_MAILS = 200
FEATURE_MAILS = 1_000
COURSE_MAILS = 1_000
CACHE_S = 10.0
"""Seconds for which word lists and the feature summary are kept, because they cost much to make."""


class Explainer:
    """Answers questions from a replica of the model, and never changes it; experiments work on a copy."""

    def __init__(self, log: Log, settings: Settings) -> None:
        self._log = log
        self._settings = settings
        self._replica: Replica | None = None
        self._skipped = SkippedRecords()
        self._policies = PolicyFollower(log, settings.learner, self._skipped)
        self._words: WordLists | None = None
        self._words_due = float("-inf")
        self._features: FeatureSummary | None = None
        self._features_due = float("-inf")

    def replica(self) -> Replica:
        """The replica, brought up to date. It raises like `Replica.load`, and so do all other methods."""
        self._policies.follow()
        try:
            if self._replica is not None:
                self._replica.follow()
                return self._replica
        except Restart:
            # A worker may have deleted the missing delta after a snapshot: load that instead. Two models at once might
            # not fit into memory.
            self._replica = None
        self._replica = Replica.load(self._log, self._settings, self._skipped)
        return self._replica

    def why(self, place: MailPlace) -> Explanation:
        """Explain the current score of the mail at `place`, term by term.

        Raises BadRecord if the mail is no longer on the log or cannot be read, or while there is no model.
        """
        replica = self.replica()
        model = replica.require_model()
        message = self._message(place)
        score, policy = model.score(message.mail), self._policies.policy
        threshold = policy.threshold_for(model)
        about = explained_class(score, policy.decide(score, threshold), model.positive)
        evidence = model.evidence(message.mail, label=about)
        shown, others = evidence.terms[:SHOWN_TERMS], evidence.terms[SHOWN_TERMS:]
        entry = replica.ledger(place.partition).entries.get(message.id)
        learned = left_of(entry, replica) if entry is not None else None
        what_if, source = WhatIf(model), self._settings.dashboard.source
        return {
            "subject": show_safely(message.subject, SUBJECT_CHARS),
            "sender": show_safely(message.sender, SENDER_CHARS),
            "id": show_safely(message.id, ID_CHARS),
            "preview": preview(message.mail),
            "log_odds": bounded(evidence.log_odds),
            "probability": score.probability,
            "classes": list(model.classes),
            "positive": model.positive,
            "about": about,
            "rival": evidence.rival,
            "bias": bounded(evidence.bias),
            "starter": bounded(evidence.starter),
            "terms": [term_weight(term) for term in shown],
            "rest": {"terms": len(others), "weight": bounded(math.fsum(term.weight for term in others))},
            "flip": [show_safely(text, TERM_CHARS) for text in flip_terms(evidence, model.positive, threshold)],
            "if_labelled": {
                label: bounded(what_if.log_odds_with_label(message.mail, learned, label, source, about))
                for label in model.classes
            },
            "update": learned_update(entry),
            "votes": votes(entry),
            "labels_learned": model.labels_learned,
        }

    def score(self, place: MailPlace) -> MailScore:
        """The current score of the mail at `place`; raises like `why`."""
        model = self.replica().require_model()
        return {"log_odds": bounded(model.score(self._message(place).mail).log_odds)}

    def rescored(self, places: Iterable[MailPlace]) -> dict[MailPlace, Score]:
        """The current scores of the mails at these `places`.

        Mails that are no longer on the log or cannot be read are left out. Raises BadRecord while there is no model.
        """
        model = self.replica().require_model()
        scores: dict[MailPlace, Score] = {}
        for place in places:
            try:
                scores[place] = model.score(self._message(place).mail)
            except BadRecord:
                continue
        return scores

    def words(self) -> WordLists:
        """The strongest and the rising words, cached for `CACHE_S` seconds.

        Raises BadRecord while there is no model.
        """
        if self._words is None or time.monotonic() >= self._words_due:
            replica = self.replica()
            self._words = word_lists(replica.require_model(), last_learned(replica, self._message, LISTED_MAILS))
            self._words_due = time.monotonic() + CACHE_S
        return self._words

    def word(self, text: str) -> WordAnswer:
        """What the model knows about a word. Raises BadRecord while there is no model.

        Args:
            text: As in `words`, or as typed: ``free`` in bodies and in subjects, ``subject:free`` in subjects only.
        """
        replica = self.replica()
        model = replica.require_model()
        text = as_known(model, text)
        learned = last_learned(replica, self._message, COURSE_MAILS)
        updates = [(each.timestamp, each.mail, each.update) for each in learned]
        found: list[WordInfo] = []
        for name in (text,) if ":" in text or " " in text else (text, f"subject:{text}"):
            term = word_term(model, name)
            if term is None:
                continue
            course = weight_course(model, name, updates)
            found.append(
                {
                    **term_weight(term),
                    "about": word_class(model, name),
                    "occurrences": occurrences(model, term),
                    "probabilities": word_probabilities(model, term),
                    "weights": class_weights(model, term),
                    "course": [{"timestamp": timestamp, "weight": weight} for timestamp, weight in course],
                }
            )
        return {"word": show_safely(text, WORD_CHARS), "found": found, "classes": list(model.classes)}

    def lessons(self, text: str) -> WordLessons:
        """The labelled mails that taught the model a word, and who labelled them.

        Args:
            text: The word as in `words`: ``free`` in a body, ``subject:free`` in a subject.

        Raises:
            BadRecord: There is no model, or it is not the mail model.
        """
        return word_lessons(self.replica(), self._message, text)

    def learned(self, mails: Iterable[tuple[int, str]]) -> dict[str, LearnedLabel]:
        """The labels learned from mails, by id, each with the time at which it was appended.

        Args:
            mails: The partition on `emails` and the id of each mail; mails without a learned label are left out.
        """
        return {entry.id: entry.learned_at(entry.timestamp) for entry, _ in self._updates(mails)}

    def taught(self, mails: Iterable[tuple[int, str]]) -> dict[str, float]:
        """How much the model has learned from the labels of these `mails` (see `learned`), by id, in mails, 0 to 1."""
        return {entry.id: update.weight / UNIT for entry, update in self._updates(mails)}

    def smoothing(self) -> SmoothingCurve:
        """Accuracy by smoothing on the mails that people labelled last, each scored without its own update; the grid is
        empty for a model without smoothing.

        Raises BadRecord while there is no model.
        """
        replica = self.replica()
        model = replica.require_model()
        mails = [each[:3] for each in last_learned(replica, self._message, SMOOTHING_MAILS, silence=False)]
        grid = SMOOTHING_GRID if model.smoothing is not None else ()
        hits = WhatIf(model).hits_by_smoothing(mails, grid, self._policies.policy)
        return {
            "mails": len(mails),
            "in_use": model.smoothing,
            "grid": [
                {"smoothing": value, "accuracy": count / len(mails) if mails else None} for value, count in hits.items()
            ],
        }

    def features(self) -> FeatureSummary:
        """What the model knows about numbers and categories, cached for `CACHE_S` seconds.

        Raises BadRecord while there is no model.
        """
        if self._features is None or time.monotonic() >= self._features_due:
            replica = self.replica()
            labelled = [(each.mail, each.label) for each in last_learned(replica, self._message, FEATURE_MAILS)]
            self._features = summarize_features(replica.require_model(), labelled)
            self._features_due = time.monotonic() + CACHE_S
        return self._features

    def _updates(self, mails: Iterable[tuple[int, str]]) -> Iterator[tuple[Entry, Update]]:
        replica = self.replica()
        for partition, message_id in mails:
            entry = replica.ledger(partition).entries.get(message_id)
            if entry is not None and entry.update is not None:
                yield entry, entry.update

    def _message(self, place: MailPlace) -> Message:
        record = self._log.read_at(TopicPartition(EMAILS, place.partition), place.offset)
        if record is None:
            raise BadRecord("mail-gone", f"{place} is not on the log (any more)")
        return read_message(record, self._settings.learner.headers)
