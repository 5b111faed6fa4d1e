"""Algorithms 3.1 and 3.2 of note 001, literally, with exact fractions, and the Bernoulli model from its definition.

Slow, short, and sharing no code with what it judges. A message is a list of words; data is a list of
(words, class). Probabilities of messages are Fractions, so that products are compared, not sums of logarithms.
"""

from fractions import Fraction
from math import prod


def vocabulary(data):
    return {word for words, _ in data for word in words}


def prior(data, c):
    """Algorithm 3.1, lines 3 and 4."""
    return Fraction(sum(label == c for _, label in data), len(data))


def multinomial_word(data, word, c, smoothing=Fraction(1), presence=False):
    """Algorithm 3.1, lines 6 to 9: count / sum of counts, smoothing on each, V once below."""
    texts = [set(words) if presence else words for words, label in data if label == c]
    bigdoc = [w for words in texts for w in words]
    below = len(bigdoc) + smoothing * len(vocabulary(data))
    return (bigdoc.count(word) + smoothing) / below if below else Fraction(0)


def multinomial(data, message, smoothing=Fraction(1), presence=False):
    """Algorithm 3.2 as a product: P(c) * P(message | c) of each class; unknown words are dropped."""
    known = vocabulary(data)
    words = sorted(set(message)) if presence else message
    return {
        c: prior(data, c)
        * prod((multinomial_word(data, w, c, smoothing, presence) for w in words if w in known), start=Fraction(1))
        for c in sorted({label for _, label in data})
    }


def bernoulli_word(data, word, c, smoothing=Fraction(1)):
    messages = [words for words, label in data if label == c]
    return (sum(word in words for words in messages) + smoothing) / (len(messages) + 2 * smoothing)


def bernoulli(data, message, smoothing=Fraction(1)):
    """P(c) times the explicit product over the whole vocabulary, absent words included."""
    scores = {}
    for c in sorted({label for _, label in data}):
        scores[c] = prior(data, c)
        for word in vocabulary(data):
            p = bernoulli_word(data, word, c, smoothing)
            scores[c] *= p if word in message else 1 - p
    return scores
