"""`stream-nb explain MESSAGE_ID`."""

from __future__ import annotations

import click

from consumers.commands.options import with_settings


@click.command("explain")
@click.argument("message_id")
@with_settings
def command(settings, message_id: str) -> None:
    """Print why a message on the log scores as it does now: its terms, with counts, adding up to the log-odds."""
    from consumers.commands.asking import explainer
    from consumers.errors import UserError

    with explainer(settings) as (log, ask):
        place = _place(log, message_id)
        if place is None:
            raise UserError(f"no prediction of message {message_id!r} on {settings.log}; is the id right?")
        why = ask.why(place)
    click.echo(f"{why['subject']}\nfrom {why['sender']}\n")
    click.echo(f"log-odds {why['odds']:+.4f} for {why['positive']} (probability {why['probability']:.3f}), "
               f"{why['labels_learned']} labels learned\n")  # fmt: skip
    counts = "".join(label.rjust(10) for label in why["classes"])
    click.echo(f"{'weight':>10}{counts}  term")
    for term in why["terms"]:
        row = "".join(f"{term['counts'].get(label, 0.0):10.2f}" for label in why["classes"])
        click.echo(f"{term['weight']:+10.4f}{row}  {term['text']}")
    blank = " " * 10 * len(why["classes"])
    click.echo(f"{why['rest']['weight']:+10.4f}{blank}  ({why['rest']['terms']} weaker terms)")
    click.echo(f"{why['bias']:+10.4f}{blank}  (bias)")
    click.echo(f"{why['odds']:+10.4f}{blank}  sum")
    if why["flip"]:
        click.echo(f"\nwithout these it would be called otherwise: {', '.join(why['flip'])}")


def _place(log, message_id: str) -> tuple[int, int] | None:
    from consumers.logreport import read_predictions

    for _, prediction in read_predictions(log):
        if prediction.id == message_id:
            return prediction.partition, prediction.next_offset - 1
    return None
