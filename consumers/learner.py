"""The learner as the settings ask for it."""

from __future__ import annotations

import math

from consumers.settings import LearnerSettings
from stream_nb import MailNB


def new_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """An empty model that reads its counts as the settings say; `key` is the secret of its word hash."""
    options = {} if key is None else {"key": key}
    if settings.learn == "everything":
        options["band"] = math.inf
    return MailNB(positive=settings.positive, smoothing=settings.smoothing, trust=settings.trust, **options)
