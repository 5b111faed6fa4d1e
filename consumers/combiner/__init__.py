"""The stage that adds up deltas for processes that follow sums of deltas (`[learner] follow`).

| file | what |
|---|---|
| `stage.py` | the loop: read deltas, write their sum, commit |
| `process.py` | the process |
"""
