"""A folder of mails: a sub-folder or an mbox for each class, a mail program's tree of mbox files, or plain mails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from ...errors import UserError
from ...records.number_text import many
from ...runtime.paths import exists, is_file
from .base import SIGNATURE_BYTES, WHOLE, MailFile, MailSource, open_file, why_no_mail
from .class_names import class_labels
from .emlx import SUFFIX
from .folder_names import in_spam, means_spam, readable_name
from .gmail import gmail_class, has_gmail_labels
from .maildir import present_mails
from .mbox import mail_spans
from .order import in_order
from .proton import MAIL, is_exported, proton_class
from .table import is_table
from .walk import EXPORTED, OF_KMAIL, holds_folders, is_mailbox, mail_files, visible

CURRENT = "cur"
"""The folder for the mails of a folder of Thunderbird with one file per mail."""

NAMED = 3
"""Maximal number of files that a notice names."""

Mails = list[tuple[Path, tuple[int, int]]]
"""Mails as their file and their span in it."""


def open_folder(root: Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    """Mails of a folder, labelled by the sub-folder (see `class_names`), in the order of `order.in_order`.

    | a mail in                           | belongs to the folder                                                   |
    |-------------------------------------|-------------------------------------------------------------------------|
    | a file below a sub-folder           | the sub-folder                                                          |
    | a Maildir below `root`              | its path: `INBOX`, `[Gmail]/Spam`                                       |
    | a mailbox of Apple Mail             | the path that it shows: `INBOX`, `[Gmail]/Spam`                         |
    | an mbox in `root` itself            | the file's name: `spam.mbox`, `Junk`, any name if it holds several mails |
    | an mbox beside an index `.msf`      | the path that Thunderbird shows: `Inbox`, `Archives/2019`               |

    A file that begins with a ``From `` line and holds several mails is always an mbox; tables and JSON are no mail; any
    other file is a mail. If there are indexes, only mboxes, ``.eml`` and files in cur/ are mail. If there are files
    ``.emlx`` (Apple Mail), only these are mail, and `root` may be one of its mailboxes, or one of Thunderbird's with a
    file for each mail. In exports of Gmail (see `gmail`) and Proton Mail (see `proton`), their labels are the classes,
    unless `classes` is given. Hidden files and folders are left out, except Maildirs, sub-folders of `root` whose names
    mean spam, and KMail's folders of sub-folders (``.inbox.directory``); so are mails that MH has removed (``,12``),
    files in the tmp/ of a Maildir, and mails that leave their Maildir before they are read. Single files next to
    folders or mbox files with a class are left out; without such folders they are mails without labels. Raises
    UserError for a folder without mails.

    Args:
        root: The folder.
        shuffle: Seed of a random order; None for the order of the files.
        classes: Rules that name the classes of folders.
        notify: Called with a line about files and folders without mail, and files left out.
    """
    folders, loose, empty_files, empty_folders = _scan(root)
    if folders:
        named = class_labels(sorted(name for name in folders if folders[name] or classes is None), classes, notify)
        files = [MailFile(path, name, named[name], span) for name in named for path, span in folders[name]]
    else:
        if classes is not None:
            raise UserError(f"--classes names the classes of sub-folders and mbox files, and {root} has none")
        files = [MailFile(path, "", None, span) for path, span in loose]
    if classes is None:
        files = _by_proton(_by_gmail(files, notify))
        _report_inner_spam(root, files, notify)
    if not files:
        if is_file(root / "in.db"):
            raise UserError(f"{root} holds a log; to read its mails, give its address: sqlite:{root}")
        tables = [root / name for name in empty_files if is_table(name)]
        raise UserError(
            f"{root} holds no mail; expected mails as text files (.eml), or a sub-folder or an mbox for each class"
            + (f"; to read a table, give its path: {tables[0]}" if tables else "")
        )
    if empty_files:
        count = many(len(empty_files), "file holds no mail and is", "files hold no mail and are")
        notify(f"{count} left out: {_some(empty_files)}")
    if empty_folders:
        notify(f"{many(len(empty_folders), 'folder holds', 'folders hold')} no mail: {_some(empty_folders)}")
    if folders and loose:
        names = [path.name for path, _ in loose]
        count = many(len(names), "file without a class is", "files without a class are")
        notify(f"{count} left out: {_some(names)}")
    found = sorted({file.label for file in files if file.label is not None})
    about = f"folder with the classes {', '.join(found)}" if found else "folder of mails without classes"
    ordered = in_order(files, shuffle)
    return MailSource(about, len(ordered), lambda: present_mails(ordered), ordered)


def _scan(root: Path) -> tuple[dict[str, Mails], Mails, list[str], list[str]]:
    """The mails of each folder, the mails in `root` without a folder, and the files and sub-folders without mail.

    Beside folders with mail, an empty spam folder counts as a folder, because it tells what the others hold.
    """
    folders: dict[str, Mails] = {}
    loose: Mails = []
    empty_files: list[str] = []
    empty_names: list[str] = []
    counts = (entry.name for entry in root.iterdir() if entry.is_dir() and (visible(entry) or means_spam(entry.name)))
    filled = dict.fromkeys(counts, False)
    found = list(mail_files(root))
    if any(path.suffix == SUFFIX for path, _ in found):
        found = [(path, indexed) for path, indexed in found if path.suffix == SUFFIX]
    of_thunderbird = any(indexed for _, indexed in found)
    for path, indexed in found:
        inside = path.relative_to(root)
        spans = _spans(path)
        if of_thunderbird and spans == [WHOLE] and path.parent.name != CURRENT and path.suffix != MAIL:
            spans = []  # one of the other files of its profile
        if not spans:
            empty_files.append(str(inside))
            if indexed or len(inside.parts) == 1:
                empty_names.append(_readable(inside.parts))
            continue
        filled[inside.parts[0]] = True
        name, spans = _folder_of(root, inside, indexed, spans)
        mails = loose if name is None else folders.setdefault(name, [])
        mails.extend((path, span) for span in spans)
    empty_folders = sorted(name for name, holds_mail in filled.items() if not holds_mail)
    if folders:
        empty_names += map(_without_suffix, empty_folders)
        folders |= {name: [] for name in empty_names if in_spam(name) and name not in folders}
    return folders, loose, sorted(empty_files), empty_folders


def _folder_of(
    root: Path, inside: Path, indexed: bool, spans: list[tuple[int, int]]
) -> tuple[str | None, list[tuple[int, int]]]:
    """The folder of a file's mails, None for none, and their spans; `inside` is the file's path from `root`."""
    parts = inside.parts
    of_apple = inside.suffix == SUFFIX or inside.name == EXPORTED
    of_root = of_apple and is_mailbox(root) and not any(map(is_mailbox, inside.parents))
    if of_root or parts[:-1] == (CURRENT,):
        return None, spans
    if indexed:
        return _readable(parts), spans
    if len(parts) > 1:
        return _folder_above(parts), spans if len(spans) > 1 else [WHOLE]
    if len(spans) > 1 or (spans != [WHOLE] and _names_a_class(inside.name)):
        return _without_suffix(inside.name), spans
    return None, [WHOLE]


def _report_inner_spam(root: Path, files: list[MailFile], notify: Callable[[str], None]) -> None:
    """Report spam folders that are not spam, because they are below a folder with another class."""
    others = [file for file in files if file.label not in (None, "spam")]
    places = dict.fromkeys(file.path if file.in_mbox else file.path.parent for file in others)
    insides = [place.relative_to(root) for place in places]
    folders = dict.fromkeys(folder for inside in insides for folder in (inside, *inside.parents))
    found = [folder for folder in folders if means_spam(_without_suffix(folder.name))]
    if found:
        notify(
            f"{many(len(found), 'spam folder is', 'spam folders are')} not spam, but part of the folder above: "
            f"{_some([str(folder) for folder in found])}; --classes does not reach them: give the path "
            f"{root / found[0].parent}"
        )


def _by_gmail(files: list[MailFile], notify: Callable[[str], None]) -> list[MailFile]:
    """The files, labelled by Gmail's labels in mbox files whose first mail has such labels.

    If there is such a file, only mbox files are mail, because an export also contains the account's settings.
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
            count = many(len(others), "file next to Gmail's mbox is", "files next to Gmail's mbox are")
            notify(f"{count} left out: {_some(others)}")
        files = [file for file in files if file.in_mbox]
    return [replace(file, label=labels.get((file.path, file.span), file.label)) for file in files]


def _by_proton(files: list[MailFile]) -> list[MailFile]:
    """The files, labelled by Proton Mail's labels in the folders to which it has exported mails."""
    exports = {file.path.parent for file in files if is_exported(file.path)}
    return [replace(file, label=proton_class(file.path)) if file.path.parent in exports else file for file in files]


def _spans(path: Path) -> list[tuple[int, int]]:
    """The spans of the mails in an mbox; [`WHOLE`] for another file; empty if the file has no readable mail."""
    if not exists(path):
        return [WHOLE]  # `present_mails` looks for a mail that a mail program has just renamed
    with open_file(path) as stream:
        start = stream.tell()
        first = stream.read(SIGNATURE_BYTES)
        if not first or why_no_mail(first) is not None or is_table(path.name):
            return []
        stream.seek(start)
        return mail_spans(stream) if first.startswith(b"From ") else [WHOLE]


def _names_a_class(file: str) -> bool:
    return file.endswith(".mbox") or ("." not in file and means_spam(file))


def _folder_above(parts: Sequence[str]) -> str:
    """The top folder above a file; for a Maildir or a mail program's folder, its whole path."""
    if len(parts) > 2 and parts[-2] in ("cur", "new"):
        return _readable(parts[:-2])
    above = (".sbd", ".mbox") if parts[-1].endswith(SUFFIX) else ".sbd"
    start = next((number for number, part in enumerate(parts[:-1]) if part.endswith(above)), 0)  # below an account
    inside = [*parts[:start], *takewhile(lambda part: part.endswith((".sbd", ".mbox")), parts[start:-1])]
    if not inside or inside[-1].endswith(".sbd"):  # such a folder holds folders, but no mails
        inside.append(parts[len(inside)])
    return "/".join(map(_without_suffix, inside))


def _readable(parts: Sequence[str]) -> str:
    """The path of a folder as people read it, of programs that name folders on disk as IMAP does."""
    return "/".join(readable_name(_without_suffix(part)) for part in parts)


def _without_suffix(name: str) -> str:
    """A folder's name without what mail programs add to it on disk."""
    if holds_folders(name):
        return name[1:].removesuffix(OF_KMAIL)
    return name.removesuffix(".sbd").removesuffix(".mbox")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
