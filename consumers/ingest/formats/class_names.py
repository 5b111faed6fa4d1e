"""From the folders mails lie in to the classes they belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from ...errors import UserError
from ...records.values import LABEL_FORM, is_label
from .columns import shown
from .folder_names import means_spam, means_trash, means_written


def class_names(
    folders: Iterable[str], rules: str | None, notify: Callable[[str], None] = lambda text: None
) -> dict[str, str]:
    """The class of each folder.

    Without rules a folder that mail programs keep spam in (see `means_spam`) is ``spam``, and beside it all others are
    ``ham``, but for names with ``ham`` or ``spam`` in them, and where a folder ``ham`` shows that the names are
    classes. Without such a folder, when each name contains exactly one of ``ham`` and ``spam``, that word is the class,
    else the folder's name is.

    Args:
        folders: Names of folders.
        rules: ``pattern=class`` pairs with commas between; a pattern is that of a shell, the first that matches wins,
            and every folder must match one.
        notify: Called with a line about each rule that wins nowhere.

    Raises:
        UserError: The rules cannot be read, a folder matches none, or a class name cannot be a label.

    >>> class_names(["easy-ham-1", "spam-1"], None)
    {'easy-ham-1': 'ham', 'spam-1': 'spam'}
    >>> class_names(["work", "Junk"], "Junk=spam,*=ham")
    {'work': 'ham', 'Junk': 'spam'}
    >>> class_names(["work", "travel"], None)
    {'work': 'work', 'travel': 'travel'}
    >>> class_names(["INBOX", "Work", ".Junk"], None)
    {'INBOX': 'ham', 'Work': 'ham', '.Junk': 'spam'}
    """
    folders = list(folders)
    if rules is not None:
        pairs = _parse(rules)
        winners = {folder: _first_match(folder, pairs, rules) for folder in folders}
        for pattern, label in pairs:
            if (pattern, label) not in winners.values():
                there = ", ".join(folders)
                notify(f"--classes: the rule {pattern}={label} is first for no folder; there are {there}")
        named = {folder: label for folder, (_, label) in winners.items()}
    elif all(_ham_or_spam(folder) for folder in folders):
        named = {folder: _ham_or_spam(folder) for folder in folders}
    else:
        of_a_mail_program = any(map(means_spam, folders)) and "ham" not in [folder.lower() for folder in folders]
        named = {folder: _by_name(folder, of_a_mail_program) for folder in folders}
    for label in named.values():
        check_class_name(label, "; rename the folder, or name its class with --classes")
    return named


def class_labels(
    folders: Iterable[str], rules: str | None, notify: Callable[[str], None] = lambda text: None
) -> dict[str, str | None]:
    """The class of each folder as `class_names` has it, but beside a folder for spam None for what was thrown away, and
    for drafts, sent mails and templates.

    The trash says nothing, since both classes are thrown away. What its owner writes is never received: as ham it would
    say that mail from his address is, which spam bears too, and flatter the figures.

    Args:
        folders: Names of folders.
        rules: As for `class_names`.
        notify: Called with a line for people.

    >>> class_labels(["Inbox", "Junk", "Trash", "Entwürfe"], None)
    {'Inbox': 'ham', 'Junk': 'spam', 'Trash': None, 'Entwürfe': None}
    """
    named: dict[str, str | None] = dict(class_names(folders, rules, notify))
    if rules is None and any(map(means_spam, named)):
        for folder in named:
            if means_trash(folder) or (means_written(folder) and named[folder] == "ham"):
                named[folder] = None
                notify(f"{folder} says nothing: its mails have no label; name its class with --classes if it does")
        plain = [folder for folder, label in named.items() if label == "ham" and "ham" not in folder.lower()]
        of_a_mailbox = any(folder.lower().endswith("inbox") for folder in plain)
        if len(plain) > 1 and not of_a_mailbox:
            notify(f"{shown(plain)} are ham, as folders beside one for spam are; --classes gives them other classes")
    return named


def check_class_name(label: str, advice: str = "") -> None:
    """Raise UserError for what cannot be a label.

    Args:
        label: What a person gave as a class.
        advice: The end of the error: what to do.
    """
    if not is_label(label):
        raise UserError(f"class name {label[:40]!r} is not {LABEL_FORM}{advice}")


def _parse(rules: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for rule in rules.split(","):
        pattern, equals, label = (piece.strip() for piece in rule.partition("="))
        if not (pattern and equals and label):
            raise UserError(f"--classes {rules!r}: {rule!r} is not of the form pattern=class, as in 'spam*=spam,*=ham'")
        pairs.append((pattern, label))
    return pairs


def _first_match(folder: str, pairs: list[tuple[str, str]], rules: str) -> tuple[str, str]:
    for pair in pairs:
        if fnmatchcase(folder, pair[0]):
            return pair
    raise UserError(f"--classes {rules!r}: no rule matches {folder!r}; add one, for example '{folder}={folder}'")


def _by_name(folder: str, of_a_mail_program: bool) -> str:
    if means_spam(folder):
        return "spam"
    plain = not any(word in folder.lower() for word in ("ham", "spam"))
    return "ham" if plain and of_a_mail_program else folder


def _ham_or_spam(folder: str) -> str:
    if means_spam(folder):
        return "spam"
    words = [word for word in ("ham", "spam") if word in folder.lower()]
    return words[0] if len(words) == 1 else ""
