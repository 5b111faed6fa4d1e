"""`stream-nb verify`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..options import with_settings

MOST_SHOWN = 100


@click.command("verify")
@with_settings
def command(settings: Settings) -> int:
    """Recount the log from its mails and labels, and compare with the model and the predictions.

    Prints "0 differences" and exits with status 0, or prints the first 100 differences, counts the others, and exits
    with status 1. The status is also 1 if there is nothing to verify. Records that the log no longer keeps are not
    compared, but counted by reason.
    """
    from ...evaluation.verify import verify
    from ...records.number_text import many
    from ...records.setup import open_existing_log

    with open_existing_log(settings) as log:
        findings = verify(log, settings)
    if not (findings.mails or findings.updates or findings.differences):
        click.echo(
            f"nothing to verify: no mail on {settings.log} has been scored and no label learned; "
            "start `stream-nb worker` on it, or correct --log"
        )
        return 1
    for difference in findings.differences[:MOST_SHOWN]:
        click.echo(difference)
    if (others := len(findings.differences) - MOST_SHOWN) > 0:
        click.echo(f"not printed: {many(others, 'difference')} after these")
    for what, count in findings.left_out.items():
        click.echo(f"not compared ({count:,}): {what}")
    mails, updates = many(findings.mails, "mail"), many(findings.updates, "update")
    click.echo(f"{mails}, {updates}: {many(len(findings.differences), 'difference')}")
    return 1 if findings.differences else 0
