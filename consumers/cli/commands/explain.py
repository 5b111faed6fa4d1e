"""`stream-nb explain MESSAGE_ID`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...records.number_text import many, percent
from ...settings import Settings
from ..messages import printable
from ..options import Utf8Type, with_settings

if TYPE_CHECKING:
    from ...explain.explanation import Explanation
    from ...records.schemas import PredictionRecord

MOST_FLIPS = 12
"""Maximum number of deciding words that are named; if there are more, they are only counted."""
WIDEST = 120
"""Maximum width of the counts, in columns; if all classes need more, only those that are compared are printed."""


@click.command("explain")
@click.argument("message_id", type=Utf8Type())
@with_settings
def command(settings: Settings, message_id: str) -> None:
    """Explain a message's current score: the terms that add up to its log-odds, with their counts.

    Angle brackets around the id are optional.
    """
    from ...errors import UserError
    from ...explain.explainer import Explainer
    from ...records.lookup import ID_BY_CONTENT, find_mail, why_quarantined
    from ...records.setup import open_existing_log

    with open_existing_log(settings) as log:
        explainer = Explainer(log, settings)
        found = find_mail(log, message_id)
        if found is None or found.prediction is None:
            refused = why_quarantined(log, message_id)
            if refused is not None:
                raise UserError(f"mail {message_id!r} is in quarantine: {refused}")
        if found is None:
            raise UserError(f"no mail {message_id!r} is on {settings.log}; check the id: {ID_BY_CONTENT}")
        if found.prediction is None:
            raise UserError(f"no worker has scored {found.id!r} on {settings.log} yet; run `stream-nb worker`")
        why = explainer.why(found.place)
    _print(found.prediction, why)


def _print(prediction: PredictionRecord, why: Explanation) -> None:

    predicted = printable(prediction.label or "unknown")
    click.echo(f"{why['subject'] or '(no subject)'}\nfrom {why['sender'] or 'unknown sender'}")
    click.echo(f"predicted {predicted} on arrival, with {many(prediction.labels_learned, 'label')} learned\n")
    probability = f" (probability {percent(why['probability'], 1)})" if why["about"] == why["positive"] else ""
    about = why["about"] or why["positive"]
    against = f" against {why['rival']}" if len(why["classes"]) > 2 else ""
    click.echo(f"now log-odds {why['log_odds']:+z.4f} for {about}{against}{probability}, "
               f"{many(why['labels_learned'], 'label')} learned\n")  # fmt: skip
    _print_terms(why)
    if len(why["flip"]) > MOST_FLIPS:
        click.echo(f"\nmany words decide: the {len(why['flip'])} strongest must go before the prediction changes")
    elif why["flip"]:
        which = "this" if len(why["flip"]) == 1 else "these"
        click.echo(f"\nwithout {which} the prediction would change: {', '.join(why['flip'])}")


def _print_terms(why: Explanation) -> None:
    """The terms with their counts by class, and the sum."""
    from rich.cells import cell_len

    from stream_nb.tabular.feature_text import normal_text

    widths = {label: max(9, cell_len(label)) for label in why["classes"]}
    if sum(widths.values()) + len(widths) > WIDEST:
        widths = {label: widths[label] for label in (why["about"], why["rival"]) if label in widths}
    counts = "".join(" " * (1 + width - cell_len(label)) + label for label, width in widths.items())
    click.echo(f"{'weight':>10}{counts}  term")
    for term in why["terms"]:
        row = "".join(f" {term['counts'].get(label, 0.0):{width}.2f}" for label, width in widths.items())
        spread = ", ".join(
            f"{label} {normal_text(term['normals'][label]['mean'], term['normals'][label]['std'])}"
            for label in widths
            if label in term["normals"]
        )
        click.echo(f"{term['weight']:+z10.4f}{row}  {term['text']}{'; ' if spread else ''}{spread}")
    blank = " " * cell_len(counts)
    if why["rest"]["terms"]:
        click.echo(f"{why['rest']['weight']:+z10.4f}{blank}  ({why['rest']['terms']} weaker terms)")
    click.echo(f"{why['bias']:+z10.4f}{blank}  (bias)")
    click.echo(f"{why['log_odds']:+z10.4f}{blank}  sum")
    if why["starter"]:
        click.echo(f"{why['starter']:+z10.4f}{blank}  included above, from the starter")
