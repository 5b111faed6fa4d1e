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
    from ..ingest.formats.table import Columns
    from ..settings import Settings

Returned = TypeVar("Returned")

config_option = click.option(
    "--config",
    envvar="STREAM_NB_CONFIG",
    type=click.Path(path_type=Path),
    help="TOML file with settings; `stream-nb settings` prints all of them.",
)
log_option = click.option(
    "--log",
    "log_url",
    metavar="URL",
    help="Address of the log: sqlite:DIR or kafka://host:port[,host:port]; default: sqlite:var/log.",
)
classes_option = click.option("--classes", metavar="RULES", help="Class of each folder, as for `feed`.")
starter_option = click.option(
    "--starter",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Start with the model in this file, written by `stream-nb starter`.",
)


def with_config(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --config, and pass the effective `settings` to `command`, which does not use the user's log."""

    @config_option
    @functools.wraps(command)
    def wrapper(*args: object, config: Path | None, log_url: str | None = None, **kwargs: object) -> Returned:
        from ..settings import load_settings

        return command(*args, settings=load_settings(config, os.environ, log_url), **kwargs)

    return wrapper


def with_settings(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --log and --config, and pass the effective `settings` to `command`."""
    return log_option(with_config(command))


def with_given(settings: Settings, section: str, **given: Any) -> Settings:
    """The settings, of which the values `given` on the command line override those of a `section`; None is an option
    that was not given."""
    import msgspec

    values = {name: value for name, value in given.items() if value is not None}
    return msgspec.structs.replace(settings, **{section: msgspec.structs.replace(getattr(settings, section), **values)})


class SourceOptions(NamedTuple):
    """Which mails to read from which source, parsed by `source_options`; `limit` is a number of mails, None for all."""

    path: str
    shuffle: int | None = None
    classes: str | None = None
    limit: int | None = None
    label: str | None = None
    columns: Columns | None = None


def source_options(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add PATH, --shuffle, --classes, --label, --limit and the table options; pass them to `command` as `chosen`."""

    @functools.wraps(command)
    def bundled(*args: object, **kwargs: Any) -> Returned:
        chosen = SourceOptions(**{name: kwargs.pop(name) for name in SourceOptions._fields})
        return command(*args, chosen=chosen, **kwargs)

    wrapper: Callable[..., Returned] = bundled
    for add in (
        click.option("--limit", type=count(1), metavar="MAILS", help="Stop after this many mails."),
        click.option(
            "--label",
            type=ClassType(),
            metavar="CLASS",
            help="Class of all mails, for an mbox or mail without classes.",
        ),
        click.option(
            "--classes",
            metavar="RULES",
            help="Class of each folder, as in 'spam*=spam,*=ham'; the first matching pattern decides. The class * is "
            "the folder's name (spam for Junk), and none is no label. By default a class has the name of its folder, "
            "or is ham or spam if all folder names say so. Junk, Spam and Bulk are spam, the folders beside them ham, "
            "and Trash has no label.",
        ),
        click.option("--shuffle", type=SEED, metavar="SEED", help="Shuffle the mails with this seed."),
        click.argument("path", metavar="PATH"),
    ):
        wrapper = add(wrapper)
    return table_options(wrapper)


def table_options(command: Callable[..., Returned]) -> Callable[..., Returned]:
    """Add --label-column and --text-column, and pass what they say of a table to `command` as `columns`; None without
    both."""

    @click.option(
        "--label-column",
        metavar="NAME",
        help="Column with the class; PATH is then a table: CSV with a header row, or one flat JSON object per line. "
        "Numeric columns are numbers, all others categories. Default in CSV: a column `label`.",
    )
    @click.option(
        "--text-column",
        metavar="NAME",
        multiple=True,
        help="Column of a table with running text; can be repeated. The first of several is treated like a mail's "
        "subject. Default in CSV: a column `text`, with a column `subject` beside it.",
    )
    @functools.wraps(command)
    def wrapper(*args: object, label_column: str | None, text_column: tuple[str, ...], **kwargs: object) -> Returned:
        from ..ingest.formats.table import Columns

        columns = Columns(label_column, text_column) if label_column is not None or text_column else None
        return command(*args, columns=columns, **kwargs)

    return wrapper


class OutFileType(click.Path):
    """A file to write; fails before the work starts if it cannot be created or written, if its name is empty, as that
    of an unset variable in a script, or if it is -, unless `allow_dash`: the command then writes to standard output."""

    def __init__(self, allow_dash: bool = False) -> None:
        super().__init__(dir_okay=False, writable=True, allow_dash=allow_dash, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Convert `value`, as typed or the default, to a path."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        if value == "":  # `Path` would name the current folder
            self.fail("the name is empty; name a file", param, ctx)
        if value == "-" and not self.allow_dash:
            self.fail("- would be a file of that name; name a file, or /dev/stdout", param, ctx)
        if not os.path.exists(path) and not os.access(path.parent, os.W_OK):
            self.fail(f"{path}: name a file in an existing, writable folder", param, ctx)
        return path


class Utf8Type(click.ParamType):  # pyright: ignore[reportMissingTypeArgument]  older click's has no argument
    """Text for a record. Python also accepts arguments that are not UTF-8, because they may be paths."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text `value` as typed; fails if it is not UTF-8."""
        text = str(value)
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(f"{text!r} is not UTF-8; type it again in a terminal that sends UTF-8", param, ctx)
        return text


class ClassType(Utf8Type):
    """The class of mails; not `none`, which means no label in `stream-nb label` and --classes."""

    name = "class"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name `value` as typed; fails if it is `none`."""
        text = super().convert(value, param, ctx)
        if text == "none":
            self.fail("'none' means no label and is no class; `stream-nb learn --forget` withdraws labels", param, ctx)
        return text


class SourceType(Utf8Type):
    """The source of labels, as in label records."""

    name = "source"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name `value` as typed; fails if it is not a valid source."""
        from ..records.sources import check_source

        text = super().convert(value, param, ctx)
        try:
            check_source(text)
        except BadRecord as error:
            self.fail(error.detail, param, ctx)
        return text
