"""`MailNB` with its default options by the formulas of its docstrings, for texts of words separated by spaces.

Slow, and without any code of the library that it checks. Counts are floats, which represent multiples of 1/256 exactly.
The formulas are documented in `stream_nb.mail_nb.model` and in the modules of `stream_nb.kernels.mail_nb`.
"""

import math
from collections import Counter, defaultdict
from typing import NamedTuple

from tests.support.balance_oracle import biases

SMOOTHING, SHAPE, DAMPING, NOVELTY, PAIR_WEIGHT, BAND, SLOPE = 0.1, 1.5, 0.8, 0.75, 0.5, 4.0, 4.5
BINS, WIDEST, WARM_UP, CARE, FLOOR, CHANGED = 32, 4.0, 20, 0.003, 0.02, 0.001


class Change(NamedTuple):
    """What a label adds, in mails: to each feature, and less to the rival class; how far it is believed; the bin of its
    margin; the reliability of its source, and the doubt in it."""

    weight: float
    taken: float
    rival: str | None
    share: float
    bin: int
    reliability: float
    surprise: float


def rounded(value, unit=256):
    return math.floor(unit * value + 0.5) / unit


def flip_rate(labels, doubt):
    return (0.1 + doubt) / (10 + labels)


def right(believed, flips):
    """q(e) = p(1-e) / (p(1-e) + (1-p) e)."""
    return believed * (1 - flips) / (believed * (1 - flips) + (1 - believed) * flips)


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


def margin_bin(margin):
    return min(max(math.floor((margin + WIDEST) * BINS / (2 * WIDEST)), 0), BINS - 1)


class ClassSums:
    """The sums of one class."""

    def __init__(self):
        self.labels = 0
        self.mass = self.reliable = self.doubted = 0.0
        self.met, self.new = Counter(), Counter()
        self.margins, self.rated = [0.0] * BINS, 0  # rated: labels of margin 0 to 0.25 that had a score


class MailOracle:
    def __init__(self, positive):
        self.positive = positive
        self.counts = defaultdict(Counter)
        self.live = 0
        self.sums = {}
        self.sources = defaultdict(lambda: [0, 0.0])
        self.originators = defaultdict(lambda: {"labels": 0, "contradicting": 0, "runs": Counter()})

    @property
    def learned(self):
        return sum(own.labels for own in self.sums.values())

    # Scoring

    def features(self, text):
        """The distinct words (length 1) and pairs of adjacent words (length 2), in order of first appearance."""
        words = text.split()
        return list(dict.fromkeys(f for i in range(len(words)) for f in ((words[i],), tuple(words[i : i + 2]))))

    def count(self, feature, label):
        return max(self.counts[feature][label], 0.0) if feature in self.counts else 0.0

    def weight(self, feature):
        return PAIR_WEIGHT if len(feature) == 2 else 1.0

    def total(self, feature):
        return sum(self.count(feature, label) for label in self.sums)

    def trained(self):
        return [label for label, own in self.sums.items() if own.mass > 0]

    def scores(self, text):
        if len(self.trained()) < 2:
            return dict.fromkeys(self.sums, 0.0)
        features = self.features(text)
        known = sum(self.weight(f) for f in features if self.total(f))
        new = sum(self.weight(f) for f in features if not self.total(f))
        met = sum(own.met[k] for own in self.sums.values() for k in (1, 2))
        met_new = sum(own.new[k] for own in self.sums.values() for k in (1, 2))
        expected = known * (met_new + 1) / (met - met_new + 1)
        novelty = NOVELTY * (min(1.0, 3 * expected / new) ** 2 if new else 1.0)
        half = 0.5 / math.sqrt(1 + 40 / (self.learned + 2))
        damp = half / (known + novelty * new + 1) ** DAMPING
        scores, biases = {}, self.biases(self.trained())
        for label in self.trained():
            terms = {f: self.term(f, label, novelty) for f in features}
            few = 2 * damp * sum(terms[f] for f in features if 0 < self.total(f) <= 2)
            often = sum(terms[f] for f in features if not 0 < self.total(f) <= 2)
            scores[label] = damp * often + self.believed(few) / 2 + biases[label]
        lowest = min(scores.values())
        scores = {label: scores.get(label, lowest) for label in self.sums}
        if len(scores) == 2:
            (other,) = scores.keys() - {self.positive}
            scores[other] = -scores[self.positive]
        return scores

    def term(self, feature, label, novelty):
        """The reshaped log-likelihood ratio of a known feature, times its weight, or what a new one says."""
        own, rest = self.sums[label], [sums for other, sums in self.sums.items() if other != label]
        kind = len(feature)
        if not self.total(feature):
            share = (own.new[kind] + 1) / (own.met[kind] + 2)
            others = (sum(s.new[kind] for s in rest) + 1) / (sum(s.met[kind] for s in rest) + 2)
            return novelty * self.weight(feature) * math.log(share / others)
        other_labels = sum(sums.labels for sums in rest)
        lesser, greater = sorted((own.labels + 1, other_labels + 1))
        smoothing = SMOOTHING / 2 ** min(math.floor(math.log2(greater / lesser) / 2), 7)
        count = self.count(feature, label)
        pseudo = smoothing * self.live
        w = math.log((count + smoothing) / (self.total(feature) - count + smoothing))
        w -= math.log((own.mass + pseudo) / (sum(sums.mass for sums in rest) + pseudo))
        return math.copysign(abs(w) ** SHAPE, w) * self.weight(feature)

    def flips(self):
        reliable = sum(own.reliable for own in self.sums.values())
        doubted = sum(own.doubted for own in self.sums.values())
        return max(flip_rate(reliable, doubted) - CARE, 0.0) if reliable >= WARM_UP else 0.0

    def believed(self, h):
        e = min(self.flips(), 0.5)
        if e == 0:
            return h
        return math.log(((1 - e) * math.exp(SLOPE * h) + e) / ((1 - e) + e * math.exp(SLOPE * h))) / SLOPE

    def biases(self, trained):
        margins = {label: [*self.sums[label].margins] for label in trained}
        for label, own in margins.items():
            own[BINS // 2] = min(own[BINS // 2], self.sums[label].rated)
        return biases(margins, self.flips())

    # Learning

    def grade(self, text, label, source, originator):
        scores = self.scores(text)
        rival = max((other for other in scores if other != label), key=scores.__getitem__, default=None)
        known = label in scores and rival is not None
        margin = scores[label] - scores[rival] if known else 0.0
        belief, surprise, reliability, opposite = self.belief(margin, label, source)
        changed = run = 0.0
        doubting = self.learned >= WARM_UP
        if originator and label in scores and margin < 0 and doubting:
            belief, changed = self.originator_belief(belief, flip_rate(*self.sources[source]), originator, label)
            surprise *= 1 - changed
            run = min(self.originators[originator]["runs"][label], 4)
        grade, taken = 1.0, 0.0
        if doubting:
            grade = min(1.0, max(0.0, 1 - margin / BAND))
            taken = belief * self.taken(margin, label, rival) * (1 + changed * run)
            if opposite > 0 and len(scores) == 2:
                taken = -opposite * min(1.0, max(0.0, 1 + margin / BAND))
        weight, taken = rounded(grade * belief), rounded(taken)
        rival_of_taken, share = rival if taken else None, rounded(belief)
        return Change(weight, taken, rival_of_taken, share, margin_bin(margin), reliability, surprise)

    def belief(self, margin, label, source):
        """How far a label is believed, how likely it is wrong, how reliable its source is, what its opposite counts."""
        if len(self.trained()) < 2:
            return 1.0, 0.0, 1.0, 0.0
        allowed = max(self.allowance(margin, label), CHANGED)
        variance = 20 / (self.learned + 2)
        steep = SLOPE / math.sqrt(1 + math.pi / 8 * SLOPE**2 * variance)
        labels, doubt = self.sources[source]
        flips = min(flip_rate(labels, doubt), 0.25 * (self.learned + 1) / (labels + 1), 0.999)
        surprise = 1 - right(max(sigmoid(steep * margin), allowed), flips)
        careful = max(flips - CARE, 0.0)
        reliability = max(1 - 2 * careful, 0.0)
        if self.learned < WARM_UP or not careful:
            return 1.0, surprise, reliability, 0.0
        p, opposite = sigmoid(SLOPE * margin), 0.0
        if flips > 0.5:
            opposite = max(right(max(1 - p, CHANGED), 1 - flips), FLOOR) * (2 * flips - 1)
        return max(right(max(p, allowed), careful), FLOOR) * reliability, surprise, reliability, opposite

    def allowance(self, margin, label):
        if label not in self.sums:
            return 0.5
        own, everything = self.sums[label], sum(sum(sums.margins) for sums in self.sums.values())
        if not everything:
            return 0.0
        believed, below = sum(own.margins), sum(own.margins[: margin_bin(margin) + 1])
        missing = max(1 - len(self.sums) * believed / everything, 0.0)
        return missing * (10 / (10 + own.labels)) ** 2 * (below + 0.5) / (believed + 1)

    def taken(self, margin, label, rival):
        if margin >= 0 or not {label, rival} <= set(self.trained()):
            return 0.0
        own, others = self.sums[label].labels, self.sums[rival].labels
        return min(-margin, 4) * others / (others + 150) * math.sqrt(min((others + 1) / (own + 1), 1))

    def originator_belief(self, belief, flips, originator, label):
        counts = self.originators[originator]
        n, k, r = counts["labels"], counts["contradicting"], counts["runs"][label]
        changed = 0.0
        if r:
            e = min(max((k - r + 4) / (n - r + 8), flips, CARE), 0.5)
            changed = 1 / (1 + e**r / 0.001)
        belief = max(belief, changed)
        if r < 2 and n >= 5:
            doubted = min(max((k - r + 0.5) / (n - r + 8), flips, CARE), 0.5)
            belief = min(belief, max(1 - 2 * doubted, FLOOR))
        return belief, changed

    def learn(self, text, label, source, originator):
        change, features = self.grade(text, label, source, originator), self.features(text)
        new = Counter(len(f) for f in features if not self.total(f))
        own = self.sums.setdefault(label, ClassSums())
        own.rated += change.bin == BINS // 2 and any(other != label for other in self.trained())
        for feature in features:
            self.counts[feature][label] += change.weight
            if change.rival is not None:
                self.counts[feature][change.rival] -= change.taken
        self.live = sum(any(counts.values()) for counts in self.counts.values())
        own.labels += 1
        own.mass += change.weight * len(features)
        for kind, number in Counter(map(len, features)).items():
            own.met[kind] += change.share * number
            own.new[kind] += change.share * new[kind]
        own.reliable += rounded(change.reliability)
        own.doubted += rounded(change.reliability * change.surprise, 1 << 16)
        own.margins[change.bin] += change.share
        self.sources[source][0] += 1
        self.sources[source][1] += rounded(change.surprise, 1 << 16)
        if originator:
            counts = self.originators[originator]
            counts["labels"] += 1
            contradicts = change.bin < BINS // 2
            counts["contradicting"] += contradicts
            counts["runs"] = Counter({label: counts["runs"][label] + contradicts})
        return change
