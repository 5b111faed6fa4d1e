"""From the folders mails lie in to the classes they belong to."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from consumers.errors import UserError
from consumers.records import MAX_LABEL_CHARS


def class_names(folders: Iterable[str], rules: str | None) -> dict[str, str]:
    """The class of each folder.

    `rules` are ``pattern=class`` pairs with commas between, shell patterns, the first that matches wins; every
    folder must match one. Without rules: when each name contains exactly one of ``ham`` and ``spam``, that word
    is the class, else the folder's name is.

    >>> class_names(["easy-ham-1", "spam-1"], None)
    {'easy-ham-1': 'ham', 'spam-1': 'spam'}
    >>> class_names(["work", "Junk"], "Junk=spam,*=ham")
    {'work': 'ham', 'Junk': 'spam'}
    >>> class_names(["work", "travel"], None)
    {'work': 'work', 'travel': 'travel'}
    """
    folders = list(folders)
    if rules is not None:
        pairs = _parse(rules)
        named = {folder: _first_match(folder, pairs, rules) for folder in folders}
    elif all(_ham_or_spam(folder) for folder in folders):
        named = {folder: _ham_or_spam(folder) for folder in folders}
    else:
        named = {folder: folder for folder in folders}
    for label in named.values():
        if not (0 < len(label) <= MAX_LABEL_CHARS and label.isprintable()):
            raise UserError(f"class name {label[:40]!r} is not 1 to {MAX_LABEL_CHARS} printable characters")
    return named


def _parse(rules: str) -> list[tuple[str, str]]:
    pairs = []
    for rule in rules.split(","):
        pattern, equals, label = (piece.strip() for piece in rule.partition("="))
        if not (pattern and equals and label):
            raise UserError(f"--classes {rules!r}: {rule!r} is not of the form pattern=class, as in 'spam*=spam,*=ham'")
        pairs.append((pattern, label))
    return pairs


def _first_match(folder: str, pairs: list[tuple[str, str]], rules: str) -> str:
    for pattern, label in pairs:
        if fnmatchcase(folder, pattern):
            return label
    raise UserError(f"--classes {rules!r}: no rule matches {folder!r}; add one, for example '*={folder}'")


def _ham_or_spam(folder: str) -> str:
    found = [word for word in ("ham", "spam") if word in folder.lower()]
    return found[0] if len(found) == 1 else ""
