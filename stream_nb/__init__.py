"""A streaming naive Bayes mail classifier: raw counts as state, smoothing when reading.

    from stream_nb import Mail, MailNB, Part

    model = MailNB(key=b"16 or more secret bytes")
    for text, label in (("win free money now", "spam"), ("see you at lunch", "ham"), ("money for you", "spam")):
        model.score(text)  # before the label is known: this is what counts
        model.learn_one(text, label)
    mail = Mail((Part("subject", b"free lunch"), Part("", b"win money")))
    score = model.score(mail)
    print(score.label, score.log_odds, score.probability)
    for term in model.evidence(mail).terms:
        print(term.text, term.weight, term.counts)
    lesson = model.grade(mail, "spam", source="me")  # what the label would add
    model.apply(mail, lesson)
    model.retract(mail, lesson)  # taken back, bit for bit
    model.merge(MailNB.from_bytes(model.to_bytes()))

Reading order: types.py, base.py, mail_nb.py (what a mail's score is and how a label teaches) with mail_machine.py
and mail_counts.py, reader.py with keys.py and kernels/scan.py (bytes to features), table.py with kernels/table.py
(features to counters), kernels/recipe.py (counters to scores), snapshot.py; then word_counts.py, linear.py, text_nb.py,
multinomial.py and bernoulli.py for the textbook models of words, tally.py, feature_nb.py, categorical.py, gaussian.py,
number_counts.py with binned.py, and mixed.py for those of named features.
"""

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
