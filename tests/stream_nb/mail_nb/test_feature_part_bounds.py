"""Limits of numbers and categories of mails: what is ignored, what is evicted, and how large a model of one mail is."""

import math

from stream_nb import Mail, MailNB
from tests.support.feature_mails import mail_with, trained


def test_features_after_the_first_1000_of_a_mail_are_ignored():
    names = [f"n{k}" for k in range(1050)]
    model = MailNB()
    model.learn_one(Mail((), features=tuple((name, 1.0) for name in names)), "ham")
    assert len(model.statistics.numbers) == 1000


def test_rare_values_are_evicted_when_the_model_is_full():
    model = MailNB(max_features=2000)
    for i in range(3000):
        model.learn_one(mail_with(id=f"value {i}", kind="often", size=float(i % 50)), "ham" if i % 2 else "spam")
    kinds = model.statistics.categories
    assert len(kinds["id"]) < 2000 and sum(kinds["kind"]["often"].values()) > 100.0
    assert model.statistics.numbers["size"]["ham"].n > 100.0
    assert model.evicted > 0
    assert MailNB.from_bytes(model.to_bytes()).to_bytes() == model.to_bytes()


def test_a_restored_model_scores_like_one_that_has_evicted_values_of_a_category():
    kinds = [("often", "ham"), ("often", "ham"), ("often", "spam"), ("rare", "spam"), ("late", "spam"), ("late", "ham")]
    model = trained([(mail_with(kind=value), label) for value, label in kinds])
    model.evict(2)
    assert len(model.statistics.categories["kind"]) == 2
    mail = mail_with(kind="often")
    assert MailNB.from_bytes(model.to_bytes()).score(mail) == model.score(mail)


def test_an_update_can_be_reverted_after_its_value_was_evicted():
    model = trained([(mail_with(id="a", size=1.0), "ham"), (mail_with(id="b", size=2.0), "spam")])
    mail = mail_with(id="c", size=3.0)
    update = model.grade(mail, "spam")
    model.apply_update(mail, update)
    model.evict(0)
    model.revert_update(mail, update)
    assert math.isfinite(model.score(mail).log_odds)


def test_a_model_of_a_mail_with_ten_numbers_takes_less_than_2500_bytes():
    mail = Mail((), features=tuple((f"number {k}", k * 1.1) for k in range(10)))
    assert len(trained([(mail, "ham")]).to_bytes()) < 2500


def test_a_class_removed_with_counts_of_a_number_leaves_scores_of_that_number_finite():
    sizes = [(mail_with(size=10.0 * k), label) for k, label in enumerate(("spam", "ham") * 5)]
    model = trained([*sizes, *[(mail_with(size=1.0), "late")] * 10])
    for _ in range(10):
        model.unlearn_one(mail_with(size=2.0), "late")
    assert model.classes == ("spam", "ham")
    assert math.isfinite(model.score(mail_with(size=1.0)).log_odds)
    assert model.score(mail_with(size=1.0)) == model.copy().score(mail_with(size=1.0))
