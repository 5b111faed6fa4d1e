"""`stream-nb explain MESSAGE_ID`."""

from __future__ import annotations

import click

from ..options import with_settings


@click.command("explain")
@click.argument("message_id")
@with_settings
def command(settings, message_id: str) -> None:
    """Print why a message on the log scores as it does now: its terms, with counts, adding up to the log-odds.

    Angle brackets around the id are optional.
    """
    from ...errors import UserError
    from ...records.lookup import find
    from ..explaining import explainer

    with explainer(settings) as (log, ask):
        found = find(log, message_id)
        if found is None:
            raise UserError(f"no mail {message_id!r} is on {settings.log}; is the id right?")
        if not found.scored:
            raise UserError(f"mail {found.id!r} waits on {settings.log}: no worker has scored it yet; start one")
        why = ask.why((found.place.partition, found.offset))
    click.echo(f"{why['subject']}\nfrom {why['sender']}\n")
    click.echo(f"log-odds {why['log_odds']:+.4f} for {why['positive']} (probability {why['probability']:.3f}), "
               f"{why['labels_learned']} labels learned\n")  # fmt: skip
    counts = "".join(label.rjust(10) for label in why["classes"])
    click.echo(f"{'weight':>10}{counts}  term")
    for term in why["terms"]:
        row = "".join(f"{term['counts'].get(label, 0.0):10.2f}" for label in why["classes"])
        click.echo(f"{term['weight']:+10.4f}{row}  {term['text']}")
    blank = " " * 10 * len(why["classes"])
    click.echo(f"{why['rest']['weight']:+10.4f}{blank}  ({why['rest']['terms']} weaker terms)")
    click.echo(f"{why['bias']:+10.4f}{blank}  (bias)")
    click.echo(f"{why['log_odds']:+10.4f}{blank}  sum")
    if why["flip"]:
        click.echo(f"\nwithout these it would be called otherwise: {', '.join(why['flip'])}")
