"""Whether workers may have refused labels because of `[learner] max_classes`."""

from __future__ import annotations

from ..log.base import Log
from ..model.replica import Replica
from ..records.replay import read_labels, refused_labels
from ..records.values import Label
from ..settings import Settings


def exceeds_max_classes(log: Log, settings: Settings, replica: Replica) -> bool:
    """Whether the labels and the model have more classes than `max_classes`, or a worker has refused a label for that.

    A refused label shows that there was no room for its class, even if `max_classes` has been raised since.
    """
    classes: set[Label] = {label.label for _, label in read_labels(log) if label.label is not None}
    if replica.model is not None:
        classes.update(replica.model.classes)
    return len(classes) > settings.learner.max_classes or bool(refused_labels(log))
