"""`stream-nb classify [FILE ...]`."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import ConsumerError
from ..messages import drop_output, note, printable, say, writing_output
from ..options import config_option, log_option

if TYPE_CHECKING:
    from ...filter.client import FilterClient
    from ...filter.model_file import ModelFile
    from ...settings import Settings

SPAM, HAM, UNSURE, ERROR = 0, 1, 2, 3


class ByStatus(click.Command):
    """A command whose exit status is its answer, so errors need a status of their own."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            error.show()
            raise click.exceptions.Exit(ERROR) from error

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with writing_output():
                return super().invoke(ctx)
        except ConsumerError as error:
            say(f"stream-nb: {error}")
            raise click.exceptions.Exit(ERROR) from error
        except BrokenPipeError as error:
            drop_output()
            raise click.exceptions.Exit(ERROR) from error
        except (click.exceptions.Exit, click.ClickException, click.Abort):
            raise
        except Exception as error:  # a defect; Python's own status for it, 1, would mean ham
            traceback.print_exc()
            raise click.exceptions.Exit(ERROR) from error


@click.command("classify", cls=ByStatus)
@click.argument("paths", metavar="[FILE]...", nargs=-1)
@click.option("--model", type=click.Path(path_type=Path), help="Use this model file instead of a running filter.")
@click.option("--passthrough", is_flag=True, help="Print the mail with X-Stream-NB header fields added.")
@log_option
@config_option
def command(
    paths: tuple[str, ...], model: Path | None, passthrough: bool, config: Path | None, log_url: str | None
) -> int:
    """Print the class of mails, the probability of spam, and the words that decided, or why there is no class.

    Mails come from files (one mail or an mbox each), folders, or standard input. They are scored by a running
    `stream-nb filter`, or by the --model file, written by `stream-nb learn` or `stream-nb save`.

    The exit status is bogofilter's: 0 spam, 1 ham, 2 unsure or not scored, 3 an error. For several mails it is 0 if any
    is spam, else 2 if any is unsure.

    --passthrough takes one mail. It is printed whatever happens and the exit status is 0, because delivery agents treat
    any other status as a failure; the header fields have the result.
    """
    from ...filter.mail_input import is_small, read_mails, read_one
    from ...settings import load_settings

    read_settings = partial(load_settings, config, os.environ, log_url)
    if passthrough:
        _pass(read_one(paths), model, read_settings)
        return 0
    settings = read_settings()
    scorer: ModelFile | FilterClient | None = None
    statuses: set[int] = set()
    mails = read_mails(paths, note)
    first = list(islice(mails, 2))
    for name, raw in chain(first, mails):
        scorer = scorer or _scorer(model, settings, is_small(first))
        reply = scorer.check(raw)
        statuses.add(_status(reply.label, reply.is_spam))
        why = reply.detail if reply.label is None else ", ".join(reply.words)
        because = f": {why}" if why else ""
        click.echo(printable(f"{reply.label or 'unknown'} {reply.probability:.4f} {name}{because}"))
    return SPAM if SPAM in statuses else UNSURE if UNSURE in statuses else HAM


def _pass(raw: bytes, model: Path | None, read_settings: Callable[[], Settings]) -> None:
    from ...filter.headers import with_fields
    from ...filter.mail_input import STDIN, is_small

    fields: list[tuple[str, str]] = []
    try:
        fields = _scorer(model, read_settings(), is_small([(STDIN, raw)])).check(raw).fields
    except ConsumerError as error:
        say(f"stream-nb: the mail is passed on without a score: {error}")
    except Exception:  # a defect must not hold the mail either
        traceback.print_exc()
    sys.stdout.buffer.write(with_fields(raw, fields))


def _scorer(model: Path | None, settings: Settings, small: bool) -> ModelFile | FilterClient:
    if model is None:
        from ...filter.client import FilterClient

        return FilterClient(settings.filter)
    from stream_nb import kernels

    from ...filter.model_file import ModelFile

    kernels.compiling = not small

    return ModelFile(model, settings)


def _status(label: str | None, is_spam: bool) -> int:
    if label is None or label == "unsure":
        return UNSURE
    return SPAM if is_spam else HAM
