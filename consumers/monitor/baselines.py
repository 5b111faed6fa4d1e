"""Two classifiers that look at no mail; one that does not beat them is worth nothing."""

from __future__ import annotations

from collections import Counter


class Baselines:
    """The commonest class so far (the base rate), and the class of the mail judged last.

    >>> baselines = Baselines()
    >>> baselines.say()
    (None, None)
    >>> for truth in ("ham", "ham", "spam"):
    ...     baselines.learn(truth)
    >>> baselines.say()
    ('ham', 'spam')
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._last: str | None = None

    def say(self) -> tuple[str | None, str | None]:
        """What both would call the next mail; None before the first. Of equally common classes the first met."""
        commonest = max(self.counts, key=self.counts.__getitem__, default=None)
        return commonest, self._last

    def learn(self, truth: str) -> None:
        """A mail was judged."""
        self.counts[truth] += 1
        self._last = truth

    def replace(self, old: str, new: str | None) -> None:
        """A mail judged before is now called `new` (None: nothing)."""
        self.counts[old] -= 1
        if new is not None:
            self.counts[new] += 1
