"""Models over named features: a dict of categories or numbers.

base.py             FeatureNB: one sum for each feature and class, held by statistics.py
categorical.py      categories, counted by category_counts.py
gaussian.py         numbers, normal within a class, summed by moments.py
binned.py           numbers, cut into bins, counted by number_counts.py
feature_table.py    numbers (number_table.py) and categories (category_table.py) beside the words of `MailNB`, and what
                    they weigh (part_pool.py); feature_snapshot.py is all that as bytes
"""

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB

__all__ = ["BinnedNB", "CategoricalNB", "GaussianNB"]
