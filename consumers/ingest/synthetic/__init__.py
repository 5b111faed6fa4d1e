"""A stream of varied, seeded, labelled mail, generated for the demo and for tests.

| file | what |
|---|---|
| `stream.py` | the order of the stream: synthetic_mails |
| `messages.py` | a message before it is encoded: sender, subject, paragraphs |
| `ham.py` | grammar of wanted mail |
| `spam.py` | grammar of unwanted mail, and of the campaign that begins half-way |
| `grammar.py` | expands a grammar to text |
| `mime.py` | encodes a message as raw bytes, in many forms of MIME |
"""

from .stream import synthetic_mails

__all__ = ["synthetic_mails"]
