"""The folders of a followed Maildir: the Maildir, or a folder of Maildirs, and all Maildirs within; not those for
trash, sent mail, drafts and templates."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path

from ..errors import UserError
from ..ingest.formats.folder_names import means_trash, means_written
from ..ingest.formats.maildir import INBOX, check_readable, is_maildir, maildirs
from .file_names import as_text
from .folder_class import check_classes, folder_class

logger = logging.getLogger(__name__)


class MaildirFolders:
    """Finds the folders, again and again, and knows their classes.

    Args:
        root: The Maildir, or the folder.
        classes: The rules that name the class of each folder (`folder_class`).

    Raises:
        UserError: `root` is no Maildir and holds none, cannot be read or has compressed mails; or a folder has no rule.
    """

    def __init__(self, root: Path, classes: str | None = None) -> None:
        self.root = root
        self.class_of = partial(folder_class, rules=classes)
        self._unreadable: set[str] = set()
        try:
            self._inbox = {INBOX: root} if is_maildir(root) else dict[str, Path]()
            found = self.find()
            if not found:
                raise UserError(
                    f"{root} neither is nor holds a Maildir with cur/ and new/; --follow needs a Maildir or imap://"
                )
            check_classes(found, classes)
            check_readable(found.values())
        except OSError as error:
            name = as_text(error.filename)
            raise UserError(f"cannot read {name}: {error.strerror}; check the path and its permissions") from error

    def find(self) -> dict[str, Path]:
        """The folders that are there now, by their names as in the file system. Raises OSError."""
        found = dict(self._inbox)
        for path in maildirs(self.root, self.warn):
            name = "/".join(as_text(part.removeprefix(".")) for part in path.relative_to(self.root).parts)
            if not means_trash(name) and not means_written(name):
                found[f"./{name}" if name in found else name] = path  # `.Junk` and `Junk` may both be there
        return found

    def warn(self, error: OSError) -> None:
        """Log once that the file or folder that `error` names cannot be read. One that is gone was moved or removed,
        except the Maildir."""
        name = as_text(error.filename)
        moved = isinstance(error, FileNotFoundError) and error.filename != str(self.root)
        if not moved and name not in self._unreadable:
            self._unreadable.add(name)
            logger.warning("cannot read %s: %s; trying again", name, error.strerror)
