"""Change detection: a changed rate is detected, and a steady stream raises no alarm."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from consumers.monitor.figures.drift import Detectors


def test_a_change_of_the_error_rate_is_detected_with_its_size():
    draw, detectors = random.Random(1), Detectors()
    for number in range(4_000):
        rate = 0.05 if number < 2_000 else 0.40
        detectors.update("errors", float(draw.random() < rate), float(number))
    changes = [change for change in detectors.changes if change.signal == "errors"]
    assert len(changes) == 1
    assert 2_000 < changes[0].timestamp < 2_200
    assert changes[0].before == pytest.approx(0.05, abs=0.03)
    assert changes[0].after > 2 * changes[0].before


def test_a_steady_stream_raises_no_alarm():
    draw, detectors = random.Random(2), Detectors()
    for number in range(5_000):
        detectors.update("errors", float(draw.random() < 0.1), float(number))
    assert not detectors.changes


def test_a_change_has_the_means_of_the_dropped_and_the_kept_values_and_the_number_of_values():
    draw, detectors = random.Random(3), Detectors()
    values: list[float] = []
    found = 0
    for number in range(6_000):
        values.append(draw.random() * (0.1, 0.8, 0.2)[number // 2_000])
        if detectors.update("scores", values[-1], float(number)):
            found += 1
            change = detectors.changes[-1]
            assert (change.timestamp, change.mails) == (number, len(values))
            means = [(fmean(values[:cut]), fmean(values[cut:])) for cut in range(1, len(values))]
            assert pytest.approx((change.before, change.after)) in means
            values = []
    assert found == len(detectors.changes) == 2
    assert detectors.means()["scores"] == pytest.approx(fmean(values))
