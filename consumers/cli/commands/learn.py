"""`stream-nb learn --spam|--ham|--as CLASS|--forget [FILE ...]`."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..messages import note
from ..options import ClassType, OutFileType, SourceType, with_settings

if TYPE_CHECKING:
    from ...filter.client import FilterClient
    from ...filter.model_file import ModelFile
    from ...settings import Settings


@click.command("learn")
@click.argument("paths", metavar="[FILE]...", nargs=-1)
@click.option("--spam", is_flag=True, help="Label the mails as spam.")
@click.option("--ham", is_flag=True, help="Label the mails as ham.")
@click.option("--as", "label", type=ClassType(), metavar="CLASS", help="Label the mails as CLASS.")
@click.option("--forget", is_flag=True, help="Withdraw the labels of the mails.")
@click.option("--model", type=OutFileType(), help="Update this model file instead of a running filter.")
@click.option("--source", type=SourceType(), help="Source of the labels; default: [filter] source.")
@with_settings
def command(
    settings: Settings,
    paths: tuple[str, ...],
    spam: bool,
    ham: bool,
    label: str | None,
    forget: bool,
    model: Path | None,
    source: str | None,
) -> None:
    """Label mails, so that the model learns them.

    Mails come from files (one mail or an mbox each), folders, or standard input. They are sent to a running
    `stream-nb filter`, or learned by the --model file, which is created if it does not exist, except by --forget.
    """
    from stream_nb.mail.limits import MAX_MAIL_BYTES

    from ...errors import UserError
    from ...filter.client import FilterClient
    from ...filter.mail_input import STDIN, check_paths, read_mails
    from ...records.number_text import many

    if [spam, ham, label is not None, forget].count(True) != 1:
        raise UserError("give one of --spam, --ham, --as CLASS and --forget")
    if len(paths) > 1:
        check_paths(paths)  # all before the first label, so that the command can be repeated after a mistake
    typed = label
    label = "spam" if spam else "ham" if ham else label
    found = read_mails(paths, note, partial(_note_other_class, label))
    first = list(islice(found, 2))
    source = source or settings.filter.source
    mails = changed = 0
    with _opened(settings, model, label, first) as target:
        if typed is not None and not isinstance(target, FilterClient):
            _note_new_class(typed, set(target.model.classes), model)
        for name, raw in chain(first, found):
            mails += 1
            if not raw:
                note(f"{'standard input' if name == STDIN else name} is empty")
            changed += target.forget(raw, source) if label is None else target.learn(raw, label, source)
    # A filter does not know the labels of the mails that have passed, so it cannot report mails that had no label.
    forgotten = "forgotten" if model is not None else f"without a label from {source!r} from now on"
    outcome = forgotten if label is None else f"learned as {label}"
    unlearnable = f"already known, empty, or larger than {MAX_MAIL_BYTES:,} bytes"
    others = f", {mails - changed} not: {'never learned' if label is None else unlearnable}"
    click.echo(f"{many(changed, 'mail')} {outcome}{others if changed < mails else ''}")


def _note_new_class(label: str, known: set[str], model: Path | None) -> None:
    """Say so if `label` is none of the classes that the model has: it may be a typing error."""
    if known and label not in known:
        note(
            f"{label!r} is a new class of {model}; existing: {', '.join(sorted(known))}; "
            "if that is wrong, `stream-nb learn --forget` takes it back"
        )


def _opened(
    settings: Settings, model: Path | None, label: str | None, first: list[tuple[str, bytes]]
) -> AbstractContextManager[ModelFile | FilterClient]:
    """What learns the mails, the first of which are given: a running filter, or the file `model`."""
    if model is None:
        from ...filter.client import FilterClient

        return nullcontext(FilterClient(settings.filter))
    from stream_nb import kernels

    from ...errors import UserError
    from ...filter.mail_input import is_small
    from ...filter.model_file import ModelFile
    from ...runtime.paths import exists

    if label is None and not exists(model):
        raise UserError(f"{model} does not exist, so it has no mails to forget; name another file")
    kernels.compiling = not is_small(first)
    return ModelFile.changed(model, settings)


def _note_other_class(label: str | None, path: str, folders: dict[str, str | None]) -> None:
    """Say so if `path`, or one of the `folders` in it, should be spam by name and is learned as ham, or vice versa."""
    from ...filter.mail_input import STDIN
    from ...ingest.formats.class_names import contradicting
    from ...ingest.formats.columns import shown_names

    if label is None or path == STDIN:
        return
    found = contradicting(folders or {Path(path).resolve().name: None}, label)
    if found:
        where = f"{path}: the mails in {shown_names(found)}" if folders else path
        note(
            f"{where} should be {'ham' if label == 'spam' else 'spam'} by name, but the label is {label}; "
            "if that is wrong, `stream-nb learn --forget` takes it back"
        )
