"""The dashboard: one page that shows the monitor's view and takes labels.

| file | what |
|---|---|
| `feed.py` | follows the monitor's topic and hands changes to every viewer |
| `labels.py` | appends what people say about mails |
| `explain.py` | why a mail scored so, words, smoothing: read from a copy of the model when asked |
| `logthread.py` | a thread with a log of its own, for both |
| `security.py` | who may talk to the page, and what the page may do |
| `app.py` | the routes |
| `static/` | the page: plain HTML, CSS and ES modules; nothing is loaded from elsewhere |
"""
