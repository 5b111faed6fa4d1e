"""A stream of generated mail for the demo and for tests: seeded, of great variety, every mail labelled.

stream.py    the order of the stream: synthetic_mails
messages.py  a message before it is encoded: sender, subject, paragraphs
ham.py       grammar of wanted mail
spam.py      grammar of unwanted mail, and of the campaign that begins half-way
grammar.py   how a grammar becomes text
mime.py      a message as raw bytes, in many forms of MIME
"""

from .stream import synthetic_mails

__all__ = ["synthetic_mails"]
