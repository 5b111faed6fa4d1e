"""`stream-nb feed PATH`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click

from ...errors import UserError
from ...settings import Settings
from ..numeric import RateType, count
from ..options import SourceOptions, source_options, with_settings


@click.command("feed")
@source_options
@click.option(
    "--rate",
    type=RateType(),
    default=0.0,
    metavar="MAILS/S",
    help="Most mails per second; 0, the default, is full speed, in groups of 200. From a pipe that stays open, "
    "--rate 20 writes each mail as it arrives.",
)
@click.option(
    "--labels",
    is_flag=True,
    help="Also send the labels in PATH: its folders, index or JSON. Implied by --label and --label-column.",
)
@click.option(
    "--label-delay",
    type=count(0),
    default=0,
    metavar="MAILS",
    help="Send each label this many mails after its mail; 0 sends it right after.",
)
@click.option("--follow", is_flag=True, help="Follow a Maildir until Ctrl-C: send new mails, and moves as labels.")
@click.option("--dry-run", is_flag=True, help="Report the contents of PATH, and write nothing to the log.")
@click.option(
    "--next-hop",
    metavar="URL",
    help="lmtp://: pass mails on to smtp://host:port, lmtp://host:port or lmtp:///socket, with header fields added.",
)
@click.option(
    "--on-spam",
    type=click.Choice(["move", "flag"]),
    help="imap://: move new spam to the junk folder, or flag it; only reported without --apply.",
)
@click.option("--apply", is_flag=True, help="imap://: carry out --on-spam.")
@click.option("--undo", is_flag=True, help="imap://: move back what --apply moved, remove flags, and exit.")
@click.option("--plain", is_flag=True, help="imap://: allow an unencrypted connection to another machine.")
@with_settings
def command(
    settings: Settings,
    chosen: SourceOptions,
    rate: float,
    labels: bool,
    label_delay: int,
    follow: bool,
    dry_run: bool,
    next_hop: str | None,
    on_spam: Literal["move", "flag"] | None,
    apply: bool,
    undo: bool,
    plain: bool,
) -> None:
    """Write mails to the log.

    PATH is a folder with one sub-folder or one mbox per class (folders of Thunderbird, Apple Mail and KMail included),
    an export of Gmail or Proton Mail (their labels are classes), an mbox, a Maildir, a TREC index, JSON lines, CSV, one
    mail, or - for standard input. A mail's id is its Message-ID header, else a hash of its content; a row's id is its
    file, line and content hash. PATH can be another log (sqlite:DIR or kafka://host:port), too, whose mails keep their
    ids and have the labels that count now.

    PATH can also be a source to follow until Ctrl-C. At lmtp://host:port an MTA delivers mails; each is acknowledged
    when it is on the log, or when --next-hop has accepted it. imap://user@host/INBOX is a mailbox; moves into and
    out of its junk folder are labels, with --classes moves into any folder. The password comes from
    STREAM_NB_IMAP_PASSWORD; for OAuth 2, set [imap] token_command.
    """
    path = chosen.path
    selecting = {"--" + name.replace("_", "-"): value not in (None, ()) for name, value in chosen._asdict().items()}
    del selecting["--path"]
    paced = {"--rate": rate, "--label-delay": label_delay, "--dry-run": dry_run}
    followed = selecting | paced | {"--follow": follow}
    imap_only = {"--on-spam": on_spam, "--apply": apply, "--undo": undo, "--plain": plain}
    if path.startswith("lmtp://"):
        from ..feed_lmtp import feed_lmtp

        _refuse("lmtp://", followed | {"--labels": labels} | imap_only)
        feed_lmtp(settings, path, next_hop)
        return
    if path.startswith(("imap://", "imaps://")):
        from ..feed_imap import feed_imap

        _refuse("imap://", followed | {"--classes": False, "--next-hop": next_hop})
        if apply and on_spam is None:
            raise UserError("--apply needs --on-spam: add --on-spam move or --on-spam flag")
        if undo and (on_spam or labels or chosen.classes):
            raise UserError("--undo only moves mails back: leave out --on-spam, --apply, --labels and --classes")
        feed_imap(settings, path, labels, chosen.classes, plain, on_spam, apply, undo)
        return
    _refuse("a file or folder", {"--next-hop": next_hop} | imap_only)
    if follow:
        from ..feed_maildir import feed_maildir

        _refuse("--follow", selecting | paced | {"--classes": False})
        feed_maildir(settings, Path(path), labels, chosen.classes)
        return
    from ..feed_files import feed_files

    feed_files(settings, chosen, rate, labels, label_delay, dry_run)


def _refuse(kind: str, given: Mapping[str, object]) -> None:
    names = [name for name, value in given.items() if value]
    if names:
        raise UserError(
            f"{', '.join(names)} cannot be used with {kind}: leave {'it' if len(names) == 1 else 'them'} out"
        )
