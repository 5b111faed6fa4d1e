"""The stage that takes silence as confirmation: mails that nobody labelled for some days get their predicted label.

| file | what |
|---|---|
| `waiting.py` | the mails of a partition that may still be labelled |
| `stage.py` | the loop: read predictions and labels, write labels, commit |
| `process.py` | the process |
"""
