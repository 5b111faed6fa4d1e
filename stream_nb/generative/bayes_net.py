"""Draws a model as a Bayes net: nodes, edges, plates, and the current parameters.

Circles are random variables, shaded if they are observed. A rounded box is a plate: its contents are repeated as often
as its corner states. Arrows point from cause to effect. The class is not shaded because a filter has to infer it;
words, categories and numbers are. Source for the notation: Bishop, Pattern Recognition and Machine Learning (2006),
section 8.1.
"""

from __future__ import annotations

import math
from html import escape
from typing import Any

from stream_nb.mail_nb.model import MailNB
from stream_nb.mail_nb.vocabulary import strongest, word_probabilities
from stream_nb.mixed import MixedNB
from stream_nb.parameter import checked_whole
from stream_nb.tabular.base import FeatureNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.feature_text import value_text
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.text.base import TextNB
from stream_nb.text.multinomial import MultinomialNB

_STYLE = """
text{font:14px system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2933}
.small{font-size:12px;fill:#52606d}.head{font-weight:600}
.math{font-family:Georgia,'Times New Roman',serif;font-style:italic;font-size:19px}
.node{fill:#fff;stroke:#1f2933;stroke-width:1.5}.seen{fill:#c9d1da}
.parameter{fill:#fff;stroke:#52606d;stroke-width:1.2;stroke-dasharray:4 3}
.plate{fill:none;stroke:#7b8794;stroke-width:1.3}.edge{stroke:#1f2933;stroke-width:1.4;fill:none;marker-end:url(#tip)}
"""
_MOST_CLASSES = 6
_ROW = 19
_RADIUS = 27
_TABLE = 664
"""Where the tables of parameters begin."""
_CHARACTER = 8
"""The width of a table that is allowed for each character; most take less."""


def bayes_net_svg(model: Any, most: int = 6) -> str:
    """Return the graph as one self-contained SVG element with escaped text; changes no state.

    `model` is any model of this package, possibly empty. `most` is the maximum number of features of each kind to show;
    for words, those with two letters or more that distinguish a class best from the others. Raises ValueError for any
    other model, or if `most` is below 1.

    >>> model = MultinomialNB()
    >>> model.learn_one("free money", "spam"); model.learn_one("see you", "ham")
    >>> svg = bayes_net_svg(model)
    >>> svg.startswith("<svg "), svg.count('class="node seen"'), "money" in svg
    (True, 1, True)
    """
    most = checked_whole("most", most, 1)
    branches = _branches(model, most)
    priors = _priors(model)
    shown = dict(list(priors.items())[:_MOST_CLASSES])
    tables = [table for _, _, table in branches]
    heights = [max(150, 58 + _ROW * (len(table) + 1)) for table in tables]
    prior_rows = [f"P({_short(name)}) = {share:.3f}" for name, share in shown.items()]
    prior_rows += [f"and {len(priors) - len(shown)} more"] if len(priors) > len(shown) else []
    height = max(sum(heights) + 20 * (len(heights) - 1), 190, 90 + _ROW * len(prior_rows)) + 140
    width = max(1100, _TABLE + _CHARACTER * max(len(row) for table in tables for row in table))
    middle = 66 + (height - 140) / 2
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0f}" width="{width}" '
        f'height="{height:.0f}" role="img" aria-label="Bayes net of the model">',
        f"<style>{_STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" '
        'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="#1f2933"/></marker></defs>',
        f'<rect width="{width}" height="{height:.0f}" fill="#fff"/>',
        _text(24, 32, f"{type(model).__name__}: {_described(model, len(priors))}", "head"),
        f'<rect class="plate" x="196" y="54" width="352" height="{height - 112:.0f}" rx="10"/>',
        _text(208, height - 68, f"message, N = {_messages(model):g}", "small"),
        _parameter(84, middle, "π"),
        _edge(84 + 22, middle, 270 - _RADIUS, middle),
        _node(270, middle, "y", False),
        _text(270, middle + 46, "class", "small", "middle"),
        *(_text(24, middle + 58 + _ROW * i, row, "small") for i, row in enumerate(prior_rows)),
    ]
    at = 70.0 + (height - 140 - sum(heights) - 20 * (len(heights) - 1)) / 2
    for (symbol, plate, table), tall in zip(branches, heights, strict=True):
        centre = at + tall / 2
        way = math.hypot(463 - 270, centre - 4 - middle)
        slope = (463 - 270) / way, (centre - 4 - middle) / way
        out += [
            f'<rect class="plate" x="390" y="{centre - 62:.1f}" width="146" height="124" rx="10"/>',
            _text(528, centre + 53, plate, "small", "end"),
            _edge(
                270 + _RADIUS * slope[0],
                middle + _RADIUS * slope[1],
                463 - _RADIUS * slope[0],
                centre - 4 - _RADIUS * slope[1],
            ),
            _node(463, centre - 4, symbol, True),
            _parameter(608, centre - 4, {"w": "θ", "x": "θ", "z": "μ, \N{GREEK SMALL LETTER SIGMA}", "b": "θ"}[symbol]),
            _edge(608 - 22, centre - 4, 463 + _RADIUS, centre - 4),
            _text(608, centre + 38, f"for {len(priors)} classes", "small", "middle"),
            *(_text(_TABLE, at + 28 + _ROW * i, row, "head" if not i else "small") for i, row in enumerate(table)),
        ]
        at += tall + 20
    out.append(_text(24, height - 20, "shaded: observed   ·   white: to be inferred   ·   dashed: learned", "small"))
    return "\n".join([*out, "</svg>"])


def _priors(model: Any) -> dict[str, float]:
    if isinstance(model, MailNB):  # whose score has no class prior
        return {str(label): 1.0 / len(model.classes) for label in model.classes}
    return {str(label): math.exp(value) for label, value in model.log_priors().items()}


def _branches(model: Any, most: int) -> list[tuple[str, str, list[str]]]:
    """(symbol, text in the plate's corner, lines of the parameter table) of each kind of feature in the model."""
    if isinstance(model, TextNB):
        rule = "its words" if isinstance(model, MultinomialNB) else "known words"
        return [("w", rule, _word_table(model, most))]
    if isinstance(model, MailNB):
        return [("w", "its words and pairs" if model.pairs else "its words", _mail_table(model, most))]
    if isinstance(model, GaussianNB):
        return [("z", _many(len(model.features), "number"), _number_table(model, most))]
    if isinstance(model, CategoricalNB):
        return [("x", _many(len(model.features), "categor", "y", "ies"), _category_table(model, most))]
    if isinstance(model, MixedNB):
        branches = [*_branches(model.words, most)] if model.words.words else []
        branches += _branches(model.categories, most) if model.categories.features else []
        branches += _branches(model.numbers, most) if model.numbers.features else []
        return branches or _branches(model.words, most)
    if isinstance(model, FeatureNB):
        features = model.features
        return [("b", _many(len(features), "binned number"), ["P(bin | class)", *map(_short, features[:most])])]
    raise ValueError(f"cannot draw a {type(model).__name__}: give a model of this package")


def _word_table(model: TextNB, most: int) -> list[str]:
    """The words that distinguish a class best from the others shown: greatest p log(p / mean p of the others)."""
    lines = ["θ: P(word | class), and in the others shown"]
    labels = model.classes[:_MOST_CLASSES]
    probabilities = {label: dict(model.top_words(label, model.words)) for label in labels}
    for label in labels:
        own = probabilities[label]
        others = [probabilities[other] for other in labels if other != label] or [own]
        means = {word: math.fsum(other[word] for other in others) / len(others) for word in own}
        divergence = {
            word: p * math.log(p / means[word]) if 0.0 < means[word] and 0.0 < p else p
            for word, p in own.items()
            if _legible(word)
        }
        best = sorted(divergence, key=lambda word: (-divergence[word], word))[:most]
        lines.append(f"{_short(label)}:")
        lines += [f"   {_short(word)}  {own[word]:.2g}   ({means[word]:.2g})" for word in best]
    return lines


def _mail_table(model: MailNB, most: int) -> list[str]:
    lines = ["θ: P(word | class), and in the others"]
    for label in model.classes[:_MOST_CLASSES]:
        lines.append(f"{_short(label)}:")
        for term in strongest(model, label, most, _legible):
            probabilities = word_probabilities(model, term)
            others = [p for other, p in probabilities.items() if other != label] or [probabilities[label]]
            mean = math.fsum(others) / len(others)
            lines.append(f"   {_short(term.text)}  {probabilities[label]:.2g}   ({mean:.2g})")
    return lines


def _number_table(model: GaussianNB, most: int) -> list[str]:
    lines = [f"μ, \N{GREEK SMALL LETTER SIGMA} ({model.variance} variance)"]
    for feature in model.features[:most]:
        normals = list(model.normals(feature).items())[:3]
        parts = "   ".join(f"{_short(label)} {normal.mean:.4g} ± {normal.std:.3g}" for label, normal in normals)
        lines.append(f"{_short(feature)}: {parts or 'a constant'}")
    return [*lines, *_rest(len(model.features), most)]


def _category_table(model: CategoricalNB, most: int) -> list[str]:
    lines = ["θ: P(value | class)"]
    for feature in model.features[:most]:
        for value in model.values(feature)[:3]:
            probabilities = list(model.value_probabilities(feature, value).items())[:3]
            parts = "   ".join(f"{_short(label)} {p:.3f}" for label, p in probabilities)
            lines.append(f"{_short(feature)} = {_short(value_text(value))}: {parts}")
    return [*lines, *_rest(len(model.features), most)]


def _many(n: int, noun: str, one: str = "", more: str = "s") -> str:
    return f"{n} {noun}{one if n == 1 else more}"


def _rest(total: int, shown: int) -> list[str]:
    return [f"and {total - shown} more"] if total > shown else []


def _described(model: Any, classes: int) -> str:
    if isinstance(model, MixedNB):
        kinds = f"{model.words.words} words, {_many(len(model.categories.features), 'categor', 'y', 'ies')}"
        return f"{kinds}, {_many(len(model.numbers.features), 'number')}, {classes} classes"
    if isinstance(model, TextNB):
        return f"{model.words} words, {classes} classes"
    if isinstance(model, MailNB):
        return f"{model.features} words and pairs, {classes} classes"
    return f"{len(model.features)} features, {classes} classes"


def _messages(model: Any) -> float:
    return model.labels_learned if isinstance(model, TextNB | MailNB) else sum(model.class_counts.values())


def _legible(word: str) -> bool:
    """Whether a token, without the prefix of its header, has two letters or more: a word, not punctuation."""
    return sum(map(str.isalpha, word.rpartition(":")[2])) >= 2


def _short(name: Any) -> str:
    """The name in at most 18 printable characters, isolated so that one from right to left leaves the order of the
    numbers around it as it is."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(name))
    short = text if len(text) <= 18 else text[:17] + "…"
    return f"\N{FIRST STRONG ISOLATE}{short}\N{POP DIRECTIONAL ISOLATE}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    attributes = f'x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"'
    return f'<text {attributes} xml:space="preserve">{escape(text)}</text>'


def _node(x: float, y: float, symbol: str, seen: bool) -> str:
    kind = "node seen" if seen else "node"
    circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}"/>'
    return circle + _text(x, y + 6, symbol, "math", "middle")


def _parameter(x: float, y: float, symbol: str) -> str:
    circle = f'<circle class="parameter" cx="{x:.1f}" cy="{y:.1f}" r="22"/>'
    return circle + _text(x, y + 6, symbol, "math", "middle")


def _edge(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="edge" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
