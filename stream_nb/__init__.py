"""A streaming naive Bayes mail classifier: raw counts as state, smoothing when reading."""

from stream_nb.bernoulli import BernoulliNB
from stream_nb.binned import BinnedNB
from stream_nb.categorical import CategoricalNB
from stream_nb.errors import MailError, SnapshotError
from stream_nb.gaussian import GaussianNB
from stream_nb.mail_nb import MailNB
from stream_nb.mixed import MixedNB
from stream_nb.multinomial import MultinomialNB
from stream_nb.types import Evidence, Label, Lesson, Mail, Part, Score, Term

__all__ = [
    "BernoulliNB",
    "BinnedNB",
    "CategoricalNB",
    "Evidence",
    "GaussianNB",
    "Label",
    "Lesson",
    "Mail",
    "MailError",
    "MailNB",
    "MixedNB",
    "MultinomialNB",
    "Part",
    "Score",
    "SnapshotError",
    "Term",
]
