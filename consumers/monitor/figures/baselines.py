"""Two classifiers that read no mail; a filter is only useful if it beats them."""

from __future__ import annotations

from collections import Counter


class Baselines:
    """Predict the commonest class so far (the base rate), and the class of the mail labelled last.

    >>> baselines = Baselines()
    >>> baselines.predict()
    (None, None)
    >>> for true_label in ("ham", "ham", "spam"):
    ...     baselines.learn(true_label)
    >>> baselines.predict()
    ('ham', 'spam')
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._last_class: str | None = None

    def predict(self) -> tuple[str | None, str | None]:
        """(majority class, last class) for the next mail; both None before the first label. Among equally common
        classes the one met first wins."""
        majority_class = max(self.counts, key=self.counts.__getitem__, default=None)
        return majority_class, self._last_class

    def learn(self, true_label: str) -> None:
        """Count one more labelled mail, with the label `true_label`."""
        self.counts[true_label] += 1
        self._last_class = true_label

    def replace(self, old: str, new: str | None) -> None:
        """Count `new` in place of the label `old`, counted before (None: the label was withdrawn)."""
        self.counts[old] -= 1
        if self.counts[old] <= 0:
            del self.counts[old]  # else the names of classes no longer in use would accumulate
        if new is not None:
            self.counts[new] += 1
