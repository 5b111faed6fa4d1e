"""`stream-nb demo`."""

from __future__ import annotations

import itertools
import tempfile

import click

from ..options import note, with_settings


@click.command("demo")
@click.argument("path", metavar="[PATH]", required=False)
@click.option("--mails", type=click.IntRange(min=1), help="Stop after this many mails; default 3000, with PATH all.")
@click.option(
    "--rate", type=click.FloatRange(min=0), default=100.0, show_default=True, help="Mails per second; 0: full speed."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the generated mail and of label delays.")
@with_settings
def command(settings, path, mails, rate, seed) -> None:
    """Run feed, worker, monitor and dashboard together and watch a model learn.

    Without PATH it plays generated mail, with a new spam campaign half-way; PATH is as for `feed`. Labels come back
    later, as from people. The log is a temporary one.
    """
    import sys

    import msgspec

    from ...evaluation.log_report import report_log
    from ...evaluation.report import render
    from ...records.setup import open_ready_log
    from ...runtime.shutdown import stop_on_signals
    from ..demo_run import Stages, free_port, play
    from ..progress import progress_bar

    total, items = _items(path, mails, seed)
    stop = stop_on_signals()
    with tempfile.TemporaryDirectory(prefix="stream-nb-demo-") as folder:
        settings = msgspec.structs.replace(settings, log=f"sqlite:{folder}")
        port = free_port(settings.dashboard.port)
        click.echo("starting worker, monitor and dashboard", err=True)
        with open_ready_log(settings, notify=lambda text: None) as log, Stages(settings, port, stop) as stages:
            page = stages.wait_for_page()
            if stop.is_set():
                return
            click.echo(f"dashboard   {page}")
            with progress_bar("mails", total) as progress:
                mails_per_s = play(log, settings, items, rate, seed, progress, stop)
            report = report_log(log, settings.learner.positive)
            click.echo(render(msgspec.structs.replace(report, mails_per_s=mails_per_s)))
            if rate:
                click.echo(f"            (asked for {rate:g} mails/s; --rate 0 shows the full speed)")
            if sys.stdout.isatty() and not stop.is_set():
                click.echo(f"\nThe dashboard stays up at {page} until Ctrl-C.")
                stop.wait()


def _items(path: str | None, mails: int | None, seed: int):
    if path is None:
        from ...ingest.synthetic import synthetic_mails

        total = mails or 3000
        return total, synthetic_mails(total, seed=seed)
    from ...ingest.formats import open_source

    source = open_source(path, notify=note)
    total = source.total if mails is None else min(mails, source.total or mails)
    return total, itertools.islice(source, mails)
