"""The header fields that a learner reads, and the header lines that are left to a MIME parser.

An ASCII value without encoded words needs only unfolding, which this module does at a fraction of a parser's cost.
The parser gets the other values, and the Content-* fields that describe the body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np

from stream_nb import kernels

HEADER_NAMES = "header-names"
_SEPARATOR = b"\xff"  # as in `stream_nb.kernels.mail.headers`
_ROW_BYTES = 32


class Header(NamedTuple):
    """The header of a mail, read by `KeptFields.read`.

    `end` is the offset of the first line that is neither a field nor a continuation. `texts` maps each kept name that
    occurs to its values, one per line; its last entry, ``header-names``, lists these names in the order of the mail.
    `left` are the lines for the parser. If `odd`, some kept fields are only in `left`, because they need decoding:
    `KeptFields.decoded` makes their texts from the parser's headers.
    """

    end: int
    texts: dict[str, bytes]
    left: bytes
    odd: bool


class KeptFields:
    """The header fields to read.

    Args:
        names: Their names in lower case, at most 31 bytes each; `Header.texts` has the same order.
        unlisted: More names to read, which ``header-names`` does not list.
    """

    def __init__(self, names: Sequence[str], unlisted: Sequence[str] = ()) -> None:
        self.unlisted = frozenset(unlisted)
        self._listed = len(names)
        names = (*names, *unlisted)
        self._names = (*names, HEADER_NAMES)
        rows = b"".join([bytes([len(name), *name.encode()]).ljust(_ROW_BYTES, b"\0") for name in names])
        self._table = np.frombuffer(rows, "<u8").astype(np.uint64).reshape(len(names), _ROW_BYTES // 8)
        self._room = _ROW_BYTES * len(self._names)

    def read(self, raw: bytes, most: int) -> Header:
        r"""Read the header lines in the first `most` bytes of a mail, in time linear in their length.

        >>> kept = KeptFields(["subject", "x-mailer"])
        >>> header = kept.read(b"X-Mailer: a\n b\nSUBJECT:hi\nTo: me\nContent-Type: text/plain\n\nbody", 1000)
        >>> header.texts
        {'subject': b'hi', 'x-mailer': b'a b', 'header-names': b'x_mailer subject'}
        >>> header.left, header.odd, header.end
        (b'Content-Type: text/plain\n', False, 58)
        """
        out = np.empty(2 * min(len(raw), most) + self._room, np.uint8)
        end, end_of_texts, n, odd = kernels.read_fields(raw, most, self._table, self._listed, out)
        written = out[:n].tobytes()
        texts = written[len(self._names) : end_of_texts].split(_SEPARATOR)
        return Header(end, dict(zip(compress(self._names, written), texts, strict=True)), written[end_of_texts:], odd)

    def decoded(self, headers: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
        r"""Return the texts of the kept names, and ``header-names``, from a parser's headers.

        >>> KeptFields(["subject", "to"]).decoded({"To": ["me"], "Subject": ["a"], "SUBJECT": ["b", "c"]})
        {'subject': b'a\nb\nc', 'to': b'me', 'header-names': b'to subject'}
        """
        found: dict[str, str] = {}
        for header, values in headers.items():
            name = header.lower()
            text = "\n".join(values)
            found[name] = f"{found[name]}\n{text}" if name in found else text
        kept = self._names[:-1]
        texts = {name: found[name].encode() for name in kept if name in found}
        texts[HEADER_NAMES] = (
            " ".join([name for name in found if name in kept and name not in self.unlisted]).replace("-", "_").encode()
        )
        return texts
