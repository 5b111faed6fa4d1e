"""Mail from disk or standard input, one file a format.

opening.py     open_source: which format is it?
base.py        Source: what every format gives
folder.py      a folder with a sub-folder or an mbox a class, a tree of mbox files, or plain mails
maildir.py     a Maildir, its folders as classes
trec.py        a TREC index: a label and a path a line
mbox.py        an mbox
json_lines.py  {"id", "text", "words", "features", "label"} a line
order.py       in which order the mails of many files stand
classes.py     from folder names to class names
"""

from .base import Source
from .detect import open_source

__all__ = ["Source", "open_source"]
