"""Reads the new mails of IMAP folders.

A mail that the server cannot send, for example because its file is damaged, may end the connection each time. After
`TRIES` such ends it is left out, so that it does not keep the feed from the mails after it. They count only if another
mail of the folder, if there is one, could be read just before, so that none is left out because the server or the
network is down.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from .connection import Fetched, ImapConnection, Selected
from .imap_errors import IMAP_ERRORS, Refused
from .known_mail import Position
from .known_mails import KnownMails, mail_id

TRIES = 4
MAILS_A_FETCH = 20

logger = logging.getLogger(__name__)


class MailReader:
    """Reads new mails into `known_mails`, over one connection after the other."""

    def __init__(self, known_mails: KnownMails) -> None:
        self._known_mails = known_mails
        self._failed: Counter[tuple[str, int, int]] = Counter()
        """How often the connection ended with this mail: folder, UIDVALIDITY and UID."""

    def read_folders(
        self, connection: ImapConnection, labels: Mapping[str, str | None], go_on: Callable[[], bool]
    ) -> dict[str, Selected]:
        """Read the new mails of several folders evenly: a learner must not see all ham before the first spam.

        Args:
            labels: For each folder, by its name, the label that `read` gives its mails.
            go_on: Called before each batch; False ends the reading.

        Returns:
            The state of each folder before it was read; none of those that were not reached or cannot be opened.
        """
        found: dict[str, Selected] = {}
        reading: dict[str, Iterator[float]] = {}
        shares = dict.fromkeys(labels, 0.0)
        last, first = "", not any(map(self._known_mails.position, labels))
        while shares and go_on():
            folder = min(shares, key=shares.__getitem__)
            if folder != last:
                try:
                    last, selected = folder, connection.select(folder)
                except Refused as error:
                    text = "cannot read the folder %s: %s; trying again"
                    logger.warning(text, folder, error, extra={"kind": f"feed: {folder}"})
                    del shares[folder]
                    last = ""
                    continue
                if folder not in found:
                    found[folder] = selected
                    reading[folder] = self.read(connection, folder, selected, labels[folder], first)
            share = next(reading[folder], None)
            if share is None:
                del shares[folder]
            else:
                shares[folder] = share
        return found

    def read(
        self, connection: ImapConnection, folder: str, found: Selected, label: str | None, first: bool = False
    ) -> Iterator[float]:
        """Read the new mails of a folder; after a change of UIDVALIDITY, read all mails again.

        After each batch, which is on the log then, it yields the share of the new mails that has been read.

        Args:
            connection: A connection that has selected the folder, at each step.
            folder: The folder's name.
            found: Its state.
            label: The label of unknown mails that existed before the folder was followed; None for none.
            first: Whether the account is read for the first time; then mails in several folders have not been moved.
        """
        known = self._known_mails.position(folder)
        if known is None:
            position = Position(found.uidvalidity, 1, old=found.uidnext, maybe_copies=found.uidnext if first else 0)
        elif known.uidvalidity != found.uidvalidity:
            position = Position(found.uidvalidity, 1, old=0, maybe_copies=found.uidnext)
            self._forget_uids(folder)
        else:
            position = known
        uids = connection.uids_from(position.uidnext)
        for read, batch in self._batches(connection, folder, found, uids):
            for uid, raw, deleted in batch:
                old, copy = uid < position.old, uid < position.maybe_copies
                if raw is not None and not (deleted and self._is_elsewhere(raw, folder)):
                    # Other known mails are in a folder with another name; their labels have not changed.
                    given = label if old and (copy or self._known_mails.find(mail_id(raw)) is None) else None
                    self._known_mails.arrive(raw, folder, uid, old, given, maybe_copy=copy)
                position = msgspec.structs.replace(position, uidnext=uid + 1)
            self._known_mails.reach(folder, position)
            self._known_mails.write()
            yield read / len(uids)
        self._known_mails.reach(folder, position)
        self._known_mails.write()

    def _forget_uids(self, folder: str) -> None:
        """Forget the UIDs of the folder's known mails: they may be those of other mails now."""
        for message_id, mail in list(self._known_mails.all()):
            if mail.folder == folder:
                self._known_mails.put(message_id, msgspec.structs.replace(mail, uid=0))

    def _is_elsewhere(self, raw: bytes, folder: str) -> bool:
        """Whether a mail was last seen in another folder; if it is to be deleted here, it has moved on to there."""
        mail = self._known_mails.find(mail_id(raw))
        return mail is not None and mail.folder != folder

    def _batches(
        self, connection: ImapConnection, folder: str, found: Selected, uids: Sequence[int]
    ) -> Iterator[tuple[int, list[Fetched]]]:
        """Batches of mails, each after the number of UIDs that have been read with it."""
        at = 0
        while at < len(uids):
            tries = self._failed[folder, found.uidvalidity, uids[at]]
            batch = uids[at : at + (1 if tries else MAILS_A_FETCH)]
            at += len(batch)
            if tries >= TRIES:
                logger.warning("%s: the server cannot send the mail with UID %d; it is left out", folder, batch[0])
                yield at, [Fetched(batch[0], None)]
                continue
            if tries:
                _read_another(connection, batch[0])  # if that fails, too, it is not because of this mail
            keys = [(folder, found.uidvalidity, uid) for uid in batch]
            try:
                mails = connection.read(batch)
            except IMAP_ERRORS:
                self._failed.update(keys)
                raise
            for key in keys:
                del self._failed[key]
            yield at, mails


def _read_another(connection: ImapConnection, uid: int) -> None:
    """Read any mail of the folder but the one with this UID."""
    others = [other for other in connection.uids_from(1) if other != uid]
    if others:
        connection.read([random.choice(others)])
