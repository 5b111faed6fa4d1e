"""Training on an archive of millions of mails with Apache Spark: `python -m stream_nb_consumers.model.spark PATH OUT`.

Each partition of the files trains one model; the models are sent as snapshots and merged in a tree. Every mail has
weight 1 (train on everything), so statistics are sums, and the result has the same bytes as that of one process that
reads the same mails in any order, whatever the partitions are. What a mail model measures on arrival (novelty,
calibration and bias) depends on the order, and is left to the stream that follows. Needs the extra `[spark]` and Java
17 or later; no other file uses pyspark.
"""

from __future__ import annotations

import importlib
import math
import secrets
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.kernels.layout import MailUpdate

from ..errors import UserError
from ..ingest.formats.base import mail_item
from ..ingest.formats.class_names import class_names
from ..ingest.formats.mbox import mails_in
from ..ingest.labelled import LabelledMails
from ..runtime.private_files import write

TextModel = MailNB | MultinomialNB | BernoulliNB
_ORDER_FREE = (MailUpdate.LABELS, MailUpdate.MASS)
MODELS: dict[str, type[TextModel]] = {"mail": MailNB, "multinomial": MultinomialNB, "bernoulli": BernoulliNB}


def session(master: str) -> Any:
    """A SparkSession, on loopback when the Spark `master` at this URL is local. Raises UserError if pyspark or Java is
    missing."""
    try:
        # Imported by name, because pyspark is an extra and type checkers must not fail without it.
        PySparkException = importlib.import_module("pyspark.errors").PySparkException
        builder = importlib.import_module("pyspark.sql").SparkSession.builder
    except ImportError as error:
        raise UserError("PySpark is missing: pip install 'stream-nb[spark]', with Java 17 or later") from error
    builder = builder.master(master).appName("stream-nb").config("spark.ui.enabled", "false")
    if master.startswith("local"):
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    try:
        return builder.getOrCreate()
    except (PySparkException, OSError) as error:
        raise UserError(f"Spark does not start on {master}: {error}; Java 17 or later must be on the path") from error


def train(spark: Any, path: str, empty: TextModel, classes: str | None = None) -> tuple[TextModel, int]:
    """Train a model on the mails below a path. Like in Spark, empty files and names that begin with a dot or an
    underscore are left out.

    Args:
        spark: A SparkSession.
        path: A folder with one sub-folder per class, on any file system that Spark reads (hdfs:, s3a:, or a path that
            every executor sees).
        empty: A new model of a class in `MODELS`; the result has its key and options.
        classes: Rules that name the classes of the folders, as for `feed`.

    Returns:
        The model, and how many mails could not be read.

    Raises:
        UserError: There is no mail.
    """
    kind, start, root = type(empty).__name__, empty.to_bytes(), path.rstrip("/")
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(root)

    def folder_of(row: Any) -> str:
        return _folder(row.path, root)

    folders: list[str] = sorted(files.select("path").rdd.map(folder_of).distinct().collect())
    if not folders:
        raise UserError(f"{path} holds no mail; expected one sub-folder of files per class")
    named = class_names(folders, classes)

    def learn(rows: Iterable[Any]) -> list[tuple[bytes, int]]:
        mails = ((bytes(row.content), label) for row in rows if (label := named[folder_of(row)]) is not None)
        return [train_part(_new(kind, start), mails)]

    def merge(one: tuple[bytes, int], other: tuple[bytes, int]) -> tuple[bytes, int]:
        return _merged(kind, one[0], other[0]), one[1] + other[1]

    data, skipped = files.select("path", "content").rdd.mapPartitions(learn).treeReduce(merge)
    return _new(kind, _merged(kind, start, data)), skipped


def train_part(model: TextModel, mails: Iterable[tuple[bytes, str]]) -> tuple[bytes, int]:
    """Learn mails with `model`, each with weight 1; the same mails in any order, or in parts that are merged, give the
    same bytes.

    Args:
        model: An empty model; it is changed.
        mails: Raw mails, or mbox files, with their labels.

    Returns:
        The snapshot of the model, and how many mails could not be read.
    """
    if isinstance(model, MailNB):
        model.band, model.trust = math.inf, False
    read = LabelledMails((mail_item(raw, label) for file, label in mails for raw in mails_in(file)), "keep")
    for mail, label, _ in read:
        if isinstance(model, MailNB):
            update = model.grade(mail, label)
            tallies = tuple(amount if k in _ORDER_FREE else 0 for k, amount in enumerate(update.tallies))
            model.apply_update(mail, update._replace(tallies=tallies))
        else:
            model.learn_one(mail, label)
    return model.to_bytes(), read.unreadable


def _folder(path: str, root: str) -> str:
    """The sub-folder of `root` that contains a file; Spark adds the scheme to paths."""
    bare = root.split("://", 1)[-1] if "://" in root else root.removeprefix("file:")
    inside = path[path.rindex(bare + "/") + len(bare) + 1 :]
    folder, slash, _ = inside.partition("/")
    if not slash:
        raise UserError(f"{path} is not in a class folder; move it into one")
    return folder


def _new(kind: str, data: bytes) -> TextModel:
    return next(model for model in MODELS.values() if model.__name__ == kind).from_bytes(data)


def _merged(kind: str, one: bytes, other: bytes) -> bytes:
    whole: Any = _new(kind, one)
    whole.merge(_new(kind, other))
    return whole.to_bytes()


@click.command()
@click.argument("path")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--master", default="local[*]", show_default=True, help="Spark master URL.")
@click.option("--model", type=click.Choice(list(MODELS)), default="mail", show_default=True)
@click.option("--classes", metavar="RULES", help="Name the classes of folders, as for feed.")
def main(path: str, out: Path, master: str, model: str, classes: str | None) -> None:
    """Train on the mails below PATH with Spark and write the model's snapshot to OUT."""
    try:
        spark = session(master)
        try:
            trained, skipped = train(spark, path, MODELS[model](key=secrets.token_bytes(32)), classes=classes)
        finally:
            spark.stop()
        write(out, trained.to_bytes())
    except UserError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(error.exit_status)
    click.echo(f"{trained.labels_learned} mails learned, {skipped} could not be read: {out}")


if __name__ == "__main__":
    main()
