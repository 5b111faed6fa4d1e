"""The text streams that benchmarks share: Enron mail, in order of arrival, from the archives of the data folder."""

from __future__ import annotations

import lzma
import os
import tarfile
from pathlib import Path

FOLDER = Path(os.environ.get("STREAM_NB_DATA") or Path(__file__).parents[3] / "shared" / "data")


def enron(name: str) -> list[tuple[bytes, str]]:
    """(text, label) of each mail of enron1, enron2 or enron3, ordered by number and name of its file."""
    mails = []
    with lzma.open(FOLDER / f"{name}.tar.xz") as packed, tarfile.open(fileobj=packed) as files:
        for member in files:
            *_, label, file = ("", *member.name.split("/"))
            if member.isfile() and label in ("ham", "spam"):
                mails.append((int(file.split(".")[0]), file, files.extractfile(member).read(), label))
    mails.sort()
    return [(text, label) for _, _, text, label in mails]
