"""The rows of the lecture notes, and the tests that show each: `python -m tests.rows`, or `make rows`.

A test that shows a row carries its id in its name, so `pytest -k Q7_` runs the tests of row Q7.
"""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

ROWS = {
    "M1": "multivariate Bernoulli event model, absent words included",
    "M2": "multinomial event model, mails of any length, order irrelevant",
    "M3": "Boolean multinomial: a word counts once a mail",
    "M4": "categorical features with K_i values",
    "M5": "Gaussian features: running mean and 1/N variance",
    "M6": "words, categories and numbers in one model",
    "M7": "discretise a badly Gaussian feature instead",
    "M8": "any number of classes, a new class at run time",
    "M9": "generative reading: draw a class, then words",
    "M10": "Bayes net view: nodes, edges, plate; observed shaded",
    "M11": "one unigram language model per class: perplexity",
    "M12": "p(x) as well as p(y given x): novelty",
    "E1": "maximum-likelihood estimates from counts",
    "E2": "the zero-count problem (peanut)",
    "E3": "smoothing: Laplace, Jeffreys, any lambda, chosen when reading",
    "E4": "class prior: learned, uniform, given, smoothed",
    "E5": "words never seen are dropped (Algorithm 3.2)",
    "E6": "log space throughout",
    "E7": "data log-likelihood: a prior part and one part per class",
    "E8": "Algorithms 3.1 and 3.2, literally",
    "E9": "learning apart from inference",
    "L1": "w and b: log-odds = w.x + b",
    "L2": "the posterior is the logistic function of it",
    "L3": "Gaussian: quadratic, linear only with shared variance",
    "L4": "why this mail: bias and one term a word",
    "L5": "p(word given class), top words, class entropy",
    "L6": "naive Bayes against logistic regression",
    "Q1": "accuracy, confusion matrix, precision, recall, F-beta",
    "Q2": "ROC curve with thresholds, AUC with ties",
    "Q3": "the threshold moves TP and FP together",
    "Q4": "losses 0-1, L2, hinge, exponential",
    "Q5": "never score on what was trained on",
    "Q6": "learning curve: train and test accuracy (Enron case)",
    "Q7": "smoothing curve: accuracy against lambda",
    "Q8": "estimates converge to the truth",
    "Q9": "Gaussian fit over a histogram",
    "Q10": "Bayes-optimal rule and theorem: regret",
    "Q11": "dependence of words given the class",
    "P1": "estimate, predict, compute accuracy",
    "P2": "personal spam detector: 400/50/50",
    "P3": "the notes' own example mails and vectors",
}
_TESTS = Path(__file__).parent
_ID = re.compile(r"[MELQP]\d{1,2}")


@functools.cache
def rows_with_tests() -> dict[str, list[str]]:
    """The tests of each row, as pytest is given them; read from the files, nothing is run."""
    found: dict[str, list[str]] = {row: [] for row in ROWS}
    for path in sorted(_TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for row in filter(_ID.fullmatch, node.name.split("_")):
                    found.setdefault(row, []).append(f"{path.relative_to(_TESTS.parent)}::{node.name}")
    return found


def main() -> None:
    """Print each row, and below it its tests."""
    for row, tests in rows_with_tests().items():
        print(f"{row:4} {ROWS.get(row, 'no row of the notes')}")
        for test in tests or ["NO TEST"]:
            print(f"       {test}")


if __name__ == "__main__":
    main()
