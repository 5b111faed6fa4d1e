"""A folder of mails: a sub-folder or an mbox a class, a mail program's tree of mbox files, or mails without classes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from ...errors import UserError
from ..plural import many
from .base import WHOLE, MailFile, MailSource, files_source, open_file, why_no_mail
from .class_names import class_labels
from .emlx import SUFFIX
from .folder_names import means_spam, readable_name
from .gmail import gmail_class, has_gmail_labels
from .mbox import mail_spans
from .order import in_order

EXPORTED = "mbox"
"""The file that Apple Mail exports a mailbox's mails to, in a folder ``NAME.mbox``."""

NAMED = 3
"""At most so many files are named in a line about many."""

Mails = list[tuple[Path, tuple[int, int]]]
"""Mails by their file and their span in it."""


def open_folder(root: Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    """Mails of a folder, labelled by their place in it (see `class_names`); the order is that of `order.in_order`.

    | a mail in                           | is of the folder                                                        |
    |-------------------------------------|-------------------------------------------------------------------------|
    | a file below a sub-folder           | the sub-folder                                                          |
    | a Maildir below `root`              | its path: `INBOX`, `[Gmail]/Spam`                                       |
    | a mailbox of Apple Mail             | the path that it shows: `INBOX`, `[Gmail]/Spam`                         |
    | an mbox in `root` itself            | the file's name: `spam.mbox`, `Junk`, any name if it holds several mails |
    | an mbox with an index `.msf` beside | the path that Thunderbird shows: `Inbox`, `Archives/2019`               |

    A file that begins with a ``From `` line and holds several mails is an mbox wherever it is; any other file is a
    mail. Where there are indexes, only files with an index are mail; where there are files ``.emlx`` (Apple Mail),
    only these, and `root` may be one of its mailboxes. In an mbox that Gmail has exported its labels are the classes
    (see `gmail`), unless `classes` is given. Hidden files and folders are left out, except folders of `root` that mean
    spam. Files beside classes are left out; files alone give mails without labels. `notify`
    is called with what holds no mail and what is left out. Raises UserError for a folder without a mail.

    Args:
        shuffle: Seed of a random order; None for the order of the files.
    """
    folders, loose, empty, bare = _scan(root)
    if folders:
        named = class_labels(sorted(folders), classes, notify)
        files = [MailFile(path, name, named[name], span) for name in named for path, span in folders[name]]
        if classes is None:
            files = _by_gmail(files, notify)
        about = f"folder with the classes {', '.join(sorted({file.label for file in files if file.label is not None}))}"
    else:
        if classes is not None:
            raise UserError(f"--classes names the classes of sub-folders and mbox files, and {root} has none")
        files = [MailFile(path, "", None, span) for path, span in loose]
        about = "folder of mails without classes"
    if not files:
        raise UserError(
            f"{root} holds no mail; expected are mails as text files (.eml), or a sub-folder or an mbox a class"
        )
    if empty:
        notify(f"{many(len(empty), 'file holds', 'files hold')} no mail and {_are(empty)} left out: {_some(empty)}")
    if bare:
        notify(f"{many(len(bare), 'folder holds', 'folders hold')} no mail: {_some(bare)}")
    if folders and loose:
        names = [path.name for path, _ in loose]
        notify(f"{many(len(names), 'file')} beside the classes {_are(names)} left out: {_some(names)}")
    return files_source(about, in_order(files, shuffle))


def _scan(root: Path) -> tuple[dict[str, Mails], Mails, list[str], list[str]]:
    """The mails of each folder, those in `root` that have none, the files without a mail, the sub-folders without."""
    folders: dict[str, Mails] = {}
    loose: Mails = []
    empty: list[str] = []
    tops = {entry.name: False for entry in root.iterdir() if entry.is_dir() and _visible(entry.name)}
    found = list(_files(root))
    if any(path.suffix == SUFFIX for path, _ in found):
        found = [(path, indexed) for path, indexed in found if path.suffix == SUFFIX]
    for path, indexed in found:
        inside = path.relative_to(root)
        spans = _spans(path)
        at_top = len(inside.parts) == 1
        if not spans:
            empty.append(str(inside))
            continue
        tops[inside.parts[0]] = True
        of_apple = path.suffix == SUFFIX or path.name == EXPORTED
        if of_apple and _is_mailbox(root) and not any(map(_is_mailbox, inside.parents)):
            loose.extend((path, span) for span in spans)
            continue
        if indexed:
            name = _readable(inside.parts)
        elif not at_top:
            name = _folder(inside.parts)
        elif len(spans) > 1 or (spans != [WHOLE] and _names_a_class(path.name)):
            name = _bare(path.name)
        else:
            loose.append((path, WHOLE))
            continue
        kept = spans if len(spans) > 1 or indexed or at_top else [WHOLE]
        folders.setdefault(name, []).extend((path, span) for span in kept)
    return folders, loose, sorted(empty), sorted(name for name, filled in tops.items() if not filled)


def _by_gmail(files: list[MailFile], notify: Callable[[str], None]) -> list[MailFile]:
    """The mails with the classes of Gmail's labels, in mbox files whose first mail has such labels.

    Beside such a file only mbox files are mail: an export has the account's settings, too.
    """
    labels: dict[tuple[Path, tuple[int, int]], str | None] = {}
    of_gmail: dict[Path, bool] = {}
    for file in files:
        if file.in_mbox and of_gmail.get(file.path, True):
            raw = file.read()
            of_gmail.setdefault(file.path, has_gmail_labels(raw))
            if of_gmail[file.path]:
                labels[file.path, file.span] = gmail_class(raw)
    if any(of_gmail.values()):
        others = [file.path.name for file in files if not file.in_mbox]
        if others:
            notify(f"{many(len(others), 'file')} beside Gmail's mbox {_are(others)} left out: {_some(others)}")
        files = [file for file in files if file.in_mbox]
    return [replace(file, label=labels.get((file.path, file.span), file.label)) for file in files]


def _files(root: Path) -> Iterator[tuple[Path, bool]]:
    """Every file that may hold mail, and whether it has an index of Thunderbird's beside it."""
    for place, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") or (Path(place) == root and _visible(name))]
        if EXPORTED in names and _is_mailbox(Path(place)):
            names = [EXPORTED]  # beside it is a table of contents
        indexed = {name.removesuffix(".msf") for name in names if name.endswith(".msf")}
        for name in names:
            path = Path(place, name)
            if not name.startswith(".") and (not indexed or name in indexed) and path.is_file():
                yield path, name in indexed


def _spans(path: Path) -> list[tuple[int, int]]:
    """The spans of the mails of an mbox, `WHOLE` for another file, nothing for a file without one that can be read."""
    with open_file(path) as stream:
        first = stream.read(8)
        if not first or why_no_mail(first) is not None:
            return []
        stream.seek(0)
        return mail_spans(stream) if first.startswith(b"From ") else [WHOLE]


def _visible(folder: str) -> bool:
    return not folder.startswith(".") or means_spam(folder)


def _names_a_class(file: str) -> bool:
    return file.endswith(".mbox") or ("." not in file and means_spam(file))


def _folder(parts: Sequence[str]) -> str:
    """The folder at the top that a file is below; of a Maildir or a mail program's folder the whole path."""
    if len(parts) > 2 and parts[-2] in ("cur", "new"):
        return _readable(parts[:-2])
    inside = list(takewhile(lambda part: part.endswith((".sbd", ".mbox")), parts[:-1]))
    if not inside or inside[-1].endswith(".sbd"):  # it holds folders, and no mails
        inside.append(parts[len(inside)])
    return "/".join(map(_bare, inside))


def _is_mailbox(folder: Path) -> bool:
    """Whether Apple Mail calls a mailbox so; its mails are in sub-folders, or exported in one file."""
    return folder.suffix == ".mbox"


def _readable(parts: Sequence[str]) -> str:
    """The path of a folder as people read it, of programs that name folders on disk as IMAP does."""
    return "/".join(readable_name(_bare(part)) for part in parts)


def _bare(name: str) -> str:
    """A folder's name without what mail programs append to it on disk."""
    return name.removesuffix(".sbd").removesuffix(".mbox")


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
