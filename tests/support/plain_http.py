"""httpx's functions for servers without TLS on this machine.

httpx reads all certificates of authorities at each call, which takes fifty times as long as the rest of it.
"""

from __future__ import annotations

import ssl
from functools import partial

import httpx

_NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

get = partial(httpx.get, verify=_NO_AUTHORITIES)
post = partial(httpx.post, verify=_NO_AUTHORITIES)
stream = partial(httpx.stream, verify=_NO_AUTHORITIES)
