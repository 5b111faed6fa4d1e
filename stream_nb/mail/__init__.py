"""Raw mail -> the parts a learner reads; every input is hostile.

parser.py           read_mail: headers, body, hidden text
limits.py           what is cut before a parser sees it
headers.py          the header fields a learner reads
fallback_parser.py  the standard library's parser, for what the fast one refuses
html.py             HTML to text, seen and hidden
alternatives.py     which plain texts have a twin in HTML
normalization.py    letters in disguise to plain ones
identification.py   the id of a mail
sanitize.py         a stranger's text on one line

The compiled passes over headers, HTML and letters are in `stream_nb.kernels`.
"""

from stream_nb.mail.identification import message_id
from stream_nb.mail.parser import ParsedMail, read_mail

__all__ = ["ParsedMail", "message_id", "read_mail"]
