"""The class of each followed folder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from ..ingest.formats.class_names import class_names
from ..ingest.formats.folder_names import in_spam, readable_name
from .known_mails import HAM, SPAM


@lru_cache(maxsize=10_000)  # it is asked at each scan
def folder_class(folder: str, rules: str | None) -> str:
    """The class of a folder; empty for none.

    Args:
        folder: The folder's name, plain or in modified UTF-7, with ``./`` before it if another one has this name.
        rules: As for `class_names`; None: spam for junk folders, ham for all others.

    Raises:
        UserError: The rules cannot be parsed, none matches, or the class name cannot be a label.

    >>> folder_class("Junk", None), folder_class("Work", None), folder_class("Work", "Junk=spam,*=*")
    ('spam', 'ham', 'Work')
    >>> folder_class("R&AOk-sum&AOk-s", "*=*"), folder_class("INBOX", "INBOX=none,*=*")
    ('Résumés', '')
    """
    if rules is None:
        return SPAM if in_spam(folder) else HAM
    name = readable_name(folder.removeprefix("./"))
    return class_names([name], rules)[name] or ""


def shown_classes(classes: Mapping[str, str | None]) -> str:
    """The class of each folder, for people.

    Args:
        classes: By the folder's name; empty for no class.

    >>> shown_classes({"INBOX": "", "Junk": "spam"})
    'INBOX=none, Junk=spam'
    """
    return ", ".join(f"{folder}={label or 'none'}" for folder, label in classes.items())
