"""The mail model.

| file | what |
|---|---|
| `model.py` | MailNB: formulas, scoring, learning |
| `base.py` | MailNB's options, statistics, updates and snapshots |
| `forgetting.py` | eviction and decay |
| `scorer.py` | read and score one message |
| `engine.py` | grade and learn one message at a time |
| `batch_engine.py` | score and learn many messages at once, in the arrays of `label_batch.py` |
| `recorder.py` | record what labels change, as bytes for other models |
| `updates.py` | apply updates, and sums of them as bytes |
| `update_sum.py` | add up recorded changes without a model |
| `statistics.py` | the model's state |
| `sources.py` | its sums for each source of labels |
| `originator_counts.py` | its counts of the labels of each list and sender |
| `view.py` | a read-only view of the statistics |
| `evidence.py` | why a mail scores as it does |
| `decision.py` | from a score to a label: the threshold, and when to answer "unsure" |
| `vocabulary.py` | what the model has learned about each word |
| `reliability.py` | what it has learned about each source of labels |
| `feature_part.py` | the numbers and categories of a mail as a part of its score |
| `starter.py` | a small copy of a model for new models to begin with |
| `starter_part.py` | score with the counts of a model and of its starter |
| `trending.py` | words that have become common |
"""

from stream_nb.mail_nb.model import MailNB

__all__ = ["MailNB"]
