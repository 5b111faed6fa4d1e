"""`stream-nb feed imap://user@host/INBOX`: follow a mailbox until Ctrl-C."""

from __future__ import annotations

from ..errors import UserError
from ..mailbox.address import parse_imap_address
from ..mailbox.folder_class import shown_classes
from ..mailbox.imap import ImapFollower
from ..mailbox.treatment import Act
from ..records.number_text import many
from ..records.setup import open_existing_log, open_ready_log
from ..runtime.log_lines import start_logging
from ..runtime.shutdown import stop_on_signals
from ..settings import Settings
from .messages import note, say


def feed_imap(
    settings: Settings,
    url: str,
    labels: bool,
    classes: str | None,
    plain: bool,
    act: Act | None,
    apply: bool,
    undo: bool,
) -> None:
    """Follow the mailbox at `url`; with `undo`, only move mails back and remove flags. Raises UserError.

    Args:
        labels: Whether the mails that exist at the start get labels.
        classes: The rules that name the class of each folder; None to follow only the mailbox and the junk folder.
        plain: Whether the connection to another machine may be unencrypted.
        act: What to do with mails predicted as spam; None for nothing.
        apply: Whether to do it, or only to report it.
    """
    address = parse_imap_address(url, plain)
    if not settings.imap.password and not settings.imap.token_command:
        raise UserError(
            f"{address}: the password of {address.user} is not set; put it into STREAM_NB_IMAP_PASSWORD, or set "
            "[imap] token_command if the server requires OAuth 2"
        )
    start_logging("feed")
    with open_existing_log(settings) if undo else open_ready_log(settings, say) as log:
        follower = ImapFollower(log, address, settings, labels, act, apply, say, classes)
        if undo:
            undone = follower.undo()
            say(f"{many(undone, 'mail')} moved back or unmarked in {address.mailbox}")
            return
        stop = stop_on_signals()

        def ready() -> None:
            about = "" if classes is None else f", classes: {shown_classes(follower.classes)}"
            say(f"{follower.known_mails.counts}; following {address.mailbox} of {address}{about}; Ctrl-C stops")
            if labels and (text := follower.known_mails.too_late):
                note(text)

        follower.run(stop, ready)
        say(follower.known_mails.counts)
