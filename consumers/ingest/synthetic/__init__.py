"""A mail stream of our own making, for the demo and for tests: seeded, endless in variety, every mail labelled.

stream.py      who writes when: synthetic_mails
letters.py     a letter before it is put into MIME: people, subject, text
ham.py         grammar of wanted mail
spam.py        grammar of unwanted mail, and of the campaign that begins half-way
grammar.py     how a grammar becomes text
envelope.py    a letter as raw bytes, in many forms of MIME
"""

from .stream import synthetic_mails

__all__ = ["synthetic_mails"]
