"""Multinomial naive Bayes as in a textbook, with exact fractions, and the Bernoulli model by its definition.

The algorithm is that of Jurafsky and Martin, "Speech and Language Processing", chapter "Naive Bayes and Sentiment
Classification", figure "The naive Bayes algorithm".

Slow, short, and without any code of the library that it checks. A message is a list of words; data is a list of
(words, class). Probabilities of messages are Fractions, so that products are compared, not sums of logarithms.
"""

import math
from fractions import Fraction
from math import prod


def vocabulary(data):
    return {word for words, _ in data for word in words}


def prior(data, c):
    """P(c): the share of the messages that have class c."""
    return Fraction(sum(label == c for _, label in data), len(data))


def multinomial_word(data, word, c, smoothing=Fraction(1), presence=False):
    """P(word | c): count / sum of counts, with smoothing added to each count."""
    texts = [set(words) if presence else words for words, label in data if label == c]
    bigdoc = [w for words in texts for w in words]
    below = len(bigdoc) + smoothing * len(vocabulary(data))
    return (bigdoc.count(word) + smoothing) / below if below else Fraction(0)


def multinomial(data, message, smoothing=Fraction(1), presence=False):
    """P(c) * P(message | c) of each class; words that no class has are dropped."""
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


def logs(products):
    """The logarithms; -inf for 0."""
    return {c: math.log(p) if p else -math.inf for c, p in products.items()}


def close(scores, expected):
    """Whether scores are as expected, except for rounding."""
    return scores.keys() == expected.keys() and all(
        scores[c] == expected[c] or abs(scores[c] - expected[c]) < 1e-12 * max(1, abs(expected[c])) for c in scores
    )
