"""The mail model: its score, its statistics, and what people ask of it.

model.py       MailNB: formulas, scoring, learning
base.py        its options, statistics, memory and bytes
engine.py      one message after the other: read, score, grade, learn
recorder.py    what labels change, as bytes for other models
statistics.py  what is learned, and all that is ever read
view.py        the same, for others to read
evidence.py    why a mail scores as it does
decision.py    from a score to a label: where to cut, when to be unsure
vocabulary.py  what the model knows of each word and of each source of labels
trending.py    words that have become common
"""

from stream_nb.mail_nb.model import MailNB

__all__ = ["MailNB"]
