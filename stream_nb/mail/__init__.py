"""Raw mail -> the parts a learner reads; every input is hostile.

| file | what |
|---|---|
| `parser.py` | read_mail: headers, body, hidden text |
| `body.py` | the text of the body, visible and hidden |
| `limits.py` | size limits, applied before parsing |
| `headers.py` | the header fields a learner reads |
| `content_fields.py` | Content-Transfer-Encoding and Content-Type in a form that the fast parser reads |
| `mime.py` | headers, bodies and attachments, by the fast parser or the fallback |
| `fallback_parser.py` | the standard library's parser, for mail that the fast parser rejects |
| `flowed.py` | lines that are broken within words (format=flowed) |
| `html.py` | HTML to text, visible and hidden |
| `alternatives.py` | which text/plain bodies have an HTML alternative |
| `normalization.py` | disguised letters to plain ones |
| `identification.py` | the message id |
| `originator.py` | the mailing list or sender |
| `sanitize.py` | untrusted text on one line |

The compiled loops over headers, HTML and letters are in `stream_nb.kernels`.
"""

from stream_nb.mail.identification import message_id
from stream_nb.mail.parser import ParsedMail, read_mail

__all__ = ["ParsedMail", "message_id", "read_mail"]
