"""The memory of a table: bytes per feature, and the reuse of rows."""

from stream_nb import MailNB


def test_features_take_at_most_40_bytes_each_without_their_text():
    model = MailNB(band=float("inf"))
    for number in range(2000):
        model.learn_one(" ".join(f"w{number * 31 + i}" for i in range(40)), "spam" if number % 2 else "ham")
    assert model.nbytes / model.features <= 40


def test_rows_of_unlearned_features_are_reused():
    model = MailNB()
    model.learn_one("first words", "ham")
    for _ in range(50):
        update = model.grade("the same again", "spam")
        model.apply_update("the same again", update)
        model.revert_update("the same again", update)
    assert model.statistics.features == 3 + 5
