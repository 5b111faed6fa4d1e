"""`stream-nb words [WORD]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...errors import UserError
from ...settings import Settings
from ..options import Utf8Type, with_settings

if TYPE_CHECKING:
    from ...explain.explanation import WordAnswer, WordLists
    from ...records.values import Label

MOST_COUNTS = 3


@click.command("words")
@click.argument("word", type=Utf8Type(), required=False)
@with_settings
def command(settings: Settings, word: str | None) -> None:
    """Print the counts of WORD in each class; without WORD, the strongest words of each class.

    Prefix a word in a header with the header's name, as in subject:free. The weight of a word for a class is log
    P(word | class) - log P(word | all other classes). The dashboard's page Features shows numbers and categories.
    """
    from ...explain.explainer import Explainer
    from ...model.textbook_input import READS_WORDS
    from ...records.setup import open_existing_log

    if settings.learner.model not in READS_WORDS:
        name = settings.learner.model
        raise UserError(f"the {name} model reads no words; the dashboard's page Features shows what it knows")
    with open_existing_log(settings) as log:
        explainer = Explainer(log, settings)
        if word is None:
            _print_strongest(explainer.words())
        else:
            _print_word(explainer.word(word))


def _print_strongest(words: WordLists) -> None:
    if not any(words["text"].values()):
        click.echo("no word of a text tells one class from another yet")
        return
    for label, terms in words["text"].items():
        click.echo(f"{label}:")
        for term in terms:
            click.echo(f"  {term['weight']:+z8.3f}  {term['text']}  ({_counts(term['counts'])})")


def _counts(counts: dict[Label, float]) -> str:
    """The counts of a word; of more than two classes those with the largest ones."""
    shown = list(counts.items())
    if len(shown) > 2:
        shown = sorted(shown, key=lambda item: -item[1])[:MOST_COUNTS]
        shown = [item for item in shown if f"{item[1]:.1f}" != "0.0"]
    return ", ".join(f"{count:.1f} {name}" for name, count in shown)


def _print_word(answer: WordAnswer) -> None:
    if not answer["found"]:
        advice = "; look up one word at a time" if " " in answer["word"] else ""
        click.echo(f"{answer['word']}: the model has not learned this word{advice}")
    for entry in answer["found"]:
        adds = f"{entry['weight']:+z.4f} to the log-odds of {entry['about']}"
        click.echo(f"{entry['text']}: alone in a mail it adds {adds}")
        for label in answer["classes"]:
            count, share = entry["counts"].get(label, 0.0), entry["probabilities"][label]
            often = f"{entry['occurrences'].get(label, 0.0):.2f} occurrences, " if entry["occurrences"] else ""
            weight = f", weight {entry['weights'][label]:+z.3f}" if label in entry["weights"] else ""
            click.echo(f"  {label}: {count:.2f} mails, {often}p = {share:.3g}{weight}")
