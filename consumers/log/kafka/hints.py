"""What an operator can do about an error of the brokers that does not say so itself."""

from __future__ import annotations

from .clients import is_dated_ahead, is_fenced


def hint(error: BaseException | None, member: str = "") -> str:
    """What to do about an error, to be appended to its text; empty if there is nothing to add.

    Args:
        error: An error of the library; None for none.
        member: The name of the process in its group; empty for none.

    >>> hint(ValueError())
    ''
    """
    if error is not None and is_fenced(error):
        return (
            f"; another process has joined as {member}. If this happens again, two machines have the same name: give "
            "each its own with [worker] machine. On one machine, see that the log has one address (localhost and "
            "127.0.0.1 are two)"
        )
    if error is not None and is_dated_ahead(error):
        return "; the clock of this machine is ahead of the broker's, which accepts at most an hour by default: set it"
    return ""
