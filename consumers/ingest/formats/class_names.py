"""The class of each folder of mails."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase

from ...errors import UserError
from ...records.values import LABEL_FORM, cut, is_label
from .columns import shown_names
from .folder_names import in_spam, means_spam, means_trash, means_written

_HAM = re.compile(r"(?<![^\W_])ham(?![^\W\d_])", re.IGNORECASE)
"""The word ham, also in easy_ham or ham2, but not in Birmingham."""


def class_names(
    folders: Iterable[str], rules: str | None, notify: Callable[[str], None] = lambda text: None
) -> dict[str, str | None]:
    """The class of each folder, or None for folders without one.

    Without rules: if each name contains exactly one of ``ham`` and ``spam``, or means spam (see `means_spam`), that
    word is the class. Else, if one of the names means spam and none is ``ham``, names that mean spam are ``spam`` and
    names without ``ham`` or ``spam`` in them are ``ham``. In all other cases the folder's name (in Unicode's form NFC)
    is the class, except that names that mean spam are ``spam``. Folders below one whose name means spam are ``spam``,
    too, unless ``ham`` is in their names.

    Args:
        folders: Names of folders.
        rules: Comma-separated ``pattern=class`` pairs with shell patterns. The first match wins, and every folder must
            match one. The class ``*`` is the folder's name, or ``spam`` if that means spam; ``none`` is no class.
        notify: Called with a line about each rule that applies to no folder.

    Raises:
        UserError: The rules cannot be parsed, a folder matches none, or a class name cannot be a label.

    >>> class_names(["easy-ham-1", "spam-1"], None)
    {'easy-ham-1': 'ham', 'spam-1': 'spam'}
    >>> class_names(["work", "Junk"], "Junk=spam,*=ham")
    {'work': 'ham', 'Junk': 'spam'}
    >>> class_names(["work", "travel", "Sent", "Junk"], "Sent=none,*=*")
    {'work': 'work', 'travel': 'travel', 'Sent': None, 'Junk': 'spam'}
    >>> class_names(["work", "travel"], None)
    {'work': 'work', 'travel': 'travel'}
    >>> class_names(["INBOX", "Work", ".Junk"], None)
    {'INBOX': 'ham', 'Work': 'ham', '.Junk': 'spam'}
    """
    folders = list(folders)
    named: dict[str, str | None]
    if rules is not None:
        pairs = _parse(rules)
        winners = {folder: _first_match(folder, pairs, rules) for folder in folders}
        for pattern, label in pairs:
            if (pattern, label) not in winners.values():
                notify(f"--classes: the rule {pattern}={label} applies to no folder; there are {', '.join(folders)}")
        named = {folder: _by_rule(folder, label) for folder, (_, label) in winners.items()}
    elif all(_class_in_name(folder) for folder in folders):
        named = {folder: _class_in_name(folder) for folder in folders}
    else:
        of_a_mail_program = any(map(in_spam, folders)) and "ham" not in [folder.lower() for folder in folders]
        named = {folder: _by_name(folder, of_a_mail_program) for folder in folders}
    for label in filter(None, named.values()):
        check_class_name(label, "; rename the folder, or name its class with --classes")
    return named


def class_labels(
    folders: Iterable[str], rules: str | None, notify: Callable[[str], None] = lambda text: None
) -> dict[str, str | None]:
    """The class of each of `folders` by `class_names`, with the same `rules` and `notify`; beside a spam folder None
    for trash, drafts, sent mail and templates.

    The trash has no class because people throw away mails of both classes. Drafts, sent mails and templates have none
    because their owner never received them: as ham they would teach that mail from the owner's address is ham, although
    spam forges that address, and they would improve the figures.

    >>> class_labels(["Inbox", "Junk", "Trash", "Entwürfe"], None)
    {'Inbox': 'ham', 'Junk': 'spam', 'Trash': None, 'Entwürfe': None}
    """
    named = class_names(folders, rules, notify)
    if rules is None and any(map(in_spam, named)):
        for folder in named:
            if means_trash(folder) or (means_written(folder) and named[folder] == "ham"):
                named[folder] = None
                notify(f"the mails in {folder} have no label; name its class with --classes if they should have one")
        below = [folder for folder, label in named.items() if label == "spam" and _below_spam(folder)]
        if below:
            notify(
                f"{shown_names(below)} {'is' if len(below) == 1 else 'are'} spam, because "
                f"{'it is' if len(below) == 1 else 'they are'} below a spam folder; give other classes with --classes"
            )
        plain = [folder for folder, label in named.items() if label == "ham" and "ham" not in folder.lower()]
        of_a_mailbox = any(folder.lower().endswith("inbox") for folder in plain)
        if len(plain) > 1 and not of_a_mailbox:
            notify(
                f"{shown_names(plain)} are ham, because there is a spam folder; "
                "give each its own class with --classes '*=*', or other classes"
            )
    return named


def contradicting(folders: Mapping[str, str | None], label: str) -> list[str]:
    """The folders that hold ham, by their class or else by their name, if `label` is spam; those that hold spam if it
    is ham. `folders` has the class of each, or None, and `label` is what all of their mails are to get.

    >>> contradicting({"INBOX": "ham", "Junk": "spam", "easy-ham-1": None}, "spam")
    ['INBOX', 'easy-ham-1']
    >>> contradicting({"INBOX": None, "Junk": None}, "ham"), contradicting({"INBOX": None, "Junk": None}, "travel")
    (['Junk'], [])
    """
    other = {"spam": "ham", "ham": "spam"}.get(label)
    return [name for name, known in folders.items() if (known or _class_in_name(name)) == other]


def check_class_name(label: str, advice: str = "") -> None:
    """Raise UserError, with `advice` at the end, if the name `label` that a person gave cannot be a label."""
    if not is_label(label):
        raise UserError(f"class name {cut(label)!r} is not {LABEL_FORM}{advice}")


def _parse(rules: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for rule in _composed(rules).split(","):
        pattern, _, label = (piece.strip() for piece in rule.partition("="))
        if not (pattern and label):
            raise UserError(f"--classes {rules!r}: {rule!r} is not of the form pattern=class, as in 'spam*=spam,*=ham'")
        pairs.append((pattern, label))
    return pairs


def _first_match(folder: str, pairs: list[tuple[str, str]], rules: str) -> tuple[str, str]:
    for pair in pairs:
        if fnmatchcase(_composed(folder), pair[0]):
            return pair
    raise UserError(f"--classes {rules!r}: no rule matches {folder!r}; add one, for example '{folder}={folder}'")


def _by_rule(folder: str, label: str) -> str | None:
    return None if label == "none" else _by_name(folder, False) if label == "*" else label


def _by_name(folder: str, of_a_mail_program: bool) -> str:
    if means_spam(folder) or _below_spam(folder):
        return "spam"
    return "ham" if of_a_mail_program and "spam" not in folder.lower() else _composed(folder)


def _composed(text: str) -> str:
    """The text with each letter and its marks as one character, as people type them; file names on macOS may have
    letters and marks apart."""
    return unicodedata.normalize("NFC", text)


def _class_in_name(folder: str) -> str:
    if means_spam(folder):
        return "spam"
    words = [word for word in ("ham", "spam") if word in folder.lower()]
    if len(words) == 1:
        return words[0]
    return "spam" if _below_spam(folder) else ""


def _below_spam(folder: str) -> bool:
    """Whether a folder is below one whose name means spam, and is itself neither such a folder nor one for ham."""
    return in_spam(folder) and not means_spam(folder) and _HAM.search(folder) is None
