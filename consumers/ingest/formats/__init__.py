"""Reads mail from disk or standard input, with one file for each format.

| file | what |
|---|---|
| `detect.py` | open_source: recognises the format |
| `base.py` | MailSource: the result for every format |
| `folder.py` | a folder with a sub-folder or an mbox for each class, a tree of mbox files, or plain mails |
| `walk.py` | the files of a folder that may hold mail |
| `maildir.py` | a Maildir, its folders as classes |
| `trec.py` | a TREC index: a label and a path on each line |
| `mbox.py` | an mbox |
| `gmail.py` | the classes of Gmail's labels in an mbox |
| `proton.py` | the classes of Proton Mail's labels in its export |
| `emlx.py` | a mail of Apple Mail |
| `json_lines.py` | {"id", "text", "words", "features", "label"} on each line |
| `lines.py` | lines of JSON objects, within limits |
| `table.py` | CSV with a header row, or a flat JSON object on each line |
| `csv_rows.py` | the column names and rows of CSV |
| `columns.py` | which columns of a table are numbers, categories or text |
| `order.py` | the order of mails from many files |
| `class_names.py` | the class of each folder |
| `folder_names.py` | names of spam and trash folders in many languages |
| `summary.py` | the numbers of mails and classes, as text |
"""

from .base import MailSource
from .detect import open_source

__all__ = ["MailSource", "open_source"]
