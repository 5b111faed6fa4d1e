"""Limits of numbers and categories of mails: what is ignored, what is evicted, and what a delta contains."""

import math

from stream_nb import Mail, MailNB
from tests.support.feature_mails import of, trained


def test_features_past_the_first_thousand_are_not_seen():
    names = [f"n{k}" for k in range(1050)]
    model = MailNB()
    model.learn_one(Mail((), features=tuple((name, 1.0) for name in names)), "ham")
    assert len(model.statistics.numbers) == 1000


def test_rare_values_are_forgotten_for_want_of_room():
    model = MailNB(max_features=2000)
    for i in range(3000):
        model.learn_one(of(id=f"value {i}", kind="often", size=float(i % 50)), "ham" if i % 2 else "spam")
    kinds = model.statistics.categories
    assert len(kinds["id"]) < 2000 and sum(kinds["kind"]["often"].values()) > 100.0
    assert model.statistics.numbers["size"]["ham"].n > 100.0
    assert model.evicted > 0
    assert MailNB.from_bytes(model.to_bytes()).to_bytes() == model.to_bytes()


def test_an_update_is_taken_back_after_its_value_was_forgotten():
    model = trained([(of(id="a", size=1.0), "ham"), (of(id="b", size=2.0), "spam")])
    mail = of(id="c", size=3.0)
    update = model.grade(mail, "spam")
    model.apply_update(mail, update)
    model.evict(0)
    model.revert_update(mail, update)
    assert math.isfinite(model.score(mail).log_odds)


def test_a_delta_of_one_mail_is_small():
    mail = Mail((), features=tuple((f"number {k}", k * 1.1) for k in range(10)))
    assert len(trained([(mail, "ham")]).to_bytes()) < 2500
