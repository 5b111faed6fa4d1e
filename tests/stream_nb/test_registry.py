"""Every model can be created by its name."""

import pytest

from stream_nb import MailNB
from stream_nb.base import NaiveBayes
from stream_nb.registry import MODELS

MESSAGES = {
    "text": [("win money now", "spam"), ("lunch at noon", "ham")],
    "features": [({"a": 1}, "spam"), ({"a": 2}, "ham")],
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_created_by_name_learns_predicts_and_is_restored_from_bytes(name):
    entry = MODELS[name]
    model = entry.new()
    assert isinstance(model, NaiveBayes) and entry.options.items() <= model.options().items()
    for x, y in MESSAGES[entry.messages] * 3:
        model.learn_one(x, y)
    assert [model.predict_one(x) for x, _ in MESSAGES[entry.messages]] == ["spam", "ham"]
    assert entry.model.from_bytes(model.to_bytes()) == model


def test_every_model_of_the_package_is_registered():
    def concrete_subclasses(model):
        found = [one for each in model.__subclasses__() for one in concrete_subclasses(each)]
        return found + ([] if model.__abstractmethods__ else [model])

    models = {model for model in concrete_subclasses(NaiveBayes) if model.__module__.startswith("stream_nb.")}
    assert models == {entry.model for entry in MODELS.values()}


def test_given_options_override_those_of_the_name_and_are_checked():
    assert MODELS["boolean"].new().presence and not MODELS["boolean"].new(presence=False).presence
    assert MODELS["mail"].new(damping=0.5) == MailNB(damping=0.5)
    with pytest.raises(ValueError, match="smoothing"):
        MODELS["bernoulli"].new(smoothing=-1)
