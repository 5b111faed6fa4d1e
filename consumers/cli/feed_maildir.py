"""`stream-nb feed PATH --follow`: follow a Maildir until Ctrl-C."""

from __future__ import annotations

from pathlib import Path

from ..mailbox.maildir import MaildirFollower
from ..records.setup import open_ready_log
from ..runtime.log_lines import start_logging
from ..runtime.shutdown import stop_on_signals
from ..settings import Settings
from .messages import note, say


def feed_maildir(settings: Settings, path: Path, labels: bool) -> None:
    """Follow the Maildir; raises UserError.

    Args:
        path: The Maildir.
        labels: Whether the mails that exist at the start get labels.
    """
    start_logging("feed")
    with open_ready_log(settings, say) as log:
        follower = MaildirFollower(log, path, settings, labels)
        stop = stop_on_signals()

        def ready() -> None:
            junk = ", ".join(follower.junk_folders) or "none found yet"
            say(f"{follower.known_mails.counts}; following {path}, junk folders: {junk}; Ctrl-C stops")
            if labels and (text := follower.known_mails.too_late):
                note(text)

        follower.run(stop, ready)
        say(follower.known_mails.counts)
