"""The picture of a model."""

from consumers.studies import picture


def test_M10_picture_of_a_model_trained_on_the_mails(mails):
    filter_, mixed = picture.study(mails[:100]).charts
    assert "MailNB" in filter_
    assert "MixedNB" in mixed
    assert mixed.count("node seen") == 3
