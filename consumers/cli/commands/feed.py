"""`stream-nb feed PATH`."""

from __future__ import annotations

import itertools

import click

from ...errors import UserError
from ...settings import Settings
from ..mails import open_mails
from ..options import say, source_options, with_settings


@click.command("feed")
@source_options
@click.option(
    "--rate",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="MAILS/S",
    help="Mails a second; 0, the default, is full speed.",
)
@click.option(
    "--labels",
    is_flag=True,
    help="Also send the labels that PATH tells: by folders, index or JSON. --label does so too.",
)
@click.option(
    "--label-delay",
    type=click.IntRange(min=0),
    default=0,
    metavar="MAILS",
    help="Send each label this many mails after its mail; 0 sends it right after.",
)
@click.option("--dry-run", is_flag=True, help="Say what PATH holds, and put nothing on the log.")
@click.option(
    "--next-hop",
    metavar="URL",
    help="Of lmtp://: pass mails on to smtp://host:port, lmtp://host:port or lmtp:///socket, with header fields added.",
)
@with_settings
def command(
    settings: Settings,
    path: str,
    shuffle: int | None,
    classes: str | None,
    label: str | None,
    limit: int | None,
    rate: float,
    labels: bool,
    label_delay: int,
    dry_run: bool,
    next_hop: str | None,
) -> None:
    """Put mails on the log.

    PATH is a folder with one sub-folder or one mbox for each class (folders of Thunderbird and Apple Mail too), an mbox
    (Gmail's labels are classes), a Maildir, a TREC index, a file of JSON lines, one mail, or - for standard input. The
    id of a mail is its Message-ID header, else a hash of its content.

    Or PATH is lmtp://host:port, where an MTA delivers mails until Ctrl-C: each is acknowledged when the log has it, or
    when --next-hop took it.
    """
    if path.startswith("lmtp://"):
        from ..feed_lmtp import feed_lmtp

        _refuse_others("lmtp://", shuffle is not None, classes, label, limit, rate, labels, label_delay, dry_run)
        feed_lmtp(settings, path, next_hop)
        return
    if next_hop is not None:
        raise UserError("--next-hop is for mails that an MTA delivers: give lmtp://host:port as PATH")
    from ...ingest.feeder import Feeder
    from ...ingest.formats.summary import summarize
    from ...records.setup import open_ready_log
    from ..progress import progress_bar

    source, total, items = open_mails(path, shuffle, classes, limit, label)
    labels = labels or label is not None
    summary = summarize(source, limit, count=dry_run)
    if not labels and any(file.label is not None for file in source.files or ()):
        summary += "; labels are not sent without --labels"
    if dry_run:
        click.echo(summary)
        return
    say(summary)
    with open_ready_log(settings, say) as log:
        delays = itertools.repeat(label_delay) if labels else None
        with progress_bar("mails", total) as progress:
            fed = Feeder(log, rate, delays, total=total, progress=progress).run(items)
    click.echo(f"{fed.mails} mails and {fed.labels} labels are on {settings.log}")


def _refuse_others(scheme: str, *values: object) -> None:
    if any(values):
        raise UserError(f"{scheme} takes none of the options that choose or label the mails of a file or folder")
