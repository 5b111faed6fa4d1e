"""The class of each followed folder."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ..errors import UserError
from ..ingest.formats.class_names import class_names
from ..ingest.formats.folder_names import in_spam, readable_name
from .known_mails import HAM, SPAM

logger = logging.getLogger(__name__)


@lru_cache(maxsize=10_000)  # it is asked at each scan, and warns once
def folder_class(folder: str, rules: str | None) -> str:
    """The class of a folder; empty for none.

    A folder that is created while its account is followed may match no rule. It then has no class, which is logged.

    Args:
        folder: The folder's name, plain or in modified UTF-7, with ``./`` before it if another one has this name.
        rules: As for `class_names`; None: spam for junk folders, ham for all others.

    >>> folder_class("Junk", None), folder_class("Work", None), folder_class("Work", "Junk=spam,*=*")
    ('spam', 'ham', 'Work')
    >>> folder_class("R&AOk-sum&AOk-s", "*=*"), folder_class("INBOX", "INBOX=none,*=*")
    ('Résumés', '')
    """
    if rules is None:
        return SPAM if in_spam(folder) else HAM
    name = _shown(folder)
    try:
        return class_names([name], rules)[name] or ""
    except UserError as error:
        logger.warning("%s; until the next start this folder has no class", error)
        return ""


def check_classes(folders: Iterable[str], rules: str | None) -> None:
    """Check that `rules` name the class of each of the `folders` that there are at the start (see `folder_class`).

    Raises:
        UserError: The rules cannot be parsed, a folder matches none, or a class name cannot be a label.
    """
    if rules is not None:
        class_names(map(_shown, folders), rules)


def _shown(folder: str) -> str:
    return readable_name(folder.removeprefix("./"))


def shown_classes(classes: Mapping[str, str | None]) -> str:
    """The `classes` of folders by name, empty for none, as text for people.

    >>> shown_classes({"INBOX": "", "Junk": "spam"})
    'INBOX=none, Junk=spam'
    """
    return ", ".join(f"{folder}={label or 'none'}" for folder, label in classes.items())
