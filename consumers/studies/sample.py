"""Mails drawn from a model of your mails: `python -m stream_nb_consumers.studies.sample PATH OUT` writes a folder.

For each mail it draws a class, then words of that class. The drawn mails have the words and class shares of your mails,
but none of their sentences.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import numpy as np

from stream_nb import MultinomialNB
from stream_nb.generative.sampler import Sampler, as_mail

from ..errors import UserError
from ..ingest.formats import open_source
from ..runtime.private_files import make_folder, open_new
from .corpus import load, word_counts

_NO_NAME = re.compile(r"^\.|[/%]")
"""Characters in a class name that would lead out of the folder, or hide it, and the one that replaces them."""


def write_folder(truth: MultinomialNB, out: Path, n: int, seed: int, length: float = 100.0) -> None:
    """Write `n` mails drawn from `truth` below `out`, in one sub-folder per class, numbered in the order of drawing.

    In the names of folders, a slash, a percent sign and a leading dot are percent-encoded.

    Only their owner can read them, because they contain words of the mails that `truth` has learned.

    Args:
        truth: A model that has learned messages.
        out: An empty or new folder.
        n: Number of mails, 0 or more.
        seed: Seed of all draws.
        length: Mean number of words of a mail, above 0.

    Raises:
        UserError: The folder is not empty or cannot be written.
    """
    _make_empty(out)
    try:
        rng = np.random.default_rng(seed)
        for i, (x, label) in enumerate(Sampler(truth, length).draw(rng, n)):
            folder = out / _NO_NAME.sub(lambda found: f"%{ord(found[0]):02X}", str(label))
            make_folder(folder)
            with open_new(folder / f"{i:07}.eml") as file:
                file.write(as_mail(x, rng))
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}; name a folder that can be written") from error


def _make_empty(out: Path) -> None:
    """Make a folder unless there is an empty one. Raises UserError as `write_folder`."""
    try:
        make_folder(out)
        if any(out.iterdir()):
            raise UserError(f"{out} is not empty; give a new folder")
    except OSError as error:
        raise UserError(f"{out}: {error.strerror}; name a folder that can be written") from error


@click.command()
@click.argument("path")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--mails", type=click.IntRange(min=1), default=1000, show_default=True)
@click.option(
    "--words", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Mean number of words per mail."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def main(path: str, out: Path, mails: int, words: int, seed: int) -> None:
    """Learn the words of the labelled mails at PATH (as for `feed`), draw new mails, and write them to folder OUT."""
    truth = MultinomialNB(smoothing=0.0)
    try:
        _make_empty(out)  # before learning, which takes long
        for mail, label in load(open_source(path), path).mails:
            truth.learn_one(word_counts(mail), label)
        write_folder(truth, out, mails, seed, words)
    except UserError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_status)


if __name__ == "__main__":
    main()
