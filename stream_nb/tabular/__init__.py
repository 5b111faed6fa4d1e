"""Models over named features: a message is a dict of categories or numbers.

| file | what |
|---|---|
| `mapping_model.py` | MappingNB: the base of all models over named features, `MixedNB` included |
| `base.py`, `statistics.py` | FeatureNB: one sum per feature and class, stored in statistics.py |
| `categorical.py`, `category_counts.py` | categories, and their counts |
| `gaussian.py`, `normal.py`, `moments.py` | numbers with a normal distribution in each class, and their sums |
| `binned.py`, `number_counts.py`, `bin_table.py` | numbers divided into bins, their counts, and how these are read |
| `feature_table.py` | the features of `MailNB`: numbers and categories |
| `number_table.py`, `category_table.py`, `part_pool.py` | its numbers, its categories, and their weights |
| `feature_snapshot.py`, `shrink.py` | packs them; makes a starter's |
| `arrays.py` | arrays of counters that grow |
| `feature_text.py` | values as text |
"""

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB

__all__ = ["BinnedNB", "CategoricalNB", "GaussianNB"]
