"""The data log-likelihood over time."""

import math

import pytest

from consumers.studies import likelihood


@pytest.mark.parametrize("model", likelihood.MODELS)
def test_E7_a_series_for_every_model_whose_parts_add_up(mails, model):
    figures = likelihood.study(mails[:80], model=model, smoothing=0.5).figures
    series = figures["series"]
    assert set(series) == {"total", "labels", "ham", "spam"}
    for number, total in series["total"]:
        parts = [dict(series[name]).get(number, 0.0) for name in ("labels", "ham", "spam")]
        assert total == pytest.approx(math.fsum(parts))
    assert series["total"][-1][0] == 80
    new, read = likelihood.MODELS[model]
    learner = new(0.5)
    learner.learn_many([read(mail) for mail in mails[:80]], [mail.label for mail in mails[:80]])
    expected = math.fsum(learner.joint_log_likelihood(read(mail))[mail.label] for mail in mails[:80])
    assert figures["rows"][0][1] == pytest.approx(expected, rel=1e-9)
