"""How good a model is, and whether a log is right.

| file | what |
|---|---|
| `prequential.py` | test, then train, without a worker |
| `learner.py` | the same for the model that settings describe |
| `decayed.py`, `asking.py` | the same with decay; with few labels |
| `report.py` | the figures: accuracy, ranking, confusion matrix |
| `log_report.py` | these figures from a log |
| `verify.py` | all checks of a log |
| `recount.py`, `sums.py`, `decisions.py` | checks of the model, of its sums, and of the predicted labels |
| `waiting_labels.py` | a check of labels that wait for their mails |
| `class_limit.py` | whether a log has more classes than its model may have |
| `findings.py` | what the checks have found |
"""
