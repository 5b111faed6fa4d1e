"""`stream-nb starter PATH...`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...records.number_text import many
from ...settings import Settings
from ..compile_first import compile_first
from ..mails import OpenedMails, open_mails
from ..messages import say
from ..options import OutFileType, SourceOptions, classes_option, table_options, with_config

if TYPE_CHECKING:
    from stream_nb import MailNB

    from ...ingest.formats.table import Columns


@click.command("starter")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@classes_option
@click.option(
    "--out",
    type=OutFileType(),
    default=Path("starter.snb"),
    show_default=True,
    help="Where to write the starter; a new file.",
)
@table_options
@with_config
def command(
    settings: Settings,
    paths: tuple[str, ...],
    classes: str | None,
    out: Path,
    columns: Columns | None,
) -> None:
    """Build a starter model for new filters from labelled mail.

    PATH is as for `feed`; the mails need labels. New filters start with the starter's words, numbers and categories,
    and soon rely on their own labels (docs/figures.md has measurements); words that their labels contradict are
    ignored. The mail should be similar to the user's mail, and its classes must have the same names.

    `stream-nb load` starts a log from the file; `personal` and `evaluate` accept it as --starter. A copy of it is a
    filter for `classify --model` and `learn --model`.
    """
    from stream_nb import MailNB
    from stream_nb.mail_nb.starter import starter

    from ...errors import UserError
    from ...filter.model_file import check_new, new_file_model, write_new

    check_new(out, "--out")
    model = new_file_model(settings.learner)
    if not isinstance(model, MailNB):
        raise UserError(f"a starter is a mail model, but [learner] model is {settings.learner.model}; set it to mail")
    sources = [open_mails(SourceOptions(path, classes=classes, columns=columns), settings) for path in paths]
    compile_first(settings.learner, features=any(opened.source.features for opened in sources))
    labels, left_out = _learn(model, sources, settings.learner.headers)
    if len(labels) < 2:
        raise UserError(
            f"{', '.join(paths)}: {many(labels.total(), 'labelled mail')} of {many(len(labels), 'class', 'classes')}; "
            "a starter needs two: give a folder with one sub-folder per class, or set the classes with --classes"
        )
    start = starter(model)
    made = start.statistics.starter
    if made is None:
        raise UserError(
            f"{', '.join(paths)}: fewer than two classes have mails with words, numbers or categories; a starter "
            "needs two"
        )
    write_new(out, start, 0.0, ())
    counts = ", ".join(f"{count} {label}" for label, count in labels.most_common())
    features = many(made.features + made.named, "feature")
    click.echo(f"{out}: {features} of {many(labels.total(), 'mail')} ({counts})")
    if left_out:
        say(f"{many(left_out, 'mail was', 'mails were')} skipped: without a label, or unreadable")


def _learn(model: MailNB, sources: Sequence[OpenedMails], headers: str) -> tuple[Counter[str], int]:
    """Learn the labelled mails; the number of mails learned by class, and the number of mails left out."""
    from ...ingest.labelled import LabelledMails
    from ..progress import progress_bar

    labels: Counter[str] = Counter()
    left_out = 0
    for _, total, items in sources:
        with progress_bar(total) as progress:
            mails = LabelledMails(items, headers)
            for done, (mail, label, _) in enumerate(mails, 1):
                progress(done + mails.left_out)
                model.learn_one(mail, label)
                labels[label] += 1
        left_out += mails.left_out
    return labels, left_out
