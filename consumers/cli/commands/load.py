"""`stream-nb load FILE`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...settings import Settings
from ..messages import note, say
from ..options import with_settings

if TYPE_CHECKING:
    from ...model.stream_model import StreamModel
    from ...settings import LearnerSettings


@click.command("load")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@with_settings
def command(settings: Settings, path: Path) -> None:
    """Start a new log with the model in FILE, written by `save`, by the library's to_bytes or by bulk training."""
    from ...model.files import put_model, read_model, summary
    from ...records.replay import classes_if_new
    from ...records.setup import open_ready_log

    model = read_model(path, settings.learner)
    classes = {str(label) for label in model.classes}
    with open_ready_log(settings, say) as log:
        put_model(log, model)
        known = classes_if_new(log, classes)
    click.echo(f"{settings.log} starts with {summary(model)}")
    if known and known.isdisjoint(classes):
        own, others = (", ".join(sorted(each)) for each in (classes, known))
        note(f"classes of {path}: {own}; none is among those of the log's labels: {others}")
    _note_settings(path, model, settings.learner)


def _note_settings(path: Path, model: StreamModel, learner: LearnerSettings) -> None:
    """Name the choices in a file, such as those of `personal`, that workers take from the settings instead."""
    from stream_nb import snapshot

    from ...filter.model_file import THRESHOLD

    data = path.read_bytes()
    values, _ = snapshot.unpack(data, snapshot.kind_of(data))
    chosen = {"smoothing": model.smoothing, "threshold": values.get(THRESHOLD)}
    if model.positive in model.classes:
        chosen["positive"] = model.positive
    others = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in chosen.items()
        if value not in (None, getattr(learner, name))
    ]
    if others:
        note(f"workers decide by the settings; to decide as {path} does, set [learner] {', '.join(others)} for them")
