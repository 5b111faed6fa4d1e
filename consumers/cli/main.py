"""The command line: `stream-nb COMMAND`. Each stage of the picture in `consumers` is a command of its own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from difflib import get_close_matches

import click

from ..errors import ConsumerError
from .messages import say, writing_output

COMMANDS = {
    "demo": (".commands.demo", "Run everything on one page: watch a model learn."),
    "feed": (".commands.feed", "Put mails, and the labels that are known, on the log."),
    "worker": (".commands.worker", "Score mails and learn labels."),
    "monitor": (".commands.monitor", "Measure the model's quality; serves /metrics."),
    "dashboard": (".commands.dashboard", "Serve the page with live figures and label buttons."),
    "filter": (".commands.filter", "Answer mail servers in rspamd's and SpamAssassin's protocols."),
    "silence": (".commands.silence", "Label mails that nobody complained about as they were predicted."),
    "combiner": (".commands.combiner", "Add up what workers learn, for processes that follow sums."),
    "classify": (".commands.classify", "Print the class of mails, and tell it by exit status."),
    "learn": (".commands.learn", "Give mails in files their label: in a running filter or a model file."),
    "top": (".commands.top", "Show the dashboard's overview in a terminal."),
    "ask": (".commands.ask", "List the mails whose labels would teach the model most."),
    "label": (".commands.label", "Give a message its label, or withdraw it."),
    "forget": (".commands.forget", "Take back the labels of a source, or of a message."),
    "policy": (".commands.policy", "Print or change how scores become labels, for the mails to come."),
    "sources": (".commands.sources", "Print who labels, how much and how reliably."),
    "explain": (".commands.explain", "Print why a message scores as it does."),
    "words": (".commands.words", "Print the counts of a word, or the strongest words."),
    "net": (".commands.net", "Draw the model as a Bayes net."),
    "export": (".commands.export", "Write weights and words of the model as CSV."),
    "report": (".commands.report", "Print accuracy, precision, recall and F1 over the log."),
    "verify": (".commands.verify", "Recount the log and compare it with the model."),
    "evaluate": (".commands.evaluate", "Test, then train over a file or folder, without a log."),
    "personal": (".commands.personal", "Train, validate and test a filter on your own mail."),
    "starter": (".commands.starter", "Make a model of any labelled mail for new filters to begin with."),
    "study": (".commands.study", "Plots and tables of the lecture notes, on your data."),
    "save": (".commands.save", "Write the log's model to a file."),
    "load": (".commands.load", "Start a fresh log with a model from a file."),
    "backup": (".commands.backup", "Copy an SQLite log while it is in use."),
    "topics": (".commands.topics", "Create or check the log's topics."),
    "settings": (".commands.settings", "Print the settings in force."),
}


class LazyGroup(click.Group):
    """Imports a command when it is run, so that `--help` starts at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command named `cmd_name`, imported now; None for another name."""
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(COMMANDS[cmd_name][0], __package__).command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` begin with, and its own; a wrong name fails with the nearest one."""
        near = get_close_matches(args[0], COMMANDS, 1)
        if near and args[0] not in COMMANDS:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write names and first sentences without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="stream-nb")
def cli() -> None:
    """A naive Bayes mail filter that learns one message at a time from a log.

    Start with `stream-nb demo`. Each stage is a command and a process of its own, joined only by the log:
    feed, worker, monitor, dashboard.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `arguments` (None: those of the process) and exit; an error is one line on stderr, and a user's mistake has
    status 2."""
    try:
        with writing_output():
            status = cli.main(arguments, prog_name="stream-nb", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = 2
    except ConsumerError as error:
        say(f"stream-nb: {error}")
        status = error.exit_status
    except (click.Abort, KeyboardInterrupt):
        status = 130
    sys.exit(status if isinstance(status, int) else 0)
