"""Follows an IMAP mailbox: its mails are appended to the log, and moves to a folder of another class are labels.

One connection watches the mailbox with IDLE. After each event, and at regular intervals, all folders are read from
their last positions on. A broken connection is opened again, after increasing pauses; without IDLE, if that breaks it.
"""

from __future__ import annotations

import itertools
import logging
import random
import ssl
from collections.abc import Callable
from contextlib import suppress
from threading import Event

from ..errors import LogUnavailable, MailServerUnavailable, MissingRight, Restart, UserError
from ..log.base import Log
from ..records.heartbeat import FEED, HeartbeatWriter, member_of
from ..settings import Settings
from .address import ImapAddress
from .connection import ImapConnection, Selected
from .followed import NO_JUNK, FollowedFolders
from .imap_errors import IMAP_ERRORS, reason
from .known_mails import KnownMails
from .reading import MailReader
from .treatment import Act, Treatment, check_can, undo

WAKE_S = 1.0
IDLE_TRIES = 3
"""After this many in a row that ended the connection, the next connection does without IDLE."""
REFRESH_S = 30.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 300.0

logger = logging.getLogger(__name__)


class ImapFollower:
    """Follows one mailbox of a user, and the junk folder of the account; with rules, the other folders, too.

    Args:
        labels: Whether to label the mails that exist at the start, by the class of their folder.
        act: What to do with spam; None for nothing.
        apply: Whether to do so; False only reports what would be done.
        notify: Called with each line for people.
        classes: The rules that name the class of each folder (`FollowedFolders`).
    """

    def __init__(
        self,
        log: Log,
        address: ImapAddress,
        settings: Settings,
        labels: bool = False,
        act: Act | None = None,
        apply: bool = False,
        notify: Callable[[str], None] = lambda text: None,
        classes: str | None = None,
    ) -> None:
        self._log = log
        self._address = address
        self._settings = settings
        self._labels = labels
        self._act: Act | None = act
        self._apply = apply
        self._notify = notify
        self._folders = FollowedFolders(address, settings.imap, classes, notify)
        self._treatment: Treatment | None = None
        self._stop = Event()
        self._ready: Callable[[], None] = lambda: None
        self._heartbeat = HeartbeatWriter(log, FEED, member_of(str(address)))
        self._healthy = False
        self._failed_idles = 0
        self._seen: Selected | None = None

    @property
    def classes(self) -> dict[str, str | None]:
        """The class of each followed folder; empty for none."""
        return {folder: self._folders.class_of(folder) for folder in self._folders.names}

    @property
    def known_mails(self) -> KnownMails:
        """The known mails; available after the first connection."""
        return self._known_mails

    def run(self, stop: Event, ready: Callable[[], None] = lambda: None) -> None:
        """Follow until `stop` is set; `ready` is called when both folders have been read for the first time.

        Raises UserError for errors that trying again does not fix: a wrong password at the first login, an unknown
        folder, a missing right on the log. Raises MailServerUnavailable if the server does not answer at first.
        """
        self._stop, self._ready = stop, ready
        with self._heartbeat:
            self._run()

    def _run(self) -> None:
        connection = self._open()
        pause = FIRST_PAUSE_S
        while not self._stop.is_set():
            self._healthy = False
            try:
                connection = connection or ImapConnection(self._address, self._settings.imap)
                self._follow(connection)
            except MissingRight:
                raise
            except (*IMAP_ERRORS, LogUnavailable, MailServerUnavailable, Restart, UserError) as error:
                if isinstance(error, UserError):  # a server locks an account after a few refused passwords
                    pause = LONGEST_PAUSE_S
                elif self._healthy:
                    pause = FIRST_PAUSE_S
                wait = pause * random.uniform(0.5, 1.0)
                kind = type(error).__name__  # a refused password is logged even if a broken connection was just logged
                text, extra = "%s: %s; trying again in %.1f s", {"kind": f"feed: {kind}"}
                logger.warning(text, self._address, reason(error), wait, extra=extra)
                self._pause(wait)
                pause = min(2 * pause, LONGEST_PAUSE_S)
            finally:
                if connection is not None:
                    connection.close()
                    connection = None

    def _pause(self, seconds: float) -> None:
        """Wait without a connection; heartbeats report that while the log answers."""
        for wait in (*itertools.repeat(WAKE_S, int(seconds / WAKE_S)), seconds % WAKE_S):
            if self._stop.wait(wait):
                return
            with suppress(LogUnavailable):
                self._heartbeat.beat(starting="waiting for the mail server")

    def undo(self) -> int:
        """Move our mails back and remove our marks; return how many mails changed. Raises UserError."""
        connection = self._open()
        try:
            if self._folders.junk is None or not self._known_mails.ours():
                return 0
            self._read_folders(connection)
            changed = undo(connection, self._known_mails, self._address.mailbox, self._folders.junk)
            self._read_folders(connection)
            return changed
        except IMAP_ERRORS as error:
            raise UserError(f"{self._address}: {reason(error)}; run the command again to undo the rest") from error
        finally:
            connection.close()

    def _open(self) -> ImapConnection:
        """Open the first connection, and look up what does not change later."""
        try:
            connection = ImapConnection(self._address, self._settings.imap)
            try:
                self._look_up(connection)
            except BaseException:
                connection.close()
                raise
        except IMAP_ERRORS as error:
            kind = UserError if isinstance(error, ssl.SSLError) else MailServerUnavailable
            raise kind(f"{self._address}: {reason(error)}; check host and port") from error
        return connection

    def _look_up(self, connection: ImapConnection) -> None:
        self._folders.find(connection)
        remember = self._settings.worker.remember_mails
        user = self._address.user
        self._known_mails = KnownMails(self._log, str(self._address), user, self._folders.class_of, remember)
        self._reader = MailReader(self._known_mails)
        junk = self._folders.junk
        if self._act is None:
            if junk is None:
                self._notify(NO_JUNK)
        elif junk is None:
            raise UserError(f"{self._address}: no junk folder was found; set STREAM_NB_IMAP_JUNK to its name")
        else:
            check_can(connection, self._act, self._address.mailbox)
            self._treatment = Treatment(
                self._log, self._known_mails, self._address.mailbox, junk, self._act, self._apply, self._notify
            )

    def _follow(self, connection: ImapConnection) -> None:
        idles = connection.can("IDLE") and self._failed_idles < IDLE_TRIES
        self._seen = None
        while not self._stop.is_set():
            before = self._seen
            self._folders.find_again(connection, self._treatment is not None)
            self._read_folders(connection)
            self._ready()
            self._ready = lambda: None
            self._treat(connection)
            # IDLE does not report changes since the mailbox was read, while the junk folder was selected.
            if connection.select(self._address.mailbox) != self._seen:
                continue
            # `events` may miss an event at the start of IDLE, and changes come in groups: after one, check again soon.
            wait = REFRESH_S if self._seen == before else WAKE_S
            if idles:
                self._idle(connection, wait)
            else:
                self._wait(self._stop.wait, wait)
            self._healthy, self._failed_idles = True, 0

    def _idle(self, connection: ImapConnection, seconds: float) -> None:
        try:
            connection.start_idle()
            self._wait(connection.events, seconds)
            connection.stop_idle()
        except IMAP_ERRORS:
            self._failed_idles += 1
            raise

    def _wait(self, events: Callable[[float], bool], seconds: float) -> None:
        """Wait for an event, a new prediction or `stop`, at most this many seconds."""
        for _ in range(int(seconds / WAKE_S)):
            self._heartbeat.beat()
            if self._stop.is_set() or events(WAKE_S):
                return
            if self._treatment is not None and self._treatment.waits():
                return

    def _treat(self, connection: ImapConnection) -> None:
        if self._treatment is not None:
            connection.select(self._address.mailbox, readonly=not self._treatment.due())
            self._treatment.treat(connection)

    def _read_folders(self, connection: ImapConnection) -> None:
        """Read the new mails of the followed folders."""
        label_of: Callable[[str], str | None] = self._folders.class_of if self._labels else lambda folder: None
        labels = {folder: label_of(folder) or None for folder in self._folders.names}
        found = self._reader.read_folders(connection, labels, self._go_on)
        self._seen = found.get(self._address.mailbox)

    def _go_on(self) -> bool:
        self._heartbeat.beat()
        return not self._stop.is_set()
