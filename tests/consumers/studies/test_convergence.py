"""Estimates converge to the true parameters."""

import math

import pytest

from consumers.errors import UserError
from consumers.studies import convergence


def test_Q8_estimates_converge_and_are_the_same_for_the_same_seed():
    section = convergence.study(seed=4, draws=5000)
    for _, truth, estimate, error, inside in section.figures["table"]:
        assert abs(estimate - truth) < 4 * error
        assert inside == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 400))
    errors = [math.sqrt(0.3 * 0.7 / 5000), 3 / math.sqrt(5000), 9 * math.sqrt(2 / 5000)]
    assert [row[3] for row in section.figures["table"]] == pytest.approx(errors)
    heads = section.figures["table"][0][2] * 5000
    assert heads == pytest.approx(round(heads))  # the share of all draws
    assert section == convergence.study(seed=4, draws=5000)
    assert section != convergence.study(seed=5, draws=5000)
    assert len(section.charts) == 3
    for draws, others in ((5000, "2,000"), (500, "500")):
        assert f"400 runs of {others} draws with other seeds" in convergence.study(draws=draws).text[0]
    assert all(">truth</span>" in chart for chart in section.charts)
    assert convergence.study(draws=1000, heads=0.9).figures["table"][0][1] == 0.9
    for options, named in (({"heads": 1.0}, "heads 1;"), ({"draws": 9}, "draws 9,")):
        with pytest.raises(UserError, match=named):
            convergence.study(**options)
