"""`stream-nb ask`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from ...records.sanitize import show_safely
from ...settings import Settings
from ..messages import say
from ..options import with_settings

if TYPE_CHECKING:
    from ...monitor.ask_list import AskedMail, AskList, LabelGains


@click.command("ask")
@click.option("--most", type=click.IntRange(1, 100), default=20, show_default=True, help="Maximum number of mails.")
@click.option("--json", "as_json", is_flag=True, help="Print the mails as JSON.")
@with_settings
def command(settings: Settings, most: int, as_json: bool) -> None:
    """List the mails whose labels would teach the model most: those it is least certain of now.

    Only mails without a label are listed. Label them with `stream-nb label ID CLASS`, or on the dashboard's page
    "Ask me these".
    """
    from ...explain.explainer import Explainer
    from ...monitor.ask_list import ask_list, ask_pool
    from ...monitor.search import MailSearch
    from ...records.schemas import encode
    from ...records.setup import open_existing_log

    with open_existing_log(settings) as log:
        asked = ask_list(ask_pool(MailSearch(log).mails()), Explainer(log, settings), most)
    if as_json:
        click.echo(encode(asked).decode())
    else:
        _print(asked, settings.learner.positive)


def _print(asked: AskList, positive: str) -> None:
    if not asked.mails:
        click.echo("no mail without a label")
    for mail in asked.mails:
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(mail.row.arrived_at))
        click.echo(f"{_prediction(mail, positive)}  {when}  {mail.row.sender or 'unknown sender'}")
        click.echo(f"    {mail.row.subject or '(no subject)'}")
        click.echo(f"    {show_safely(mail.row.id, 200)}")
        click.echo(f"    {_reason(mail)}")
    say(f"{asked.uncertain:,} of the latest {asked.unlabelled:,} mails without a label were close to another class")
    for name, gains in (("labels of such mails", asked.gains), ("all other labels", asked.other_gains)):
        say(f"{name}: {_describe(gains)}")


def _prediction(mail: AskedMail, positive: str) -> str:
    """The model's prediction of a mail; a probability only if the positive class is one of the best two."""
    from ...records.number_text import share_percentage

    if positive in (mail.label, mail.runner_up):
        return f"{share_percentage(mail.probability, 0):>3} % {positive}"
    return show_safely(mail.label or "no class", 100)


def _reason(mail: AskedMail) -> str:
    """Why a label would teach something."""
    features = mail.known + mail.unseen
    new = f"; {mail.unseen} of its {features} words and pairs are new" if mail.unseen else ""
    if mail.margin is None:
        return f"the model knows fewer than two classes{new}"
    return f"{mail.label} leads {mail.runner_up} by {mail.margin:.2f} in log-odds{new}"


def _describe(gains: LabelGains) -> str:
    if not gains.labels:
        return "none"
    corrected = f"{gains.corrected:,} of {gains.labels:,} corrected the prediction"
    return f"{corrected}, and each taught {gains.taught / gains.labels:.2f} of a mail"
