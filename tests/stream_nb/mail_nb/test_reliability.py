"""What people read from a mail model about the sources of its labels."""

from stream_nb import MailNB
from stream_nb.mail_nb.reliability import reliabilities, reliability


def test_a_source_that_contradicts_the_others_has_a_higher_flip_rate():
    model = MailNB()
    assert reliabilities(model) == {}
    for number in range(150):
        for text, label in (("win money", "spam"), ("lunch at noon", "ham")):
            model.learn_one(text, label, "careful")
            if number % 5 == 4:
                model.learn_one(text, "ham", "careless")
    found = reliabilities(model)
    assert {name: source.labels for name, source in found.items()} == {"careful": 300, "careless": 60}
    assert found == {name: reliability(model, name) for name in found}
    assert reliability(model, "unknown") is None
    assert found["careless"].doubted > 5 > found["careful"].doubted
    assert 0.0 < found["careful"].flip_rate < 0.02 < 0.05 < found["careless"].flip_rate <= 0.5


def test_a_source_with_as_many_fewer_labels_than_none_as_the_prior_has_is_rated():
    """The denominator of its flip rate was 0."""
    model = MailNB()
    for number in range(30):
        model.learn_one(f"win money {number}", "spam", "anna")
        model.learn_one(f"lunch at noon {number}", "ham", "anna")
    for number in range(10):
        model.unlearn_one(f"win money {number}", "spam")
    assert reliability(model, "").labels == -10
    assert 0.0 < reliability(model, "").flip_rate <= 0.1
    model.learn_one("free money", "spam")
    assert reliability(model, "").labels == -9
