"""Generators of messages and labelled data for property tests."""

from hypothesis import strategies as st

WORDS = ["free", "money", "lunch", "noon", "the", "a", "offer", "naïve", "日本"]
CLASSES = ["ham", "spam", "work"]

words = st.lists(st.sampled_from(WORDS), max_size=12)
texts = words.map(" ".join)
labels = st.sampled_from(CLASSES)
smoothings = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])


def data(messages=words, least=0, most=12):
    """Labelled messages."""
    return st.lists(st.tuples(messages, labels), min_size=least, max_size=most)
