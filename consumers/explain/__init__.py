"""Why a mail has its score, and what the model knows, asked of a copy of the model.

| file | what |
|---|---|
| `explainer.py`, `explanation.py` | the questions; the answers |
| `deciding.py` | the class that an explanation is about, and the terms that decide for it |
| `last_learned.py`, `lessons.py` | the mails labelled last, and those that taught a word |
| `word_lists.py` | what the model knows about words |
| `feature_summary.py`, `histogram_bins.py`, `normal_fit.py` | what it knows about numbers and categories |
| `what_if.py` | how other labels or other smoothing would change scores |
"""
