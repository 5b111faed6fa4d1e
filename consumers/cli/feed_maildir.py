"""`stream-nb feed PATH --follow`: follow a Maildir until Ctrl-C."""

from __future__ import annotations

from pathlib import Path

from ..mailbox.folder_class import shown_classes
from ..mailbox.known_mails import SPAM
from ..mailbox.maildir import MaildirFollower
from ..mailbox.maildir_folders import MaildirFolders
from ..records.setup import open_ready_log
from ..runtime.log_lines import start_logging
from ..runtime.shutdown import stop_on_signals
from ..settings import Settings
from .messages import note, say


def feed_maildir(settings: Settings, path: Path, labels: bool, classes: str | None) -> None:
    """Follow the Maildir at `path`; with `labels`, the mails that exist at the start get labels. `classes` are the
    rules that name the class of each folder; None for spam and ham. Raises UserError."""
    start_logging("feed")
    folders = MaildirFolders(path, classes)
    with open_ready_log(settings, say) as log:
        follower = MaildirFollower(log, folders, settings, labels)
        stop = stop_on_signals()

        def ready() -> None:
            if classes is None:
                junk = [folder for folder, label in follower.classes.items() if label == SPAM]
                about = f"junk folders: {', '.join(junk) or 'none found yet'}"
            else:
                about = f"classes: {shown_classes(follower.classes)}"
            say(f"{follower.known_mails.counts}; following {path}, {about}; Ctrl-C stops")
            if labels and (text := follower.known_mails.too_late):
                note(text)

        follower.run(stop, ready)
        say(follower.known_mails.counts)
