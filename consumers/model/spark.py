"""Training from an archive of millions of mails, on Apache Spark: `python -m consumers.model.spark PATH OUT`.

Each partition of the files becomes the statistics of one model; the models travel as snapshots and are merged in a
tree. Every mail counts 1 (train on everything), so statistics are sums and the result has the same bytes as one
process that reads the same mails in any order, whatever the partitions were. What a mail model measures on arrival,
novelty and calibration, depends on the order and is left to the stream that goes on from here. Needs the extra
`[spark]` and Java 17 or later; this file alone imports pyspark.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from stream_nb import BernoulliNB, MailNB, MultinomialNB

from ..errors import BadRecord, UserError
from ..ingest.formats.base import mail_item
from ..ingest.formats.class_names import class_names
from ..ingest.formats.mbox import mails_in
from ..records.messages import read_value
from ..runtime.private_files import write

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODELS = {"mail": MailNB, "multinomial": MultinomialNB, "bernoulli": BernoulliNB}


def session(master: str, memory: str = "1g") -> SparkSession:
    """Return a Spark session, on loopback when `master` is local. Raises UserError without pyspark or Java."""
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise UserError("PySpark is missing: pip install 'stream-nb[spark]', with Java 17 or later") from error
    builder = SparkSession.builder.master(master).appName("stream-nb").config("spark.ui.enabled", "false")
    builder = builder.config("spark.executor.memory", memory)
    if master.startswith("local"):
        builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    try:
        return builder.getOrCreate()
    except (PySparkException, OSError) as error:
        raise UserError(f"Spark does not start on {master}: {error}; Java 17 or later must be on the path") from error


def train(
    spark: SparkSession, path: str, empty: Any, headers: str = "safe", classes: str | None = None
) -> tuple[Any, int]:
    """Train a model like `empty` on the mails below `path`; return it and how many mails could not be read.

    `empty` is a new model of `MODELS`, whose key and options the result has. `path` is a folder with a sub-folder a
    class, on any file system Spark reads (hdfs:, s3a:, or a path every executor sees); `classes` names the classes as
    for `feed`. Empty files, and names that begin with a dot or an underscore, are left out, as Spark does. Raises
    UserError when there is no mail.
    """
    kind, start, root = type(empty).__name__, empty.to_bytes(), path.rstrip("/")
    files = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(root)
    folders = sorted(files.select("path").rdd.map(lambda row: _folder(row.path, root)).distinct().collect())
    if not folders:
        raise UserError(f"{path} holds no mail; expected is a sub-folder a class with files in it")
    named = class_names(folders, classes)
    parts = files.select("path", "content").rdd.mapPartitions(
        lambda rows: [
            partial(_new(kind, start), ((bytes(row.content), named[_folder(row.path, root)]) for row in rows), headers)
        ]
    )
    data, skipped = parts.treeReduce(lambda a, b: (_merged(kind, a[0], b[0]), a[1] + b[1]))
    model = empty.copy()
    model.merge(_new(kind, data))
    return model, skipped


def partial(model: Any, mails: Iterable[tuple[bytes, str]], headers: str) -> tuple[bytes, int]:
    """Teach `model` raw mails, or mbox files, with their labels, each mail counting 1; return its snapshot and how many
    were not readable.

    The same mails in any order, or in parts that are merged, give the same bytes.
    """
    if isinstance(model, MailNB):
        model.band, model.trust = math.inf, False
    skipped = 0
    for raw, label in ((raw, label) for file, label in mails for raw in mails_in(file)):
        item = mail_item(raw, label)
        try:
            mail = read_value(item.value, item.id, headers).mail
        except BadRecord:
            skipped += 1
            continue
        if isinstance(model, MailNB):
            update = model.grade(mail, label)
            labels, increments, *on_arrival = update.tallies
            model.apply_update(mail, update._replace(tallies=(labels, increments, *(0 for _ in on_arrival))))
        else:
            model.learn_one(mail, label)
    return model.to_bytes(), skipped


def _folder(path: str, root: str) -> str:
    """The sub-folder of `root` that a file lies in; Spark writes paths with their scheme."""
    bare = root.split("://", 1)[-1] if "://" in root else root.removeprefix("file:")
    inside = path[path.rindex(bare + "/") + len(bare) + 1 :]
    folder, slash, _ = inside.partition("/")
    if not slash:
        raise UserError(f"{path} lies beside the class folders; move it into one")
    return folder


def _new(kind: str, data: bytes) -> Any:
    return next(model for model in MODELS.values() if model.__name__ == kind).from_bytes(data)


def _merged(kind: str, one: bytes, other: bytes) -> bytes:
    whole = _new(kind, one)
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
    spark = session(master)
    try:
        trained, skipped = train(spark, path, MODELS[model](key=secrets.token_bytes(32)), classes=classes)
    except UserError as error:
        raise click.ClickException(str(error)) from error
    finally:
        spark.stop()
    write(out, trained.to_bytes())
    click.echo(f"{trained.labels_learned} mails learned, {skipped} not readable: {out}")


if __name__ == "__main__":
    main()
