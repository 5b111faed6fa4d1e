"""Words, numbers and categories as parts of one score, and what a label adds to them."""

# pyright: basic

import math

import numpy as np

from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import FEATURE_ROOM, FeatureId, MailResult, PartWeight, Slot
from stream_nb.kernels.mail_nb.score import read_scores
from stream_nb.kernels.tabular.feature_counts import add_features
from stream_nb.kernels.tabular.feature_terms import feature_terms
from stream_nb.kernels.tabular.number_weights import add_gradients, number_gradients, number_weights
from stream_nb.kernels.tabular.part_pool import add_to_pool, part_weights, pool_cell
from stream_nb.kernels.workspace import array1d, array2d, nested

KIND = int(FeatureId.KIND)
SCORES = int(MailResult.SCORES)


@kernel
def score_features(n, order, damping, lead, positive, workspace, result):
    """Add the scores of numbers and categories to those of words in `result`. Returns how many features are known.

    Afterwards, FEATURE_WEIGHTS[i] times FEATURE_TERMS[i, c] is the share of feature i in the score of class c, and
    FEATURE_TERMS[FEATURE_ROOM + p, c] is the score of class c by part p alone (words, numbers, categories). The score
    of a part is the sum of its features' terms, less the mean over the classes, over (features + 1)^damping; the terms
    of numbers are weighted (`number_weights`). The arrays are in the workspace of a `FeatureTable`; `order` are the
    class numbers, sorted by name.
    """
    ids, terms = array2d(workspace, Slot.FEATURE_IDS, np.int64), array2d(workspace, Slot.FEATURE_TERMS, np.float64)
    scores = result[SCORES:]
    parts = terms[FEATURE_ROOM:]
    classes = scores.shape[0]
    for c in range(classes):
        parts[0, c] = scores[c]
        parts[1, c] = parts[2, c] = 0.0
    numbers, categories = feature_terms(n, order, workspace)
    if classes < 2:
        return numbers + categories
    of_parts = part_weights(classes, nested(workspace, Slot.POOL))
    weight_numbers, weight_categories = of_parts[PartWeight.NUMBERS], of_parts[PartWeight.CATEGORIES]
    weights = array1d(workspace, Slot.FEATURE_WEIGHTS, np.float64)
    number_weights(n, ids, array2d(nested(workspace, Slot.NUMBERS), Slot.NUMBER_SUMS, np.int64), weights)
    damp_numbers, damp_categories = math.pow(numbers + 1.0, -damping), math.pow(categories + 1.0, -damping)
    for i in range(n):
        part = 1 + ids[i, KIND]
        damp = damp_numbers if part == 1 else damp_categories
        middle = 0.0
        if classes == 2:
            # half the difference, so that the order of the two classes changes no bit
            half = 0.5 * (terms[i, lead] - terms[i, 1 - lead])
            terms[i, lead], terms[i, 1 - lead] = half, -half
        else:
            for c in order:
                middle += terms[i, c] / classes
        for c in range(classes):
            terms[i, c] = (terms[i, c] - middle) * damp
            parts[part, c] += weights[i] * terms[i, c]
        weights[i] *= weight_numbers if part == 1 else weight_categories
    for c in range(classes):
        scores[c] += weight_numbers * parts[1, c] + weight_categories * parts[2, c]
    read_scores(positive, classes, lead, result)
    return numbers + categories


@kernel
def learn_features(n, order, column, units, workspace, result):
    """Count the features of the message scored last, and what its parts and numbers predicted for its label. Returns
    the result of `add_features`."""
    terms = array2d(workspace, Slot.FEATURE_TERMS, np.float64)
    add_to_pool(pool_cell(terms, order, column), units, nested(workspace, Slot.POOL))
    gradients = np.empty(n, np.int64)
    count = number_gradients(n, order, column, units, workspace, result, gradients)
    add_gradients(n, gradients[:count], 1, workspace)
    return add_features(0, n, column, units, workspace)
