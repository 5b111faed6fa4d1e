"""A streaming naive Bayes mail classifier: raw counts as state, smoothing when reading."""

from stream_nb.bernoulli import BernoulliNB
from stream_nb.errors import MailError, SnapshotError
from stream_nb.mail_nb import MailNB
from stream_nb.multinomial import MultinomialNB
from stream_nb.types import Evidence, Label, Lesson, Mail, Part, Score, Term

__all__ = [
    "BernoulliNB",
    "Evidence",
    "Label",
    "Lesson",
    "Mail",
    "MailError",
    "MailNB",
    "MultinomialNB",
    "Part",
    "Score",
    "SnapshotError",
    "Term",
]
