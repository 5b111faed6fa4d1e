"""Follows a Maildir: its mails are appended to the log; junk keywords and moves to folders of another class are labels.

Folders are checked every quarter of a second, and listed only if their modification time has changed. This needs no
notifications from the operating system, and also works on network file systems.
"""

from __future__ import annotations

import logging
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import msgspec

from ..ingest.formats.folder_names import readable_name
from ..ingest.formats.maildir import INBOX
from ..ingest.formats.mbox import MAX_READ_BYTES
from ..ingest.formats.order import merged_evenly
from ..log.base import Log
from ..records.heartbeat import FEED, HeartbeatWriter, member_of
from ..settings import Settings
from .file_names import SETTLED_NS, FileNames, Listing, as_text, base_name
from .keywords import keyword_class, keyword_names
from .known_mail import KnownMail, Position
from .known_mails import HAM, KnownMails, mail_id
from .maildir_folders import MaildirFolders
from .renamed import RenamedFolders

logger = logging.getLogger(__name__)
POLL_S = 0.25
MOVED_S = 2.0
"""A mail that is in two folders for longer is a copy. Servers move a mail by linking it and unlinking it soon after."""
FILES_A_WRITE = 100
FileKey = tuple[str, str]
"""A folder, and the name of a file in it without its flags."""

COMPLETE = Position(1, 1, 1)


class MaildirFollower:
    """Follows a Maildir or folder of Maildirs, and all folders within.

    With `labels`, it labels the mails that exist at the start, by their keywords, else by their folder's class.
    """

    def __init__(self, log: Log, folders: MaildirFolders, settings: Settings, labels: bool = False) -> None:
        self._folders = folders
        self._scanned: dict[str, Path] = {}
        self.classes: dict[str, str] = {}  # of each folder, by its decoded name; empty for none
        self._keywords: dict[str, dict[str, str]] = {}
        self._labels = labels
        source, remember = settings.filter.source, settings.worker.remember_mails
        account = f"maildir:{as_text(str(folders.root.resolve()))}"
        self.known_mails = KnownMails(log, account, source, folders.class_of, remember, self._may_be_there)
        self._renamed = RenamedFolders(self.known_mails)
        self._heartbeat = HeartbeatWriter(log, FEED, member_of(as_text(str(folders.root))))
        self._ids: dict[FileKey, str] = {(mail.folder, mail.name): name for name, mail in self.known_mails.all()}
        self._flags: dict[FileKey, str] = {}  # of each file that has been processed
        self._copies: dict[FileKey, float] = {}
        """Files that may be copies, with the monotonic time at which they were first seen."""
        self._listed: dict[Path, int] = {}
        """The modification time of each folder that need not be listed again before it changes."""
        self._files: dict[Path, set[FileKey]] = {}
        """The files of each folder when it was listed last."""
        self._names = FileNames()  # those that were needed within one scan
        self._left: dict[FileKey, Path] = {}
        """The files that mails had left in the previous scan, and the new files; they may be back now."""
        self._leaving: dict[FileKey, Path] = {}
        """The same of this scan."""

    def run(self, stop: Event, ready: Callable[[], None] = lambda: None) -> None:
        """Follow until `stop` is set; `ready` is called once all folders have been read."""
        with self._heartbeat:
            self._scan(stop)
            ready()
            while not stop.wait(POLL_S):
                self._heartbeat.beat()
                self._scan(stop)

    def _scan(self, stop: Event) -> None:
        first = self.known_mails.position(INBOX) is None
        try:
            self._scanned = self._folders.find()
        except OSError as error:
            self._folders.warn(error)
        self.classes = {readable_name(folder): self._folders.class_of(folder) for folder in self._scanned}
        self._renamed.follow(self._scanned)
        self._left, self._leaving = self._leaving, {}
        listings: list[Listing] = []
        for folder, path in self._scanned.items():
            names = keyword_names(path)
            if names != self._keywords.get(folder, {}):  # a name may be written after the file that has its letter
                self._keywords[folder] = names
                self._flags = {key: flags for key, flags in self._flags.items() if key[0] != folder}
                self._listed = {part: changed for part, changed in self._listed.items() if part.parent != path}
            listings += filter(None, (self._list(folder, path / part, names) for part in ("new", "cur")))
        # Evenly, because a learner must not see all mails of one class before the first of another.
        files = merged_evenly([(listing, file) for file in listing.files] for listing in listings)
        for number, (listing, file) in enumerate(files, 1):
            if stop.is_set():
                break
            if not self._process(listing, file, first):
                self._listed.pop(listing.part, None)
            if number % FILES_A_WRITE == 0:
                self._heartbeat.beat()
                self.known_mails.write()
        if first and not stop.is_set():
            self.known_mails.reach(INBOX, COMPLETE)
        self.known_mails.write()
        self._names.clear()

    def _list(self, folder: str, part: Path, names: dict[str, str]) -> Listing | None:
        """List the files of a folder's part if they may have changed."""
        now = time.time_ns()
        try:
            changed = part.stat().st_mtime_ns
            if self._listed.get(part) == changed:
                return None
            files = sorted(os.listdir(part))
        except OSError as error:
            self._folders.warn(error)
            return None
        there = {(folder, base_name(file)) for file in files}
        listed_before = part in self._files
        for key in self._files.get(part, set[FileKey]()) - there:
            # The file may come back later, from another folder.
            self._flags.pop(key, None)
            self._ids.pop(key, None)
            self._copies.pop(key, None)
        self._files[part] = there
        if now - changed > SETTLED_NS:
            self._listed[part] = changed
        return Listing(folder, part, [file for file in files if not file.startswith(".")], names, listed_before)

    def _process(self, listing: Listing, file: str, first: bool) -> bool:
        """Process the changes of one file; return False if it must be checked again: it is gone, or may be a copy."""
        key, flags = (listing.folder, base_name(file)), file.partition(":2,")[2]
        if key in self._left and not self._is_copied_to(self._left.pop(key), key):
            # It left and came back since its folder was listed: it arrives again, now or as soon as it can be read.
            self._ids.pop(key, None)
            self._flags.pop(key, None)
        elif self._flags.get(key) == flags:
            return True
        keyword_label = keyword_class(flags, listing.names, HAM in self.classes.values())
        message_id = self._ids.get(key)
        mail = None if message_id is None else self.known_mails.find(message_id)
        if message_id is None or mail is None:
            if not self._arrive(key, listing.part / file, keyword_label, first, listing.listed_before):
                return False
        elif keyword_label != mail.keyword:
            if keyword_label is not None:
                self.known_mails.label(message_id, keyword_label)
            self.known_mails.put(message_id, msgspec.structs.replace(mail, keyword=keyword_label))
        self._flags[key] = flags
        return True

    def _arrive(self, key: FileKey, path: Path, keyword_label: str | None, first: bool, listed_before: bool) -> bool:
        """Record that a mail is in a new file; return False if the file must be checked again."""
        folder, base = key
        try:
            if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait until somebody writes to it
                return True
            with path.open("rb") as file:
                raw = file.read(MAX_READ_BYTES)
        except OSError as error:
            self._folders.warn(error)
            return False
        was = self.known_mails.find(mail_id(raw))
        maybe_copy = (not listed_before or key in self._copies) and self._is_there(was)
        now = time.monotonic()
        if maybe_copy and not first and now - self._copies.setdefault(key, now) < MOVED_S:
            return False
        self._copies.pop(key, None)
        if was is not None and not maybe_copy:
            self._leaving[was.folder, was.name] = path
        label = keyword_label
        if first:
            label = (keyword_label or self._folders.class_of(folder) or None) if self._labels else None
        self._ids[key] = self.known_mails.arrive(
            raw, folder, label=label, name=base, keyword=keyword_label, maybe_copy=maybe_copy
        )
        return True

    def _may_be_there(self, mail: KnownMail) -> bool:
        """Whether a mail was where it was seen last when that folder was listed last, or that has not been listed."""
        folder, key = self._scanned.get(mail.folder), (mail.folder, mail.name)
        return folder is not None and any(key in self._files.get(folder / part, (key,)) for part in ("new", "cur"))

    def _is_copied_to(self, to: Path, key: FileKey) -> bool:
        """Whether the mail of a file is still in its later one."""
        message_id = self._ids.get(key)
        return to.exists() or (message_id is not None and self._is_there(self.known_mails.find(message_id)))

    def _is_there(self, mail: KnownMail | None) -> bool:
        """Whether a mail is still where it was seen last, which means that another file is a copy."""
        folder = None if mail is None else self._scanned.get(mail.folder)
        if mail is None or folder is None:
            return False
        try:
            return any(mail.name in self._names.names_in(folder / part) for part in ("new", "cur"))
        except OSError:  # a folder that is being removed
            return False
