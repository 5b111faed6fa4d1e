"""A Maildir: mails in cur/ and new/, and its folders as classes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from ...errors import UserError
from ...runtime.paths import is_file, is_folder
from ..feeder import Item
from .base import SIGNATURE_BYTES, MailFile, MailSource, mail_item, unreadable, why_no_mail
from .class_names import class_labels
from .folder_names import in_spam, readable_name
from .order import in_order

INBOX = "INBOX"
_PARTS = ("cur", "new", "tmp")


def is_maildir(root: Path) -> bool:
    """Whether the folder `root` is a Maildir: it has cur/ and new/."""
    return is_folder(root / "cur") and is_folder(root / "new")


def maildirs(root: Path, failed: Callable[[OSError], None]) -> Iterator[Path]:
    """Yield the Maildirs below `root` in the order of their paths, also those behind a link or within another one.
    `failed` is called with the error of a folder that cannot be read, whose Maildirs are then left out."""
    for entry in sorted(root.iterdir()):
        try:
            if is_maildir(entry):
                yield entry
            if entry.name not in _PARTS and not entry.is_symlink() and is_folder(entry):
                yield from maildirs(entry, failed)
        except OSError as error:
            failed(error)


def check_readable(folders: Iterable[Path]) -> None:
    """Raise UserError if the first mail of one of `folders`, a Maildir and its folders, is compressed, as Dovecot's
    zlib plugin does."""
    for path in (path for folder in folders for path in islice(_mails(folder), 1)):
        try:
            with path.open("rb") as stream:
                why = why_no_mail(stream.read(SIGNATURE_BYTES))
        except OSError:  # the mail has just been moved
            continue
        if why is not None:
            raise UserError(f"{path} {why}, or read the mailbox with imap://")


def open_maildir(root: Path, shuffle: int | None, classes: str | None, notify: Callable[[str], None]) -> MailSource:
    """Mails of a Maildir in the order of `order.in_order`, which is by time, because file names begin with the time.

    Its folders (Maildir++ ``.Junk`` or plain ``Junk``), and folders within them, are classes, named by the rules
    `classes` (see `class_labels`); their names are decoded from modified UTF-7. The mails outside them belong to the
    folder ``INBOX``. Without folders and rules, the mails have no labels. A mail that leaves its folder before it is
    read is left out.

    Args:
        root: A Maildir.
        shuffle: Seed of a random order; None for the order of the files.
        notify: Called with a line for people.
    """
    folders = {INBOX: [root]}
    for path in maildirs(root, _fail):
        names = [readable_name(part.removeprefix(".")) for part in path.relative_to(root).parts]
        folders.setdefault("/".join(names), []).append(path)
    check_readable(chain(*folders.values()))
    filled = {name: list(chain(*map(_mails, paths))) for name, paths in folders.items()}
    used = [name for name in folders if filled[name]]
    named: dict[str, str | None] = {INBOX: None}
    if classes is not None or len(folders) > 1:
        # An empty spam folder tells what the others hold; rules name the classes of folders with mail.
        to_name = used if classes is not None else [name for name in folders if filled[name] or in_spam(name)]
        named.update(class_labels(to_name, classes, notify))
    files = [MailFile(path, name, named[name]) for name in used for path in filled[name]]
    if not files:
        raise UserError(f"Maildir {root} holds no mail in cur/, new/ or its folders")
    ordered = in_order(files, shuffle)

    about = f"Maildir with the folders {', '.join(used)}"
    return MailSource(about, len(ordered), lambda: present_mails(ordered), ordered)


def present_mails(files: Iterable[MailFile]) -> Iterator[Item]:
    """The mails in files of Maildirs, whose names change when a mail is read or marked, and in others, without those
    that have left their Maildir. Raises UserError for a file that cannot be read."""
    return (mail_item(file.read(), file.label) for file in _where_they_are(files))


def _where_they_are(files: Iterable[MailFile]) -> Iterator[MailFile]:
    """The files of Maildirs under their present names, without those that are gone, and all other files."""
    renamed: dict[tuple[Path, str], Path] = {}
    for file in files:
        path, folder = file.path, file.path.parent.parent
        if os.path.exists(path) or not _is_in_maildir(path):
            yield file
            continue
        key = folder, _without_flags(path)
        path = renamed.get(key, path)
        if not os.path.exists(path):
            try:
                renamed |= {(folder, _without_flags(mail)): mail for mail in _mails(folder)}
            except OSError as error:
                raise unreadable(error, folder) from error
            path = renamed.get(key, path)
        if os.path.exists(path):
            yield replace(file, path=path)


def _is_in_maildir(path: Path) -> bool:
    return path.parent.name in ("cur", "new") and is_maildir(path.parent.parent)


def _without_flags(path: Path) -> str:
    return path.name.partition(":2,")[0]


def _fail(error: OSError) -> None:
    raise error


def _mails(folder: Path) -> Iterator[Path]:
    for part in ("cur", "new"):
        for path in (folder / part).iterdir():
            if path.name[0] != "." and is_file(path):
                yield path
