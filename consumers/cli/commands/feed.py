"""`stream-nb feed PATH`."""

from __future__ import annotations

import itertools

import click

from ..options import note, source_options, with_settings


@click.command("feed")
@source_options
@click.option("--rate", type=click.FloatRange(min=0), default=0.0, help="Mails per second; default as fast as can be.")
@click.option("--labels", is_flag=True, help="Also send the labels that are known (folder names, index, JSON).")
@click.option(
    "--label-delay",
    type=click.IntRange(min=0),
    default=0,
    metavar="MAILS",
    help="Send each label this many mails after its mail.",
)
@with_settings
def command(settings, path, shuffle, classes, limit, rate, labels, label_delay) -> None:
    """Put mails on the log.

    PATH is a folder with a sub-folder or an mbox a class (Thunderbird's folders too), an mbox, a Maildir, a TREC index,
    a JSON-lines file, one mail, or - for standard input. A message's id is its Message-ID header, else a hash of its
    content.
    """
    from ...ingest.feeder import Feeder
    from ...ingest.formats import open_source
    from ...records.setup import open_ready_log
    from ..progress import progress_bar

    source = open_source(path, shuffle=shuffle, classes=classes, notify=note)
    items = itertools.islice(source, limit)
    total = source.total if limit is None else min(limit, source.total or limit)
    with open_ready_log(settings, notify=lambda text: click.echo(text, err=True)) as log:
        delays = itertools.repeat(label_delay) if labels else None
        with progress_bar("mails", total) as progress:
            fed = Feeder(log, rate, delays, total=total, progress=progress).run(items)
    click.echo(f"{fed.mails} mails and {fed.labels} labels are on {settings.log}")
