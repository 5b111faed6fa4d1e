"""Classes and sources of which nothing is left are removed at once, in whatever way a label is learned."""

import pytest

from stream_nb import Mail, MailNB, Part

LIST = Mail((Part("", b"offer"),), originator="list@example.org")
WAYS = {
    "one": lambda model, label, source: model.learn_one(LIST, label, source),
    "many": lambda model, label, source: model.learn_many([LIST], [label], source),
    "update": lambda model, label, source: model.apply_update(LIST, model.grade(LIST, label, source)),
    "recorder": lambda model, label, source: model.recorder().learn(LIST, label, source),
    "batch": lambda model, label, source: model.recorder().score_then_learn([LIST] * 2, [label, None], [source] * 2),
}


@pytest.fixture(params=WAYS)
def learn(request):
    return WAYS[request.param]


def trained():
    model = MailNB()
    model.learn_many(["free money", "lunch at noon"], ["spam", "ham"], "anna")
    return model


def test_a_label_that_ends_the_run_that_is_all_that_is_left_of_a_class_removes_it(learn):
    model = trained()
    update = model.grade(LIST, "spam")
    model.apply_update(LIST, update._replace(originator=update.originator._replace(runs=(("late", 1),))))
    assert set(model.classes) == {"ham", "late", "spam"}
    learn(model, "spam", "anna")
    assert set(model.classes) == {"ham", "spam"}


def test_a_label_that_was_reverted_before_leaves_no_source(learn):
    model = trained()
    model.revert_update(LIST, model.grade(LIST, "spam", "ben"))
    learn(model, "spam", "ben")
    assert set(model.statistics.sources) == {"anna"}


def test_an_update_that_was_reverted_before_leaves_no_class_in_the_model_or_the_record():
    model, other = MailNB(), MailNB()
    update = model.grade("free money", "spam")
    for each in (model, other):
        each.revert_update("free money", update)
    recorder = model.recorder()
    recorder.apply_update("free money", update)
    other.apply_changes(recorder.take())
    assert model == other == MailNB()


def test_a_class_of_which_the_last_words_are_evicted_is_removed():
    model = trained()
    update = model.grade("offer", "late")
    model.apply_update("offer", update)
    model.apply_changes(model.halves(0, 1))
    model.revert_update("offer", update)
    assert set(model.classes) == {"ham", "late", "spam"}
    model.evict(0)
    assert set(model.classes) == {"ham", "spam"}


@pytest.mark.parametrize("label", ["spam", "late"])
@pytest.mark.parametrize("source", [5, None, b"anna"], ids=repr)
def test_a_source_that_is_not_text_is_refused(learn, label, source):
    """Beside sources that are text, it made the model impossible to save."""
    model = trained()
    before = model.to_bytes()
    with pytest.raises(TypeError, match=f"source {source!r} of type {type(source).__name__}: give text"):
        learn(model, label, source)
    assert model.to_bytes() == before and set(model.classes) == {"ham", "spam"}
    model.learn_one(LIST, label, "ben")
    assert set(model.statistics.sources) == {"anna", "ben"}


def test_a_model_that_shares_its_counts_can_be_unmerged():
    model = MailNB()
    model.learn_one("free money", "spam", "anna")
    model.learn_one("lunch at noon", "ham", "ben")
    twin = MailNB(key=model.key)
    twin.attach(model._counts)
    twin.unmerge(model)
    assert twin == MailNB(key=model.key)
