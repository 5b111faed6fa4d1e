"""Mail from disk or standard input, one file a format.

detect.py      open_source: which format is it?
base.py        MailSource: what every format gives
folder.py      a folder with a sub-folder or an mbox a class, a tree of mbox files, or plain mails
maildir.py     a Maildir, its folders as classes
trec.py        a TREC index: a label and a path a line
mbox.py        an mbox
gmail.py       the classes of Gmail's labels in an mbox
emlx.py        a mail of Apple Mail
json_lines.py  {"id", "text", "words", "features", "label"} a line
table.py       CSV with a header row, or a flat JSON object a line
csv_rows.py    the names of the columns and the rows of CSV
columns.py     which columns of a table are numbers, categories or text
order.py       the order of the mails of many files
class_names.py from folder names to class names
folder_names.py what a folder's name says, in many languages
summary.py     how many mails there are, of which classes
"""

from .base import MailSource
from .detect import open_source

__all__ = ["MailSource", "open_source"]
