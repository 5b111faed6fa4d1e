"""What each number predicted for past labels -> its weight among the numbers of a message.

Without weights, numbers that say the same would count several times, and those that say nothing as much as the others.
Let m_i be the margin of the label by number i (its term for that class, less the mean of its terms for the others,
weighted by their probabilities), and P the probability of the label by the score. Then (1 - P) m_i is the gradient of
the label's log-likelihood with respect to the weight of the number. The weights are exponentiated gradients with the
step sizes of AdaGrad:

    w_i = exp(e_i - mean e),    e_i = G_i / (2 sqrt(S_i + 1)),    G_i = sum (1 - P) m_i,    S_i = sum ((1 - P) m_i)^2,

clipped to exp(-3) to exp(3). The mean is over the numbers of the message, because another weight decides how much all
of them count (`kernels.tabular.part_pool`). P and m are those at the time of learning, and (1 - P) m is rounded to
1/256, so that G and S are sums of integers. A fit with a sum for each pair of numbers is no better on the streams of
`tests/benchmarks/numbers.py`.

Sources: Kivinen and Warmuth, Exponentiated gradient versus gradient descent for linear predictors (1997); Duchi, Hazan
and Singer, Adaptive subgradient methods for online learning and stochastic optimization (2011).
"""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import NUMBER, UNIT, FeatureId, MailResult, Slot
from stream_nb.kernels.tabular.number_layout import NumberSum
from stream_nb.kernels.workspace import array2d, nested

KIND, SLOT, _ = map(int, FeatureId)
GRADIENT, SQUARES = map(int, NumberSum)
SCORES = int(MailResult.SCORES)
_STEP, _MOST = 0.5, 3.0


@kernel
def number_weights(n, ids, sums, weights):
    """Fill weights[i] with the weight of number i of a message, or with 1 for a category. An unknown number is treated
    like one whose sums are 0, so that learning and unlearning leaves no trace."""
    numbers, total = 0, 0.0
    for i in range(n):
        weights[i] = 0.0
        if ids[i, KIND] == NUMBER:
            numbers += 1
            if ids[i, SLOT] >= 0:
                gradient, squares = float(sums[ids[i, SLOT], GRADIENT]), float(sums[ids[i, SLOT], SQUARES])
                weights[i] = _STEP * gradient / math.sqrt(max(squares, 0.0) + UNIT * UNIT)
                total += weights[i]
    for i in range(n):
        exponent = weights[i] - total / numbers if ids[i, KIND] == NUMBER else 0.0
        weights[i] = math.exp(min(max(exponent, -_MOST), _MOST))


@kernel
def number_gradients(n, order, column, units, workspace, result, gradients):
    """Fill gradients[k] with (1 - P) m, times `units`, of number k of the message scored last, for a label of class
    number `column` (-1: a new class). Returns how many numbers the message has."""
    ids, terms = array2d(workspace, Slot.FEATURE_IDS, np.int64), array2d(workspace, Slot.FEATURE_TERMS, np.float64)
    classes = terms.shape[1]
    shares = np.zeros(classes)
    slope, shift = result[MailResult.SLOPE], result[MailResult.SHIFT]
    error = 0.0
    if column >= 0 and classes > 1:
        rival = -math.inf
        for c in range(classes):
            if c != column:
                rival = max(rival, result[SCORES + c])
        mass = 0.0
        for c in order:
            if c != column:
                shares[c] = math.exp(slope * (result[SCORES + c] - rival))
                mass += shares[c]
        z = slope * (result[SCORES + column] - rival) - math.log(mass)
        if classes == 2:
            z += shift if column == order[1] else -shift
        error = 1.0 / (1.0 + math.exp(min(z, 700.0)))
        for c in range(classes):
            shares[c] /= mass
    count = 0
    for i in range(n):
        if ids[i, KIND] == NUMBER:
            margin = 0.0
            if error > 0.0:
                margin = terms[i, column]
                for c in order:
                    margin -= shares[c] * terms[i, c]
            gradients[count] = np.int64(math.floor(units * error * margin + 0.5))
            count += 1
    return count


@kernel
def add_gradients(n, gradients, sign, workspace):
    """Add `sign` times the gradients of a label to the sums of the numbers of the current message."""
    ids = array2d(workspace, Slot.FEATURE_IDS, np.int64)
    sums = array2d(nested(workspace, Slot.NUMBERS), Slot.NUMBER_SUMS, np.int64)
    k = 0
    for i in range(n):
        if ids[i, KIND] == NUMBER and k < gradients.shape[0]:
            sums[ids[i, SLOT], GRADIENT] += sign * gradients[k]
            sums[ids[i, SLOT], SQUARES] += sign * gradients[k] * gradients[k]
            k += 1
