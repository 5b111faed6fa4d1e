"""`stream-nb demo`."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ...errors import UserError
from ...settings import Settings
from ..mails import open_mails
from ..messages import note, say
from ..numeric import SEED, RateType, count
from ..options import SourceOptions, classes_option, table_options, with_config

if TYPE_CHECKING:
    from ...ingest.feeder import Item
    from ...ingest.formats.table import Columns

GENERATED_MAILS = 3000
NEXT = """
Next:
  stream-nb demo PATH               the same with your own mail: a folder, an mbox, a Maildir
  stream-nb personal PATH           a tested filter for one mailbox
  stream-nb worker, then monitor, dashboard and feed PATH, each in its own terminal: a permanent log"""


@click.command("demo")
@click.argument("path", metavar="[PATH]", required=False)
@click.option(
    "--mails",
    type=count(1),
    help=f"Stop after this many mails; default: all of PATH, or {GENERATED_MAILS} generated ones.",
)
@click.option("--rate", type=RateType(), default=100.0, show_default=True, help="Mails per second; 0 is full speed.")
@click.option(
    "--seed", type=SEED, default=1, show_default=True, help="Seed of the generated mail and of the label delays."
)
@classes_option
@table_options
@with_config
def command(
    settings: Settings,
    path: str | None,
    mails: int | None,
    rate: float,
    seed: int,
    classes: str | None,
    columns: Columns | None,
) -> None:
    """Run feed, worker, monitor and dashboard together and watch a model learn.

    Without PATH the mail is generated, with a new spam campaign half-way; PATH is as for `feed`. Labels arrive some
    mails later, as from people. The log is a temporary SQLite log.
    """
    import sys

    import msgspec

    from ...ingest.class_runs import ClassRuns
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ..demo_run import Stages, free_port, play
    from ..progress import progress_bar, status_line

    total, items = _items(settings, path, mails, seed, classes, columns)
    runs = ClassRuns()
    stop = stop_on_signals()
    with tempfile.TemporaryDirectory(prefix="stream-nb-demo-") as folder:
        settings = msgspec.structs.replace(settings, log=f"sqlite:{folder}")
        port = free_port(settings.dashboard.port)
        say("starting worker, monitor and dashboard")
        with open_ready_log(settings, lambda text: None) as log, Stages(settings, port, stop) as stages:
            page = stages.wait_for_page()
            if stop.is_set():
                return
            click.echo(f"dashboard   {page}")
            with status_line() as show:
                stages.wait_for_worker(log, show)
            if stop.is_set():
                return
            with progress_bar(total) as progress:
                mails_per_s = play(log, settings, runs.watch(items), rate, seed, progress, stop)
            from ...evaluation.log_report import report_log
            from ...evaluation.report import render

            report = report_log(log, settings.learner.positive)
            click.echo(render(msgspec.structs.replace(report, mails_per_s=mails_per_s)))
            if rate:
                click.echo(f"            (the rate was limited to {rate:g} mails/s; --rate 0 is full speed)")
            if runs.note is not None:
                note(f"{runs.note}; `stream-nb evaluate PATH --shuffle 0` mixes them")
            click.echo(NEXT)
            if sys.stdout.isatty() and not stop.is_set():
                click.echo(f"\nThe dashboard stays up at {page} until Ctrl-C.")
                stop.wait()


def _items(
    settings: Settings, path: str | None, mails: int | None, seed: int, classes: str | None, columns: Columns | None
) -> tuple[int | None, Iterator[Item]]:
    """The number of mails (None if unknown) and the mails."""
    if path is not None:
        _, total, items = open_mails(SourceOptions(path, classes=classes, limit=mails, columns=columns), settings)
        return total, items
    if columns is not None:
        raise UserError("--label-column and --text-column need a table; name it as PATH")
    if classes is not None:
        raise UserError("--classes names the classes of folders; name a folder of mail as PATH")
    from ...ingest.synthetic import synthetic_mails

    total = mails or GENERATED_MAILS
    return total, synthetic_mails(total, seed=seed)
