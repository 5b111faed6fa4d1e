"""Who may send labels to the filter."""

from __future__ import annotations

import hmac

from ..runtime.addresses import ip_address
from ..settings import FilterSettings


def refusal(password: str, peer: str, settings: FilterSettings) -> str | None:
    """The reason to refuse a learn request with this `password` (empty for none), or None.

    If the settings have a password, the request must have the same one; if not, it must come from this machine. `peer`
    is the client's address, or "" if a proxy hides it.

    >>> refusal("", "127.0.0.1", FilterSettings()) is None, refusal("", "192.0.2.1", FilterSettings()) is None
    (True, False)
    >>> refusal("guess", "127.0.0.1", FilterSettings(password="secret"))
    'wrong or missing password'
    """
    if settings.password:
        same = hmac.compare_digest(password.encode(), settings.password.encode())
        return None if same else "wrong or missing password"
    address = ip_address(peer)
    if address is not None and address.is_loopback:
        return None
    return "learning from another machine needs a password: set STREAM_NB_FILTER_PASSWORD"
