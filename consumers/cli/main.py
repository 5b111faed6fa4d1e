"""The command line: `stream-nb COMMAND`. Each stage of the picture in `consumers` is a separate command."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import NoReturn

import click

from ..errors import STATUS_USER_ERROR, BadRecord, ConsumerError, compiling_or_error
from .messages import open_stderr, open_stdout, say, writing_output

COMMANDS = {
    "demo": "Run everything on one page: watch a model learn.",
    "feed": "Write mails, and optionally their known labels, to the log.",
    "worker": "Score mails and learn labels.",
    "monitor": "Measure the model's quality and serve /metrics.",
    "dashboard": "Serve the page with live figures and label buttons.",
    "filter": "Answer mail servers in rspamd's and SpamAssassin's protocols.",
    "silence": "Label mails as predicted if nobody complained about them.",
    "combiner": "Add up the workers' deltas, for processes that follow sums.",
    "classify": "Print the class of mails; the exit status reports it, too.",
    "learn": "Label mails in files, for a running filter or a model file.",
    "top": "Show the dashboard's overview in a terminal.",
    "ask": "List the mails whose labels would teach the model most.",
    "label": "Label a message, or withdraw its label.",
    "forget": "Withdraw the labels of a source or of a message.",
    "policy": "Show or change how scores become labels, for new mails.",
    "sources": "List who labels, how much and how reliably.",
    "explain": "Explain the score of a message.",
    "words": "Print the counts of a word, or the strongest words.",
    "net": "Draw the model as a Bayes net.",
    "export": "Write the model's word weights as CSV.",
    "report": "Print accuracy, precision, recall and F1 over the log.",
    "verify": "Recount the log and compare it with the model.",
    "evaluate": "Test, then train on labelled mail or on a log's.",
    "personal": "Train, validate and test a filter on your own mail.",
    "starter": "Build a starter model for new filters from labelled mail.",
    "study": "Print plots and tables of the lecture notes, on your data.",
    "save": "Write the log's model to a file.",
    "load": "Start a new log with a model from a file.",
    "backup": "Copy an SQLite log while it is in use.",
    "topics": "Create or check the log's topics.",
    "settings": "Print the settings in force.",
}
"""Each command, in a module of its name, with its summary."""


class LazyGroup(click.Group):
    """A group that imports a command when it is run, so that `--help` starts fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command named `cmd_name`; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f".commands.{cmd_name}", __package__).command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command named by `args[0]` and its arguments; a wrong name fails and suggests the most similar one."""
        near = get_close_matches(args[0], COMMANDS, 1)
        if near and args[0] not in COMMANDS:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write names and summaries without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="stream-nb")
def cli() -> None:
    """A naive Bayes mail filter that learns one message at a time from a log.

    Start with `stream-nb demo`. Each stage (feed, worker, monitor, dashboard) is a separate command and process;
    the stages communicate only through the log.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `arguments` (None: sys.argv) and exit. An error prints one line on stderr; a user's mistake exits with
    status 2. What the output cannot encode is escaped, as Python does on stderr."""
    if sys.stderr is sys.__stderr__:
        open_stderr()
    open_stdout()
    try:
        with writing_output(), compiling_or_error():
            status = cli.main(arguments, prog_name="stream-nb", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = 2
    except BadRecord as error:  # what was typed, or what is asked for
        say(f"stream-nb: {error.detail}")
        status = STATUS_USER_ERROR
    except ConsumerError as error:
        say(f"stream-nb: {error}")
        status = error.exit_status
    except (click.Abort, KeyboardInterrupt):
        _end_interrupted()
    sys.exit(status if isinstance(status, int) else 0)


def _end_interrupted() -> NoReturn:
    """End this process after Ctrl-C, and remove the temporary folder that Python has for processes. Python would wait
    for threads, which may wait for a log that does not answer."""
    with suppress(OSError):
        sys.stdout.flush()
    processes = sys.modules.get("multiprocessing.util")
    with suppress(OSError):
        if processes is not None:
            shutil.rmtree(processes.get_temp_dir())
    os._exit(128 + signal.SIGINT)
