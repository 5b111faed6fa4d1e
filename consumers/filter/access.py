"""Who may send labels to the filter."""

from __future__ import annotations

import hmac

from ..runtime.loopback import is_loopback_address
from ..settings import FilterSettings


def refusal(password: str, peer: str, settings: FilterSettings) -> str | None:
    """Why this learn request is refused, or None.

    With a password in the settings the request must have the same; without one it must come from this machine. `peer`
    is the address that it comes from, "" where a proxy has hidden it.

    Args:
        password: The one that came with the request; empty for none.

    >>> refusal("", "127.0.0.1", FilterSettings()) is None, refusal("", "192.0.2.1", FilterSettings()) is None
    (True, False)
    >>> refusal("guess", "127.0.0.1", FilterSettings(password="secret"))
    'wrong or missing password'
    """
    if settings.password:
        same = hmac.compare_digest(password.encode("utf-8", "surrogateescape"), settings.password.encode())
        return None if same else "wrong or missing password"
    if is_loopback_address(peer):
        return None
    return "learning from another machine needs a password: set STREAM_NB_FILTER_PASSWORD"
