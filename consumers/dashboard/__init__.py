"""The dashboard: pages that show the monitor's view and accept labels.

| file | what |
|---|---|
| `app.py` | the routes |
| `policy_routes.py` | the routes of the policy: its state, a change, its undo, and a preview of a change |
| `page.py` | what the page needs first: its identity, and constants shared with the server |
| `requests.py`, `answers.py` | parses and validates requests; makes responses and streams |
| `view_cache.py` | follows the monitor's topic and sends changes to every viewer |
| `label_writer.py` | appends labels made on the page |
| `log_thread.py` | a thread with its own log, for labels and explanations |
| `security.py` | who may use the page, and what the page may do |
| `limits.py` | limits per client address |
| `server.py`, `process.py` | serves until stopped; the process |
| `static/` | the pages: one HTML file, CSS and ES modules, one folder per page; nothing is loaded from other servers |
"""
