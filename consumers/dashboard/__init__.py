"""The dashboard: pages that show the monitor's view and take labels.

| file | what |
|---|---|
| `app.py` | the routes |
| `page.py` | what the page needs to know first: constants that it shares with the server |
| `requests.py` | what requests carry, read and checked |
| `view_cache.py` | follows the monitor's topic and hands changes to every viewer |
| `label_writer.py` | appends labels given on the page |
| `log_thread.py` | a thread with a log of its own, for labels and explanations |
| `security.py` | who may talk to the page, and what the page may do |
| `server.py` | serves until stopped |
| `static/` | the pages: one HTML file, CSS and ES modules, a folder a page; nothing is loaded from elsewhere |
"""
