"""The command line: `stream-nb COMMAND`. Every stage of the picture in `consumers` is a command of its own."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

import click

from consumers.errors import ConsumerError, UserError

COMMANDS = {
    "demo": ("consumers.commands.demo", "Run everything on one page: watch a model learn."),
    "feed": ("consumers.commands.feed", "Put mails (and their known labels) on the log."),
    "worker": ("consumers.commands.worker", "Score mails and learn labels."),
    "monitor": ("consumers.commands.monitor", "Watch the model's quality; serves /metrics."),
    "dashboard": ("consumers.commands.dashboard", "Serve the page with live figures and label buttons."),
    "filter": ("consumers.commands.filter", "Answer mail servers in rspamd's and SpamAssassin's protocols."),
    "top": ("consumers.commands.top", "The dashboard's overview in a terminal."),
    "classify": ("consumers.commands.classify", "Say what mails are, by exit status and in words."),
    "learn": ("consumers.commands.learn", "Teach mails from files to a running filter or a model file."),
    "label": ("consumers.commands.label", "Say what a message is."),
    "forget": ("consumers.commands.forget", "Take back what a source, or one message, has taught."),
    "sources": ("consumers.commands.sources", "Who labels, how much, and how reliably."),
    "explain": ("consumers.commands.explain", "Why a message scored as it did."),
    "words": ("consumers.commands.words", "What the model knows of a word, or its strongest words."),
    "report": ("consumers.commands.report", "Accuracy, precision, recall, F1 from the log."),
    "verify": ("consumers.commands.verify", "Recount the log and compare with the running model."),
    "evaluate": ("consumers.commands.evaluate", "Test-then-train over a file or folder, without a log."),
    "personal": ("consumers.commands.personal", "Train, validate and test a filter on your own mail."),
    "study": ("consumers.commands.study", "Plots and tables of the lecture notes, on your data."),
    "save": ("consumers.commands.save", "Write the log's model to a file."),
    "load": ("consumers.commands.load", "Start a fresh log from a model in a file."),
    "topics": ("consumers.commands.topics", "Create or check the log's topics."),
    "settings": ("consumers.commands.settings", "Print the settings in force."),
}


class LazyGroup(click.Group):
    """Commands are imported when they are called, so that `--help` starts at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in COMMANDS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        return importlib.import_module(COMMANDS[name][0]).command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
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
    """Run the command line, or other arguments; a user's mistake is one line on stderr and status 2."""
    try:
        status = cli.main(arguments, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = 2
    except UserError as error:
        click.echo(f"stream-nb: {error}", err=True)
        status = 2
    except ConsumerError as error:
        click.echo(f"stream-nb: {error}", err=True)
        status = 1
    except (click.Abort, KeyboardInterrupt):
        status = 130
    sys.exit(status if isinstance(status, int) else 0)
