"""Generators of messages and labelled data for property tests."""

from hypothesis import strategies as st

from stream_nb import Mail, Part

WORDS = ["free", "money", "lunch", "noon", "the", "a", "offer", "naïve", "日本"]
CLASSES = ["ham", "spam", "work"]

words = st.lists(st.sampled_from(WORDS), max_size=12)
texts = words.map(" ".join)
labels = st.sampled_from(CLASSES)
two_classes = st.lists(st.tuples(texts, st.sampled_from(["ham", "spam"])), max_size=12)
features = st.dictionaries(
    st.sampled_from(["size", "links", "format", "signed"]),
    st.one_of(
        st.floats(-10.0, 10.0),
        st.sampled_from([0.0, -0.0, 1e-300, 1e300, -1e300, 5e-324, 1e6, 1e6 + 1, 3]),
        st.sampled_from(["html", "plain", "", "True", "ü"]),
        st.booleans(),
    ),
    max_size=4,
).map(lambda found: tuple(found.items()))
mails = st.builds(lambda text, found: Mail((Part("", text.encode()),) if text else (), features=found), texts, features)
smoothings = st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0])


def data(messages=words, least=0, most=12):
    """Labelled messages."""
    return st.lists(st.tuples(messages, labels), min_size=least, max_size=most)
