"""A streaming naive Bayes mail classifier. The state is raw counts; smoothing is applied when they are read.

    from stream_nb import Mail, MailNB, Part

    model = MailNB(key=b"16 or more secret bytes")
    for text, label in (("win free money now", "spam"), ("see you at lunch", "ham"), ("money for you", "spam")):
        model.score(text)  # test, then train: the score that counts is the one before the label is known
        model.learn_one(text, label)
    mail = Mail((Part("subject", b"free lunch"), Part("", b"win money")))
    score = model.score(mail)
    print(score.label, score.log_odds, score.probability)
    for term in model.evidence(mail).terms:
        print(term.text, term.weight, term.counts)
    update = model.grade(mail, "spam", source="me")  # what learning the label would add
    model.apply_update(mail, update)
    model.revert_update(mail, update)  # restores the state bit for bit
    model.merge(MailNB.from_bytes(model.to_bytes()))

Reading order:

1. types.py, base.py, joint.py, posterior.py
2. mail_nb/model.py (how a mail is scored and a label is learned), mail_nb/scorer.py, mail_nb/engine.py,
   mail_nb/statistics.py
3. features/extractor.py, features/hash_key.py, kernels/features/tokenize.py (bytes to features)
4. features/count_table.py, kernels/features/table.py (features to counters)
5. kernels/mail_nb/score.py (counters to scores), kernels/mail_nb/update.py (scores to updates), snapshot.py
6. text/ (textbook models of words), tabular/ (textbook models of named features), mixed.py (both together)
7. active.py (which mails to ask labels for)
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
