"""`stream-nb report`."""

from __future__ import annotations

import click

from ...settings import Settings
from ..options import with_settings


@click.command("report")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@with_settings
def command(settings: Settings, as_json: bool) -> None:
    """Print accuracy, ranking, precision, recall, F1 and the confusion matrix of the labelled mails on the log.

    Each mail counts with its score on arrival, before its label was known. Mails count only as long as the log keeps
    their predictions and labels.
    """
    from ...evaluation.log_report import report_log
    from ...evaluation.report import render
    from ...records.schemas import encode
    from ...records.setup import open_existing_log

    with open_existing_log(settings) as log:
        report = report_log(log, settings.learner.positive)
    click.echo(encode(report).decode() if as_json else render(report))
