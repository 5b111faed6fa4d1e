"""The stage that takes silence for a label: what was predicted, of mails that nobody labelled for some days.

| file | what |
|---|---|
| `waiting.py` | the mails of a partition that may still be labelled |
| `stage.py` | the loop: read predictions and labels, write labels, commit |
| `process.py` | the process |
"""
