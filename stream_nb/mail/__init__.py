"""Raw mail -> the parts a learner reads; every input is hostile.

reader.py       read_mail: headers, body, hidden text
guards.py       what is cut before a parser sees it
fields.py       the header fields a learner reads (fields_kernel.py: the compiled pass)
fallback.py     the standard library's parser, for what the fast one refuses
html.py         HTML to text (html_kernel.py: the compiled pass; html_attributes.py, html_characters.py: its parts)
identity.py     the id of a mail
display.py      a stranger's text on one line
"""

from stream_nb.mail.identity import message_id
from stream_nb.mail.reader import ParsedMail, read_mail

__all__ = ["ParsedMail", "message_id", "read_mail"]
