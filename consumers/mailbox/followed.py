"""The folders of an IMAP account that are followed, and the class of each."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import UserError
from ..settings import ImapSettings
from .address import ImapAddress, folder_name
from .connection import ImapConnection
from .folder_class import check_classes, folder_class
from .known_mails import HAM, SPAM

NO_JUNK = "no junk folder was found, so moves are not labels; set STREAM_NB_IMAP_JUNK to its name"


class FollowedFolders:
    """The mailbox and the junk folder; with rules, also the user's other folders for received mail.

    Args:
        settings: The name of the junk folder, or none: then it is the one that `ImapConnection.find_junk` finds.
        rules: The rules that name the class of each folder (`folder_class`); None: only spam and ham.
        notify: Called with a line for people.
    """

    def __init__(
        self, address: ImapAddress, settings: ImapSettings, rules: str | None, notify: Callable[[str], None]
    ) -> None:
        self._address = address
        self._junk_setting = settings.junk
        self._rules = rules
        self._notify = notify
        self.junk: str | None = None
        self._others: list[str] = []
        self._prefix = ""

    @property
    def names(self) -> list[str]:
        """The names of all folders."""
        return [self._address.mailbox, *([] if self.junk is None else [self.junk]), *self._others]

    def class_of(self, folder: str) -> str | None:
        """The class of the folder named `folder`; empty for none, and None if it is not followed."""
        if folder not in self.names:
            return None
        if folder == self.junk:
            return SPAM
        return HAM if self._rules is None else folder_class(self._own_name(folder), self._rules)

    def find(self, connection: ImapConnection) -> None:
        """Find the folders for the first time.

        Raises:
            UserError: The mailbox or the junk folder is missing, they are the same, or no rule names a folder's class.
        """
        mailbox = self._address.mailbox
        self.junk = folder_name(self._junk_setting) or connection.find_junk()
        for folder in (mailbox, self.junk):
            if folder is not None and not connection.has_folder(folder):
                raise UserError(f"{self._address}: no folder {folder!r} can hold mails; give its full name")
        if self.junk == mailbox:
            raise UserError(f"{self._address}: {mailbox!r} is the junk folder; give the folder that receives mail")
        self._find_others(connection)
        if self._rules is not None:
            self._prefix = connection.own_prefix()
        check_classes([self._own_name(folder) for folder in self.names if folder != self.junk], self._rules)

    def find_again(self, connection: ImapConnection, keep_junk: bool) -> None:
        """Find the folders that the user has created or renamed since; with `keep_junk` the junk folder stays the same,
        as while spam is moved to it."""
        if not (keep_junk or self._junk_setting):
            found = connection.find_junk()
            if found != self.junk:
                self.junk = found
                self._notify(NO_JUNK if found is None else f"{found} is the junk folder")
        self._find_others(connection)

    def _own_name(self, folder: str) -> str:
        """The name of a folder without the prefix that the server gives all of the user's folders."""
        return folder.removeprefix(self._prefix)

    def _find_others(self, connection: ImapConnection) -> None:
        if self._rules is not None:
            received = connection.find_received()
            self._others = [folder for folder in received if folder not in (self._address.mailbox, self.junk)]
