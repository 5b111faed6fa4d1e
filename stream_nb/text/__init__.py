"""Textbook models over the words of a message.

| file | what |
|---|---|
| `base.py` | TextNB: options, learning and scoring, common to the models |
| `statistics.py` | counts of words and messages by class |
| `interpretation.py` | evidence, strongest words, the model as a linear function, its likelihood |
| `multinomial.py` | counts or presence of words |
| `bernoulli.py` | presence and absence of words |
"""

from stream_nb.text.bernoulli import BernoulliNB
from stream_nb.text.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "MultinomialNB"]
