"""Compile what a model needs before the mails of a command are read: the first time it takes a minute."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..settings import LearnerSettings

_MAILS = 20
"""Enough for both classes, and for tables that grow."""


def compile_first(learner: LearnerSettings) -> None:
    """Let a new model score and learn a few mails, and say on standard error that it is being compiled, where it is.

    Afterwards no bar stands still for it, and no speed that is measured holds it.

    Args:
        learner: The settings of the model.
    """
    from stream_nb.mail import read_mail

    from ..evaluation.prequential import evaluate
    from ..ingest.synthetic import synthetic_mails
    from ..model.factory import new_model, new_policy
    from ..runtime.compiling import shared_compiling, show_compiling
    from ..worker import warm

    with show_compiling(sys.stderr), shared_compiling(warm.__name__):
        read_mail(warm.MAIL, learner.headers)  # has what few mails have
        evaluate(synthetic_mails(_MAILS, seed=0), new_model(learner), new_policy(learner), learner.headers)
