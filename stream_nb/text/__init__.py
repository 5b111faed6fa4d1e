"""Textbook models over the words of a message.

base.py            TextNB: options, learning and scoring of both models
statistics.py      counts of words and of messages by class
interpretation.py  a model as a linear function; its evidence, its strongest words, its likelihood
multinomial.py     counts or presence of words
bernoulli.py       presence and absence of words
"""

from stream_nb.text.bernoulli import BernoulliNB
from stream_nb.text.multinomial import MultinomialNB

__all__ = ["BernoulliNB", "MultinomialNB"]
