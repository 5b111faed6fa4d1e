"""Compile a model's kernels before a command reads its mails; the first time this takes a minute."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ingest.feeder import Item
    from ..settings import LearnerSettings

_MAILS = 20
"""Enough for both classes to occur and for hash tables to grow."""


def compile_first(learner: LearnerSettings, starter: Path | None = None, features: bool = False) -> None:
    """Let a new model score and learn a few mails, and report on stderr if that needs compilation.

    Compilation then neither stalls a progress bar nor distorts a measured speed. The model starts with the file
    `starter`, if given; with `features`, the mails have numbers and categories, too. Raises UserError if the starter
    cannot be read.
    """
    from stream_nb.mail import read_mail

    from ..evaluation.prequential import evaluate
    from ..ingest.synthetic import synthetic_mails
    from ..model.factory import new_model, new_policy
    from ..model.files import started_model
    from ..runtime.compiling import shared_compiling, show_compiling
    from ..worker import warm

    with show_compiling(sys.stderr), shared_compiling(warm.__name__):
        model = started_model(learner, starter) if starter is not None else new_model(learner)
        model.score(read_mail(b"Subject: hello").mail)  # first what the second process compiles last
        warm.read()  # a mail with parts that few mails have
        warm.read_style_sheet()
        mails = [*synthetic_mails(_MAILS, seed=0), *(_rows() if features else [])]
        evaluate(mails, model, new_policy(learner), learner.headers)


def _rows() -> list[Item]:
    """Rows of a table, two per class, so that the second row is scored by a model that knows its class."""
    from ..ingest.feeder import Item
    from ..records.schemas import MailRecord, encode

    values = (("spam", 1.5, "html"), ("ham", 7.0, "plain"), ("spam", 2.0, "html"), ("ham", 9.0, "plain"))
    return [
        Item(f"row{n}", encode(MailRecord(f"row{n}", "a row", {}, {"size": size, "format": form})), label)
        for n, (label, size, form) in enumerate(values)
    ]
