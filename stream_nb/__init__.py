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
    update = model.grade(mail, "spam", source="me")  # what the label would add
    model.apply_update(mail, update)
    model.revert_update(mail, update)  # taken back, bit for bit
    model.merge(MailNB.from_bytes(model.to_bytes()))

Reading order: types.py, base.py, posterior.py, mail_nb/model.py (what a mail's score is and how a label is learned)
with mail_nb/scorer.py, mail_nb/engine.py and mail_nb/statistics.py, features/extractor.py with features/hash_key.py
and kernels/tokenize.py (bytes to features), features/count_table.py with kernels/table.py (features to counters),
kernels/mail_nb_score.py (counters to scores), kernels/mail_nb_update.py (scores to updates), snapshot.py; then text/
for the textbook models of words, tabular/ for those of named features, and mixed.py for both together; active.py for
the mails whose labels are worth asking for.
"""

from stream_nb.errors import MailError, SnapshotError
from stream_nb.mail_nb import MailNB
from stream_nb.mixed import MixedNB
from stream_nb.tabular import BinnedNB, CategoricalNB, GaussianNB
from stream_nb.text import BernoulliNB, MultinomialNB
from stream_nb.types import Evidence, Label, Mail, Part, Score, Term, Update

__all__ = [
    "BernoulliNB",
    "BinnedNB",
    "CategoricalNB",
    "Evidence",
    "GaussianNB",
    "Label",
    "Mail",
    "MailError",
    "MailNB",
    "MixedNB",
    "MultinomialNB",
    "Part",
    "Score",
    "SnapshotError",
    "Term",
    "Update",
    "__version__",
]

__version__ = "0.1.0"
