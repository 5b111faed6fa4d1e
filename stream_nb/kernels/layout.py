"""The rows and arrays that Python and the kernels share, each field named once.

Members are indices into an array. The docstring says if the last member is the first of several values.
"""

from __future__ import annotations

from enum import IntEnum

UNIT, MOST_UNITS = 256, 1 << 61
"""Counts are integers in units of 1/256 of a message. Totals are at most 2^61: a count of 2^53, which floats have."""

DOUBT_UNIT = 65536.0
"""The doubt in labels is an integer in units of 1/65536 of a label."""

BINS, WIDEST = 32, 4.0
"""Number of bins of the histogram of margins, which spans -WIDEST to WIDEST."""

SMOOTHING_STEPS = 8
"""Number of factors 1, 1/2, 1/4, ... by which `MailNB` may reduce its smoothing (`kernels.mail_nb.class_balance`)."""

PARTS = 3
"""Number of parts of a message: words, numbers, categories."""

POOL_BINS = 17
"""Bins of a part's margin, from -4 to 4, in the histogram that the weights of the parts are fitted to; the middle bin
is around 0."""

STARTER_CELLS = POOL_BINS**PARTS
"""Where the second histogram of the pool begins, of margins by a model's own counts alone and by its starter alone."""

POOL_CELLS = STARTER_CELLS + POOL_BINS**2


class PartWeight(IntEnum):
    """The weights of numbers and categories relative to words, and the number of classes that they were fitted for; 0
    if they are out of date."""

    NUMBERS = 0
    CATEGORIES = 1
    CLASSES = 2


class Slot(IntEnum):
    """The index of an array in a `Workspace`; the first three are nested workspaces."""

    MESSAGE = 0
    STATISTICS = 1
    TABLE = 2
    # of a message (`features.extractor`)
    HASH_MULTIPLIERS = 3
    HASHES = 4
    TOKEN_SPANS = 5
    COUNTS = 6
    DEDUP_INDEX = 7
    PREFIXES = 8
    ROW_IDS = 9
    # of a table (`features.count_table`)
    INDEX = 10
    ARENA = 11
    SIZES = 12
    # of statistics (`features.class_counts`)
    TOTALS = 13
    HISTOGRAMS = 14
    # of a model
    RESULT = 15
    TERMS = 16
    SETTINGS = 17
    LOGS = 18
    UPDATE = 19
    PRIOR = 20
    LOG_CACHE = 21
    ABSENT = 22
    # of numbers and categories (`tabular.feature_table`); the first three are nested workspaces
    NUMBERS = 23
    CATEGORIES = 24
    POOL = 25
    FEATURE_IDS = 26
    FEATURE_VALUES = 27
    FEATURE_TERMS = 28
    MOMENT_ROWS = 29
    NORMALS = 30
    SPANS = 31
    CELLS = 32
    CATEGORY_COUNTS = 33
    POOL_COUNTS = 34
    POOL_FILLED = 35
    PART_WEIGHTS = 36
    NUMBER_SUMS = 37
    FEATURE_WEIGHTS = 38


NAME, COUNT = 2, 4
"""Where the name of the feature and its counters begin in a row of a table; the key comes first."""


class Size(IntEnum):
    """`sizes` of a table: rows in use, rows with a nonzero count, bytes of the arena in use, and an upper bound of the
    absolute values of all counters."""

    USED = 0
    LIVE = 1
    TEXT = 2
    LARGEST = 3


class MailTotal(IntEnum):
    """A row of totals of `MailNB`, for one class: labels; the sum of its counters; words in its mails, and how many of
    these were new; the same for pairs; the summed reliability of the sources of its labels (1/256); how many of these
    are doubted (1/65536); what labels of other classes subtracted from its counters; and two histograms (1/256) of the
    margins at which its labels were learned, one of labels as far as they were believed, one of all that had a rival.
    """

    LABELS = 0
    MASS = 1
    WORDS_MET = 2
    NEW_WORDS = 3
    PAIRS_MET = 4
    NEW_PAIRS = 5
    RELIABLE = 6
    DOUBTED = 7
    TAKEN = 8
    MARGINS = 9
    ALL_MARGINS = 9 + BINS


MAIL_TOTALS = MailTotal.ALL_MARGINS + BINS


class MailSetting(IntEnum):
    """The options by which `MailNB` scores and grades; TRUST is the slope of trust, 0 for none; BALANCE is 1 or 0."""

    SMOOTHING = 0
    DAMPING = 1
    SHAPE = 2
    NOVELTY = 3
    PAIR_WEIGHT = 4
    BAND = 5
    TRUST = 6
    BALANCE = 7


class MailResult(IntEnum):
    """The result of scoring a mail with `MailNB`: the class with the best score (-1: none, or a tie), log-odds and
    probability of the positive class, slope and shift of the calibration, the numbers of words, new words, pairs, new
    pairs and n-grams, then the score of each class."""

    BEST = 0
    LOG_ODDS = 1
    PROBABILITY = 2
    SLOPE = 3
    SHIFT = 4
    WORDS = 5
    NEW_WORDS = 6
    PAIRS = 7
    NEW_PAIRS = 8
    GRAMS = 9
    SCORES = 10


class MailUpdate(IntEnum):
    """What one label adds to `MailNB`. Up to SOURCE_DOUBT, these are also the indices of `Update.tallies`: the
    increments of the class's totals, as in `MailTotal`: labels; the sum of the increments of its counters; words, new
    words, pairs and new pairs (1/256 each); the reliability of the source (1/256), and the doubt in the label times
    that (1/65536); then the bin of the margin, and its increments in the histograms of believed and of all labels
    (1/256); labels of the source, and the doubt in them (1/65536). Apart from the tallies: the increment of each
    feature (1/256); what each loses in the rival class (1/256), and the number of that class (-1: none)."""

    LABELS = 0
    MASS = 1
    WORDS_MET = 2
    NEW_WORDS = 3
    PAIRS_MET = 4
    NEW_PAIRS = 5
    RELIABLE = 6
    DOUBTED = 7
    BIN = 8
    BIN_GAIN = 9
    ALL_GAIN = 10
    SOURCE_LABELS = 11
    SOURCE_DOUBT = 12
    WEIGHT = 13
    TAKEN = 14
    RIVAL = 15


MAIL_UPDATE = MailUpdate.RIVAL + 1


class OriginatorCount(IntEnum):
    """What `MailNB` counts for an originator: the labels of its mails, how many contradicted the model, and from RUNS
    on, for each class, the length of the last run of contradicting labels that named it."""

    LABELS = 0
    CONTRADICTING = 1
    RUNS = 2


class TextTotal(IntEnum):
    """A row of totals of the textbook models: occurrences summed over words, messages summed over words, messages."""

    TERM = 0
    MESSAGE = 1
    MESSAGES = 2


class TextResult(IntEnum):
    """The result of scoring a message with a textbook model: the class with the greatest joint log-likelihood (-1:
    none, or a tie), log-odds and probability of the positive class, how many words of the message are known, how many
    logarithms have ever been computed for this array, then the joint log-likelihood of each class."""

    BEST = 0
    LOG_ODDS = 1
    PROBABILITY = 2
    KNOWN = 3
    COMPUTED = 4
    JOINT = 5


class Absent(IntEnum):
    """What the Bernoulli model caches of a class for one smoothing: the sum of log(1 - P(word | class)) over the
    vocabulary, and how many words it leaves out; the share of the words of the class in this sum, the number of these
    words, and the version of the class's histogram that they are computed from."""

    SUM = 0
    CERTAIN = 1
    OWN_SUM = 2
    OWN_WORDS = 3
    STATE = 4


FEATURE_ROOM = 1000
"""Maximum number of features of a message; later ones are ignored, which bounds its time and memory."""


NUMBER, CATEGORY = 0, 1
"""The kinds of features of a message, as in `FeatureId.KIND`."""


class FeatureId(IntEnum):
    """A number or category of a message: its kind; the index of the number, or the row of the category's counts
    (-1: unknown); the row of the counts of the category's value (-1: unknown)."""

    KIND = 0
    SLOT = 1
    ROW = 2
