"""Options that several commands share."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from ..errors import BadRecord
from .numeric import SEED, count

if TYPE_CHECKING:
    from ..settings import Settings

Returned = TypeVar("Returned")

config_option = click.option(
    "--config",
    envvar="STREAM_NB_CONFIG",
    type=click.Path(path_type=Path),
    help="A TOML file with settings; `stream-nb settings` prints all of them.",
)
log_option = click.option(
    "--log",
    "log_url",
    metavar="URL",
    help="Where the log is: sqlite:DIR or kafka://host:port[,host:port]; default sqlite:var/log.",
)


def with_config(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --config, and pass the `settings` in force to the command; for commands that use no log of the user.

    Args:
        command: A function with a parameter `settings`.
    """

    @config_option
    @functools.wraps(command)
    def wrapper(*args: object, config: Path | None, log_url: str | None = None, **kwargs: object) -> Returned:
        from ..settings import load_settings

        return command(*args, settings=load_settings(config, os.environ, log_url), **kwargs)

    return wrapper


def with_settings(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --log and --config, and pass the `settings` in force to the command.

    Args:
        command: A function with a parameter `settings`.
    """
    return log_option(with_config(command))


def with_given(settings: Settings, section: str, **given: Any) -> Settings:
    """The settings with what options say instead.

    Args:
        settings: The settings in force.
        section: The section that the options are of.
        given: Its settings by name; None where an option was not given.
    """
    import msgspec

    values = {name: value for name, value in given.items() if value is not None}
    return msgspec.structs.replace(settings, **{section: msgspec.structs.replace(getattr(settings, section), **values)})


class SourceOptions(NamedTuple):
    """Which mails of which source, as `source_options` reads them; `limit` is the largest number, None for all."""

    path: str
    shuffle: int | None = None
    classes: str | None = None
    limit: int | None = None
    label: str | None = None
    label_column: str | None = None
    text_column: tuple[str, ...] = ()


def source_options(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add PATH, --shuffle, --classes, --label, --limit and the columns of a table, and pass them as `chosen`.

    Args:
        command: A function with a parameter `chosen`.
    """

    @functools.wraps(command)
    def bundled(*args: object, **kwargs: Any) -> Returned:
        chosen = SourceOptions(**{name: kwargs.pop(name) for name in SourceOptions._fields})
        return command(*args, chosen=chosen, **kwargs)

    wrapper: Callable[..., Returned] = bundled
    for add in (
        click.option("--limit", type=count(1), metavar="MAILS", help="Stop after this many mails."),
        click.option("--label", metavar="CLASS", help="The class of all mails, of an mbox or a mail that tells none."),
        click.option(
            "--classes",
            metavar="RULES",
            help="Names the class of each folder: 'spam*=spam,*=ham', the first pattern that fits decides. By default "
            "a class has the name of its folder, or ham or spam where all folders say so; beside Junk, Spam or Bulk, "
            "which are spam, all are ham, and Trash says nothing.",
        ),
        click.option("--shuffle", type=SEED, metavar="SEED", help="A random order of this seed, not that found."),
        click.argument("path", metavar="PATH"),
    ):
        wrapper = add(wrapper)
    return table_options(wrapper)


def table_options(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --label-column and --text-column: what the columns of a table are.

    Args:
        command: A function with parameters `label_column` and `text_column`.
    """
    for add in (
        click.option(
            "--text-column",
            metavar="NAME",
            multiple=True,
            help="A column of a table that is running text; give it again for more. Of several, the first counts as "
            "the subject of a mail does.",
        ),
        click.option(
            "--label-column",
            metavar="NAME",
            help="PATH is a table, CSV with a header row or a flat JSON object a line, and this column is the class. "
            "Columns of numbers are numbers, all others categories.",
        ),
    ):
        command = add(command)
    return command


def starter_option(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --starter: the file of a model to begin with.

    Args:
        command: A function with a parameter `starter`.
    """
    return click.option(
        "--starter",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Begin with the model in this file, which `stream-nb starter` made of other mail.",
    )(command)


class OutFileType(click.Path):
    """A file to write; fails at once where it cannot be made or written, and not when the work for it is done."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, writable=True, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path `value`, as it was typed or is the default."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if not path.exists() and not os.access(path.parent, os.W_OK):
            self.fail(f"{path}: name a file in a folder that can be written", param, ctx)
        return path


class Utf8Type(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  older click's has no argument
    """Text for a record; Python takes an argument in another encoding, too, since it may be a path."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text `value` as it was typed; fails for what UTF-8 cannot hold."""
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is not UTF-8; type it again in a terminal that sends UTF-8", param, ctx)
        return text


class SourceType(Utf8Type):
    """Who gives labels, as records name it."""

    name = "source"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name `value` as it was typed; fails for one that is nobody's."""
        from ..records.sources import check_source

        text = super().convert(value, param, ctx)
        try:
            check_source(text)
        except BadRecord as error:
            self.fail(error.detail, param, ctx)
        return text
