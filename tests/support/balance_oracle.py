"""The biases of classes by the formula of `stream_nb.kernels.mail_nb.class_balance`, from histograms of margins."""

import math

BINS, WIDEST, MARGIN_UNIT = 32, 4.0, 1 << 20


def biases(margins, flips):
    """The bias of each class, by its name as in `margins` (labels that had a score, by bin), without any silence."""
    if not all(map(sum, margins.values())):
        return dict.fromkeys(margins, 0.0)
    errors = sum(sum(own[: BINS // 2]) for own in margins.values())
    right = sum(sum(own[BINS // 2 :]) for own in margins.values())
    share = right / (right + 5) * 15 / (errors + 15) * max(0.0, 1 - 10 * flips)
    shifts = dict.fromkeys(margins, 0)  # in 1 / MARGIN_UNIT
    for _ in range(30 if share else 0):
        means = {label: _mean_margin(own, shifts[label]) for label, own in margins.items()}
        for label in margins:
            shifts[label] += int((sum(means.values()) - len(means) * means[label]) / len(means))
    return {label: share * shift / MARGIN_UNIT for label, shift in shifts.items()}


def _mean_margin(labels, shift):
    labels = [n + 2 * (k == BINS // 2) for k, n in enumerate(labels)]
    width = int(2 * WIDEST / BINS * MARGIN_UNIT)
    shifted = [min(max(width * (k - BINS // 2) + shift, -MARGIN_UNIT), MARGIN_UNIT) for k in range(BINS)]
    return math.floor(sum(n * s for n, s in zip(labels, shifted, strict=True)) / sum(labels) + 0.5)
