"""Windows, compared with plain lists."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.monitor.figures.grid_roc import GridRanking
from consumers.monitor.figures.joiner import Outcome
from consumers.monitor.figures.window_stats import WindowStats
from consumers.monitor.figures.windows import WINDOWS, Window, Windows
from stream_nb.metrics import Ranking

LABELS = st.sampled_from(["spam", "ham", "work"])
SCORES = st.sampled_from([-30.0, -1.0, 0.0, 0.5, 3.0])
EVENTS = st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["put", "replace", "remove"]), LABELS, LABELS, SCORES))


def stats_of(outcomes) -> dict:
    stats = WindowStats("spam")
    for one in outcomes:
        stats.update(one)
    return state_of(stats)


def state_of(stats: WindowStats) -> dict:
    report = stats.figures.report()
    confusion = {truth: row for truth, row in report.confusion.items() if row}
    return {
        "confusion": confusion,
        "auc": stats.ranking.auc(),
        "bins": stats.bins,
        "losses": stats.losses,
        "hits": (stats.majority_class_hits, stats.last_class_hits),
        "accuracy": report.accuracy,
    }


@given(EVENTS)
def test_a_window_equals_a_plain_list(events):
    window, plain = Window("spam", size=3), {}
    for timestamp, (number, action, truth, label, score) in enumerate(events):
        name = str(number)
        outcome = Outcome(name, truth, label, score, 0.05 + 0.1 * number, timestamp, label, truth)
        if action == "put":
            plain.pop(name, None)
            plain[name] = outcome
            if len(plain) > 3:
                del plain[next(iter(plain))]
            window.add(outcome)
        elif action == "replace":
            if name in plain:
                plain[name] = outcome
            window.replace(outcome)
        elif action == "remove":
            plain.pop(name, None)
            window.remove(name)
        assert state_of(window.stats) == stats_of(plain.values())


def test_since_start_is_exact_until_a_mail_leaves_the_longest_window():
    windows = Windows("spam")
    scores = {f"m{number}": 0.011 * (number % 7) for number in range(40)}
    for number, (name, score) in enumerate(scores.items()):
        windows.add(Outcome(name, ("spam", "ham")[number % 2], "spam", score, 0.5, float(number)))
    windows.remove(windows.rolling["10000"].outcomes["m3"])
    exact, grid = windows.rolling["10000"].stats.ranking.auc(), windows.start.ranking.auc()
    assert exact != grid
    assert windows.stats()["start"].ranking.auc() == exact
    windows.rolling["10000"] = Window("spam", size=39)
    for outcome in list(windows.rolling["24 h"].outcomes.values()):
        windows.rolling["10000"].add(outcome)
    windows.add(Outcome("one more", "spam", "ham", -1.0, 0.4, 41.0))
    assert windows.stats()["start"] is windows.start


def outcome_of(number: int) -> Outcome:
    return Outcome(f"m{number}", "spam", ("spam", "ham")[number % 2], 1.0, 0.7, float(number))


def test_withdrawn_labels_give_their_room_back_to_the_mails_labelled_before():
    windows = Windows("spam")
    for number in range(3_000):
        windows.add(outcome_of(number))
    for number in range(1_950, 2_980):
        windows.remove(outcome_of(number))
    windows.stats()
    kept = [outcome_of(number) for number in (*range(1_950), *range(2_980, 3_000))]
    for name, size in (("100", 100), ("1000", 1_000), ("10000", len(kept))):
        window = windows.rolling[name]
        assert list(window.outcomes.values()) == kept[-size:]
        assert state_of(window.stats) == stats_of(kept[-size:])
    windows.add(outcome_of(5_000))
    assert list(windows.rolling["100"].outcomes.values()) == [*kept[-99:], outcome_of(5_000)]
    windows.remove(kept[0])
    windows.stats()
    assert len(windows.rolling["1000"]) == 1_000


def test_a_mail_that_is_scored_and_labelled_again_counts_once_as_the_newest():
    """Its first score is forgotten after many other mails, but still counts in windows if few of them have a label."""
    windows, again = Windows("spam"), outcome_of(0)._replace(label="ham", log_odds=-1.0)
    for number in range(150):
        windows.add(outcome_of(number))
    windows.add(again)
    for number in range(149, 99, -1):
        windows.remove(outcome_of(number))
    windows.stats()
    kept = [*(outcome_of(number) for number in range(1, 100)), again]
    for name in ("100", "1000", "24 h"):
        assert list(windows.rolling[name].outcomes.values()) == kept
        assert state_of(windows.rolling[name].stats) == stats_of(kept)


def test_a_mail_that_a_window_gets_back_has_its_current_label():
    windows, new = Windows("spam"), outcome_of(0)._replace(true_label="ham")
    for number in range(300):
        windows.add(outcome_of(number))
    windows.replace(outcome_of(0), new)
    for number in range(100, 300):
        windows.remove(outcome_of(number))
    windows.stats()
    kept = [new, *(outcome_of(number) for number in range(1, 100))]
    assert list(windows.rolling["100"].outcomes.values()) == kept
    assert state_of(windows.rolling["100"].stats) == stats_of(kept)


def test_windows_get_back_only_some_of_the_latest_mails(monkeypatch):
    """The memory for them is bounded; a label changed later does not bring an older one back."""
    monkeypatch.setattr("consumers.monitor.figures.windows.MAX_LATEST", 150)
    windows = Windows("spam")
    for number in range(300):
        windows.add(outcome_of(number))
    windows.replace(outcome_of(10), outcome_of(10)._replace(true_label="ham"))
    for number in range(200, 300):
        windows.remove(outcome_of(number))
    windows.stats()
    assert list(windows.rolling["100"].outcomes) == [f"m{number}" for number in range(150, 200)]


def test_a_window_defined_by_time_drops_older_mails():
    window = Window("spam", seconds=10.0)
    for second in range(30):
        window.add(Outcome(str(second), "spam", "spam", 1.0, 0.7, float(second)))
        window.expire(float(second))
        assert len(window) == min(second + 1, 11)


def test_each_window_holds_the_mails_that_its_name_says():
    windows = Windows("spam")
    for number in range(10_500):
        windows.add(outcome_of(number)._replace(timestamp=10.0 * number))
        windows.expire(10.0 * number)
    sizes = {"100": 100, "1000": 1_000, "10000": 10_000, "5 min": 31, "1 h": 361, "24 h": 8_641, "start": 10_500}
    assert {name: stats.figures.n for name, stats in windows.stats().items()} == sizes
    assert [spec.name for spec in WINDOWS] == list(sizes)


def test_a_window_of_time_knows_when_its_size_left_no_room_for_mails_of_that_time():
    timed, latest = Window("spam", size=3, seconds=10.0), Window("spam", size=3)
    for number in range(3):
        timed.add(outcome_of(number))
        latest.add(outcome_of(number))
    assert not timed.is_cut(2.0, 3)
    timed.add(outcome_of(3))  # the mail labelled at 0 leaves
    latest.add(outcome_of(3))
    assert [timed.is_cut(now, 4) for now in (3.0, 10.0, 10.5)] == [True, True, False]
    assert not latest.is_cut(3.0, 4)


@given(st.lists(st.tuples(st.integers(-100, 100), st.booleans())))
def test_Q2_the_grid_ranks_like_the_exact_curve_when_scores_lie_on_it(scores):
    grid, exact = GridRanking(), Ranking()
    for score, positive in scores:
        grid.add(score * 0.05, positive)
        exact.add(score * 0.05, positive)
    assert grid.auc() == pytest.approx(exact.auc()) if exact.auc() is not None else grid.auc() is None
    assert [p[1:3] for p in grid.roc()] == [p[1:3] for p in exact.roc()]


@given(st.lists(st.tuples(st.floats(-500, 500), st.booleans())))
def test_removing_from_the_grid_undoes_adding(scores):
    grid = GridRanking()
    for score, positive in scores:
        grid.add(score, positive)
    for score, positive in scores:
        grid.remove(score, positive)
    assert grid.cells == {}


def test_statistics_hold_only_the_labels_and_scores_that_were_counted():
    stats, counted = WindowStats("spam", GridRanking()), Outcome("1", "spam", "spam", 1.0, 0.7, 0.0)
    stats.update(counted)
    assert stats.holds(counted)
    for other in ({"label": "ham"}, {"true_label": "ham"}, {"log_odds": 2.0}, {"label": None}):
        assert not stats.holds(counted._replace(**other))
    stats.update(counted._replace(label=None))
    assert stats.holds(counted._replace(label=None, log_odds=2.0))
    with pytest.raises(TypeError, match="GridRanking"):
        WindowStats("spam").stored()


def test_baselines_are_right_where_their_class_is_the_true_one_and_statistics_can_be_stored():
    stats = WindowStats("spam", GridRanking())
    assert {stats.base_rate(), stats.last_class_accuracy(), *stats.mean_losses().values()} == {None}
    for majority_class, last_class in (("spam", "spam"), ("spam", "ham"), ("ham", "ham"), (None, None)):
        stats.update(Outcome("1", "spam", "ham", -1.0, 0.3, 0.0, majority_class, last_class))
    again = WindowStats.from_stored("spam", stats.stored())
    assert state_of(again) == state_of(stats)
    assert again.mean_losses() == stats.mean_losses()
    assert (again.base_rate(), again.last_class_accuracy()) == (0.5, 0.25)


@pytest.mark.parametrize("predicted", ["ham", "spam", "unsure", None])
@pytest.mark.parametrize("probability", [0.1, 0.9])
def test_Q4_loss_0_1_is_of_the_decision_taken_wherever_the_cut_was(predicted, probability):
    stats = WindowStats("spam")
    outcome = Outcome("1", "spam", predicted, 1.0, probability, 0.0)
    stats.update(outcome)
    assert stats.mean_losses()["0-1"] == (predicted != "spam") == 1 - stats.figures.report().accuracy
    stats.revert(outcome)
    assert stats.losses == WindowStats("spam").losses


def test_a_mail_labelled_by_a_clock_that_is_ahead_does_not_keep_others_in_a_window():
    window = Window("spam", seconds=300.0)
    for name, timestamp in (("ahead", 10_000.0), ("1", 1.0)):
        window.add(Outcome(name, "spam", "spam", 1.0, 0.7, timestamp))
    window.expire(400.0)
    assert len(window) == 0


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 1.0)), min_size=1, max_size=30))
def test_Q4_losses_are_the_means_of_note_001(mails):
    stats = WindowStats("spam")
    for number, (positive, probability) in enumerate(mails):
        truth = "spam" if positive else "ham"
        stats.update(Outcome(str(number), truth, "ham", 0.0, probability, 0.0))
    pairs = [(1.0 if positive else -1.0, 2 * probability - 1) for positive, probability in mails]
    means = stats.mean_losses()
    n = len(pairs)
    assert means["0-1"] == sum(positive for positive, _ in mails) / n
    assert means["L2"] == pytest.approx(sum((h - y) ** 2 for y, h in pairs) / n, abs=1e-8)
    assert means["hinge"] == pytest.approx(sum(max(0.0, 1 - y * h) for y, h in pairs) / n, abs=1e-8)
    assert means["exponential"] == pytest.approx(sum(math.exp(-y * h) for y, h in pairs) / n, abs=1e-8)
    shares = [min(max(p if y > 0 else 1 - p, 1e-15), 1.0) for (y, _), (_, p) in zip(pairs, mails, strict=True)]
    assert means["log loss"] == pytest.approx(-sum(map(math.log, shares)) / n, abs=1e-6)
