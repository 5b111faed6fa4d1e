"""The summary of numbers (moments, histogram, misfit) and categories (counts), and how commands print it."""

import json
import random
import re

import msgspec
import pytest
from click.testing import CliRunner
from scipy import stats

from consumers.cli.main import cli
from consumers.explain.explainer import Explainer
from consumers.explain.feature_summary import BINS, MOST_VALUES, misfit, summarize_features
from consumers.log import open_log
from consumers.records.schemas import TOPICS, encode
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from stream_nb import Mail, MailNB
from tests.support.worker_run import label, message, run_worker


@pytest.fixture
def settings(tmp_path, monkeypatch):
    monkeypatch.setenv("STREAM_NB_LOG", f"sqlite:{tmp_path}")
    return Settings(log=f"sqlite:{tmp_path}", worker=WorkerSettings(poll_s=0.001))


@pytest.fixture
def log(settings):
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        yield log


def work(log, settings, rows):
    for name, features, class_name, *text in rows:
        log.append([message(name, encode({"id": name, "text": "".join(text), "features": features}))])
        log.append([label(name, class_name)])
    run_worker(log, settings)


def rows():
    draw = random.Random(3)
    for i in range(200):
        spam = i % 2 == 0
        size = draw.gauss(13_500 if spam else 4_100, 6_000 if spam else 2_000)
        yield (
            f"m{i}",
            {"size": size, "kind": draw.choice("ab" if spam else "bc"), "n": i, "same": 7},
            "spam" if spam else "ham",
        )


@pytest.mark.parametrize("name", ["mail", "gaussian", "categorical", "mixed"])
def test_the_summary_equals_statistics_computed_from_the_messages(log, settings, name):
    settings = msgspec.structs.replace(settings, learner=LearnerSettings(model=name))
    data = list(rows())
    work(log, settings, data)

    summary = Explainer(log, settings).features()

    json.dumps(summary, allow_nan=False)
    assert summary["messages"] == 200
    numbers = {number["name"]: number for number in summary["numbers"]}
    assert set(numbers) == (set() if name == "categorical" else {"size", "n", "same"})
    for known in ("ham", "spam") if numbers else ():
        values = [features["size"] for _, features, class_name in data if class_name == known]
        shown = numbers["size"]["classes"][known]
        assert (shown["count"], shown["values"]) == (100.0, 100)
        assert shown["mean"] == pytest.approx(sum(values) / 100)
        assert shown["std"] == pytest.approx(stats.tstd(values, ddof=0))
        expected = stats.kstest(values, stats.norm(shown["mean"], shown["std"]).cdf).statistic
        assert shown["misfit"] == pytest.approx(expected)
        assert sum(each["counts"].get(known, 0) for each in numbers["size"]["histogram"]) == 100
        assert len(numbers["size"]["histogram"]) == BINS
        assert numbers["same"]["classes"][known]["misfit"] is None
        assert len(numbers["same"]["histogram"]) == 1
    categories = {category["name"]: category for category in summary["categories"]}
    assert set(categories) == (set() if name == "gaussian" else {"kind"})
    if categories:
        counts = {value["value"]: value["counts"] for value in categories["kind"]["values"]}
        assert sum(counts["b"].values()) + counts["a"]["spam"] + counts["c"]["ham"] == 200.0
        assert categories["kind"]["others"] == 0
    weights = summary["weights"]
    assert weights["numbers"] > 0.0 if name == "mail" else weights == {"words": 1.0, "numbers": 1.0, "categories": 1.0}


def test_long_lists_of_values_are_cut_and_hostile_names_made_safe(log, settings):
    work(log, settings, [(f"m{i}", {"k\u202e": f"v{i}", "x": 1e308 * (-1) ** i}, "ab"[i % 2]) for i in range(40)])

    summary = Explainer(log, settings).features()

    json.dumps(summary, allow_nan=False)
    (category,) = summary["categories"]
    assert (len(category["values"]), category["others"]) == (MOST_VALUES, 40 - MOST_VALUES)
    assert "\u202e" not in category["name"]


def test_a_number_too_wide_for_bins_has_no_histogram_and_a_text_in_its_place_is_left_out(log, settings):
    values = {"wide": 1.7976931348623157e308, "usual": 1.0}
    mails = [(f"m{i}", {name: i % 2 * x for name, x in values.items()}, "ab"[i % 2]) for i in range(40)]
    work(log, settings, [*mails, ("other", {"usual": "unknown"}, "a")])

    numbers = {number["name"]: number for number in Explainer(log, settings).features()["numbers"]}

    assert numbers["wide"]["histogram"] == []
    assert sum(each["counts"].get("a", 0) for each in numbers["usual"]["histogram"]) == 20


def test_a_number_without_labelled_mails_on_the_log_has_no_histogram():
    """As in a model from a file."""
    model = MailNB()
    model.learn_one(Mail((), features=(("size", 3.0),)), "ham")

    (number,) = summarize_features(model, [])["numbers"]

    assert (number["classes"]["ham"]["mean"], number["classes"]["ham"]["values"], number["histogram"]) == (3.0, 0, [])


def test_explain_prints_large_close_numbers_with_enough_digits_to_differ(log, settings):
    work(log, settings, [(f"m{i}", {"at": 1e6 + i % 4}, "ab"[i % 2]) for i in range(40)])

    printed = CliRunner().invoke(cli, ["explain", "m3"], catch_exceptions=False).output

    assert "at 1,000,003; a 1,000,001 ± 1, b 1,000,002 ± 1" in printed


def test_explain_compares_the_predicted_class_with_the_best_other(log, settings):
    """Of more classes than fit it prints the counts of these two."""
    names = ["spam", "work", *(f"a-class-with-a-long-name-{number}" for number in range(6))]
    mails = [(f"m{i}", {}, names[i % 8], f"word{i % 8} word{min(i % 8 + 1, 7)}") for i in range(80)]
    work(log, settings, mails)

    printed = CliRunner().invoke(cli, ["explain", "m1"], catch_exceptions=False).output

    assert re.search(r"now log-odds \+[0-9.]+ for work against (spam|a-class-\S+), 80 labels learned", printed)
    assert re.search(r"weight +work +(spam|a-class-\S+)  term\n +\+[0-9.]+ +[0-9.]+ +0\.00  \S", printed)

    listed = CliRunner().invoke(cli, ["words"], catch_exceptions=False).output
    counts = re.findall(r"\((.*)\)", listed)
    assert "word1" in listed and counts and not any(re.search(r"(^| )0\.0 ", text) for text in counts)


def test_explain_aligns_columns_under_long_class_names(log, settings):
    work(log, settings, [(f"m{i}", {"size": float(i)}, ("newsletters", "invoices-2026")[i % 2]) for i in range(10)])

    printed = CliRunner().invoke(cli, ["explain", "m0"], catch_exceptions=False).output.splitlines()

    (head,) = (line for line in printed if line.endswith("  term"))
    (row,) = (line for line in printed if "  size " in line)
    assert head.split() == ["weight", "invoices-2026", "newsletters", "term"]
    assert head.index("  term") == row.index("  size")


def test_save_and_load_print_how_many_features_a_model_has(log, settings, tmp_path):
    work(log, settings, [(f"m{i}", {"size": float(i), "at": i % 3}, "ab"[i % 2]) for i in range(10)])
    file, other = str(tmp_path / "model.snb"), f"sqlite:{tmp_path / 'other'}"

    saved = CliRunner().invoke(cli, ["save", file], catch_exceptions=False).output
    loaded = CliRunner().invoke(cli, ["load", file, "--log", other], catch_exceptions=False).output

    assert saved == f"{file}: 10 labels learned, 2 features\n"
    assert f"{other} starts with 10 labels learned, 2 features\n" in loaded


def test_the_words_command_names_the_class_that_a_weight_speaks_for(log, settings):
    work(log, settings, [(f"m{i}", {}, "ab"[i % 2], ("lunch", "money")[i % 2]) for i in range(10)])

    printed = CliRunner().invoke(cli, ["words", "money"], catch_exceptions=False).output
    listed = CliRunner().invoke(cli, ["words"], catch_exceptions=False).output
    first, *rows = printed.splitlines()

    assert first.startswith("money: alone in a mail it adds +") and first.endswith(" to the log-odds of b")
    weight = next(line.split()[0] for line in listed.splitlines() if "  money  " in line)
    assert next(row for row in rows if row.startswith("  b: ")).endswith(f", weight {weight}")


def test_the_words_command_says_that_it_looks_up_no_pairs(log, settings):
    """Nor does it answer with one word of the pair, which a subject has."""
    log.append([message("m0", b"Message-ID: <m0>\nSubject: here\n\nclick here\n"), label("m0", "spam")])
    work(log, settings, [("m1", {}, "ham", "at noon")])

    printed = CliRunner().invoke(cli, ["words", "click here"], catch_exceptions=False).output

    assert printed == "click here: the model has not learned this word; look up one word at a time\n"


@pytest.mark.parametrize(("classes", "words"), [("ab", ()), ("a", ("lunch",))])
def test_words_that_tell_no_classes_apart_are_not_listed(log, settings, classes, words):
    """There are none, or only one class has been learned: it is then wrong that no words have been."""
    work(log, settings, [(f"m{i}", {"size": float(i)}, classes[i % len(classes)], *words) for i in range(10)])

    printed = CliRunner().invoke(cli, ["words"], catch_exceptions=False).output

    assert printed == "no word of a text tells one class from another yet\n"


@pytest.mark.parametrize("command", [["words"], ["words", "money"]])
def test_words_of_a_model_that_reads_none_are_refused(log, monkeypatch, command):
    monkeypatch.setenv("STREAM_NB_LEARNER_MODEL", "gaussian")

    error = CliRunner().invoke(cli, command).exception

    assert "the gaussian model reads no words; the dashboard's page Features" in str(error)


def test_explain_shows_a_number_beside_the_mean_and_deviation_of_each_class(log, settings):
    work(log, settings, rows())

    printed = CliRunner().invoke(cli, ["explain", "m0"], catch_exceptions=False).output

    (line,) = (line for line in printed.splitlines() if "  size " in line)
    assert "; ham 4," in line or "; ham 3," in line
    assert line.count("±") == 2 and ", spam 1" in line
    terms = [float(line.split()[0]) for line in printed.splitlines() if line.strip()[:1] in ("+", "-")]
    assert sum(terms[:-1]) == pytest.approx(terms[-1], abs=1e-3)


def test_a_number_is_summed_up_only_for_classes_that_have_it(log, settings):
    """The others have no mean: 0 would be a value that nobody measured."""
    work(log, settings, [("m1", {"size": 5.0}, "ham"), ("m2", {}, "spam", "cheap pills"), ("m3", {"size": 7.0}, "ham")])

    (size,) = Explainer(log, settings).features()["numbers"]

    assert list(size["classes"]) == ["ham"]


def test_the_misfit_of_numbers_that_are_not_normal_is_large():
    draw = random.Random(1)
    lognormal = [draw.lognormvariate(0, 2) for _ in range(500)]
    assert misfit(lognormal, sum(lognormal) / 500, stats.tstd(lognormal, ddof=0)) > 0.2
    assert misfit([], 0.0, 1.0) is None
