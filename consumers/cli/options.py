"""Options that several commands share."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

import click


def with_settings(command: Callable) -> Callable:
    """Add --log and --config, and pass `settings` to the command."""

    @click.option("--log", "log_url", metavar="URL", help="sqlite:DIR (default sqlite:var/log) or kafka://host:port.")
    @click.option(
        "--config",
        "config",
        envvar="STREAM_NB_CONFIG",
        type=click.Path(path_type=Path),
        help="TOML file with settings; see `stream-nb settings`.",
    )
    @functools.wraps(command)
    def wrapper(*args, log_url: str | None, config: Path | None, **kwargs):
        from ..settings import load_settings

        return command(*args, settings=load_settings(config, os.environ, log_url), **kwargs)

    return wrapper


def source_options(command: Callable) -> Callable:
    """Add PATH, --shuffle, --classes and --limit: which mails, in which order."""

    @click.argument("path", metavar="PATH")
    @click.option("--shuffle", type=int, metavar="SEED", help="Seeded random order instead of the order found.")
    @click.option(
        "--classes",
        metavar="RULES",
        help="Name the classes of folders, e.g. 'spam*=spam,*=ham'; default: folder names, ham/spam where they say so, "
        "spam for Junk and Bulk.",
    )
    @click.option("--limit", type=click.IntRange(min=1), help="Stop after this many mails.")
    @functools.wraps(command)
    def wrapper(*args, **kwargs):
        return command(*args, **kwargs)

    return wrapper


def note(text: str) -> None:
    """Say on stderr what is no mistake and yet may surprise."""
    click.echo(f"note: {text}", err=True)
