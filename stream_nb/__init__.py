"""A streaming naive Bayes mail classifier: raw counts as state, smoothing when reading."""

from stream_nb.errors import SnapshotError
from stream_nb.mail_nb import MailNB
from stream_nb.types import Evidence, Label, Lesson, Mail, Part, Score, Term

__all__ = ["Evidence", "Label", "Lesson", "Mail", "MailNB", "Part", "Score", "SnapshotError", "Term"]
