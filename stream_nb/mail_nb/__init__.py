"""The mail model.

model.py       MailNB: formulas, scoring, learning
base.py        MailNB's options, statistics, updates and snapshots
forgetting.py  eviction and decay
scorer.py      read and score one message
engine.py      grade and learn one message at a time
recorder.py    record what labels change, as bytes for other models
statistics.py  the model's state
view.py        a read-only view of the statistics
evidence.py    why a mail scores as it does
decision.py    from a score to a label: the threshold, and when to answer "unsure"
vocabulary.py  what the model has learned about each word and each source of labels
starter.py     a small copy of a model for new models to begin with
trending.py    words that have become common
"""

from stream_nb.mail_nb.model import MailNB

__all__ = ["MailNB"]
