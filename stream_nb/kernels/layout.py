"""The rows and arrays that Python and the kernels share, each field named once.

Members are places in an array; where a member is the last and says so, more values of its kind follow.
"""

from __future__ import annotations

from enum import IntEnum

UNIT = 256
"""Counts are integers in this fraction of a message."""

DOUBT_UNIT = 65536.0
"""The doubt in labels is an integer in this fraction of a label."""

BINS, WIDEST = 32, 4.0
"""Bins of the histogram of margins, which spans -WIDEST to WIDEST."""

SMOOTHING_STEPS = 8
"""How much less smoothing `MailNB` may use: 1, 1/2, 1/4, ... of it (`kernels.class_balance`)."""

PARTS = 3
"""What a message can have: words, numbers, categories."""

POOL_BINS = 17
"""Bins of each part's margin, from -4 to 4, in the histogram that the parts' weights are fitted to; the middle one is
about 0."""

STARTER_CELLS = POOL_BINS**PARTS
"""Where in that histogram begins another one, of the margins by the own counts alone and by a starter alone."""

POOL_CELLS = STARTER_CELLS + POOL_BINS**2


class PartWeight(IntEnum):
    """What numbers and categories weigh beside words, and among how many classes they do; 0 when out of date."""

    NUMBERS = 0
    CATEGORIES = 1
    CLASSES = 2


class Place(IntEnum):
    """Where an array is in a `Workspace`; the first three are workspaces themselves."""

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
    # of whoever scores
    RESULT = 15
    TERMS = 16
    SETTINGS = 17
    LOGS = 18
    UPDATE = 19
    PRIOR = 20
    LOG_CACHE = 21
    ABSENT = 22
    # of numbers and categories (`tabular.feature_table`); the first three are workspaces themselves
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
"""Where in a row of a table the name of its feature begins, and where its counters do; before is its key."""


class Size(IntEnum):
    """`sizes` of a table: rows used, rows with any count that is not zero, bytes of the arena used, and a bound that
    no counter is further from zero than."""

    USED = 0
    LIVE = 1
    TEXT = 2
    LARGEST = 3


class MailTotal(IntEnum):
    """A row of totals of `MailNB`: the labels of a class, the sum of all its counters, words met in its mails and
    how many of them were new, the same of pairs, how reliable the sources of its labels were (1/256), how many of
    those are doubted (1/65536), what labels of other classes took from its counters, and two histograms of the margins
    its labels were learned at: each as far as it was believed, and each that had a rival in full (1/256)."""

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
    """The options by which `MailNB` reads and grades; TRUST is the slope of trust, 0 for none, and BALANCE 1 or 0."""

    SMOOTHING = 0
    DAMPING = 1
    SHAPE = 2
    NOVELTY = 3
    PAIR_WEIGHT = 4
    BAND = 5
    TRUST = 6
    BALANCE = 7


class MailResult(IntEnum):
    """What `MailNB` finds of a mail: the class with the best score (-1: none, or a tie), log-odds and probability of
    the positive class, slope and shift of the calibration, words, new words, pairs, new pairs, n-grams, scores."""

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
    """What one label adds to `MailNB`: the increment of each feature, then what is added to the class's totals up to
    DOUBTED, the bin of the margin and what it gains in either histogram, the label and doubt of its source (doubt in
    1/65536), what each feature loses in the rival class, and the number of that class (-1: none)."""

    WEIGHT = 0
    TOTALS = 1
    BIN = 9
    BIN_GAIN = 10
    ALL_GAIN = 11
    SOURCE = 12
    TAKEN = 14
    RIVAL = 15


MAIL_UPDATE = MailUpdate.RIVAL + 1


class OriginatorCount(IntEnum):
    """What `MailNB` counts of the labels of an originator's mails: how many there were, how many contradicted the
    model, and, from RUNS on, for each class those of the last run of contradicting labels that named it."""

    LABELS = 0
    CONTRADICTING = 1
    RUNS = 2


class TextTotal(IntEnum):
    """A row of totals of the textbook models: occurrences of words, messages by word, and messages."""

    TERM = 0
    MESSAGE = 1
    MESSAGES = 2


class TextResult(IntEnum):
    """What a textbook model finds of a message: the class with the greatest joint log-likelihood (-1: none, or no
    single one), log-odds and probability of the positive class, how many of its words the model has met, how many
    logarithms have ever been computed for this array, and the joint log-likelihood of each class."""

    BEST = 0
    LOG_ODDS = 1
    PROBABILITY = 2
    KNOWN = 3
    COMPUTED = 4
    JOINT = 5


class Absent(IntEnum):
    """What the Bernoulli model keeps of a class for one smoothing: the sum of log(1 - P(word | class)) over the
    vocabulary, words left out of it, then the part of the sum over the words of the class, how many they are, and the
    state of the class's histogram these are of."""

    SUM = 0
    CERTAIN = 1
    OWN_SUM = 2
    OWN_WORDS = 3
    STATE = 4


LOWEST_BIT = 1126
"""The lowest bit of an exact sum of floats counts 2^-1126; that of an exact sum of squares 2^-2252."""


class Moment(IntEnum):
    """A row of exact moments: how many values, in 1/256 of a message, where values begin and end, then the digits of
    their sum, and of the sum of their squares (see `kernels.exact_moments`). There is room for 2^45 values of any
    size."""

    COUNT = 0
    BEGIN = 1
    END = 2
    SUM = 3
    SQUARES = 74


MOMENTS = Moment.SQUARES + 139


FEATURE_ROOM = 1000
"""Features of a message that count, in their order; a message cannot buy more time or memory than that."""


class FeatureId(IntEnum):
    """A number or category of a message: 0 for a number, 1 for a category; which number it is, or the row of the
    category's counts (-1: never met); the row of its value's counts (-1: never met)."""

    KIND = 0
    SLOT = 1
    ROW = 2
