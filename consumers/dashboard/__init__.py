"""The dashboard: pages that show the monitor's view and accept labels.

| file | what |
|---|---|
| `app.py` | the routes |
| `page.py` | what the page needs first: its identity, and constants shared with the server |
| `requests.py` | parses and validates requests |
| `view_cache.py` | follows the monitor's topic and sends changes to every viewer |
| `label_writer.py` | appends labels made on the page |
| `log_thread.py` | a thread with its own log, for labels and explanations |
| `security.py` | who may use the page, and what the page may do |
| `server.py` | serves until stopped |
| `static/` | the pages: one HTML file, CSS and ES modules, one folder per page; nothing is loaded from other servers |
"""
