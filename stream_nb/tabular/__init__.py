"""Models over named features: a message is a dict of categories or numbers.

mapping_model.py    MappingNB: the base of all models over named features, `MixedNB` included
base.py             FeatureNB: one sum per feature and class, stored in statistics.py
categorical.py      categories, counted by category_counts.py
gaussian.py         numbers with a normal distribution in each class, summed by moments.py
binned.py           numbers divided into bins, counted by number_counts.py, read through bin_table.py
feature_table.py    the features of `MailNB`: numbers (number_table.py), categories (category_table.py) and their
                    weights (part_pool.py); feature_snapshot.py packs them, shrink.py makes a starter's
arrays.py           arrays of counters that grow
feature_text.py     values as text
"""

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB

__all__ = ["BinnedNB", "CategoricalNB", "GaussianNB"]
