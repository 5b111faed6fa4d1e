"""The study of the prior's effect."""

from consumers.studies import prior
from stream_nb import MultinomialNB


def test_Q3_E4_a_greater_prior_never_makes_fewer_mails_positive(mails):
    figures = prior.study(mails[:300]).figures
    for column in (2, 3):
        shares = [row[column] for row in figures["given"]]
        assert shares == sorted(shares)
    assert figures["given"][6][0] == 0.5
    assert figures["given"][6][1:] == figures["rows"][0][1:]  # priors of one half are the uniform prior
    model, right = MultinomialNB(smoothing=0.1), 0
    for mail, label, _ in mails[:300]:
        right += model.predict_one(mail) == label
        model.learn_one(mail, label)
    assert figures["rows"][1][1] == right / 300
