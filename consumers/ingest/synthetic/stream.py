"""The order of the stream: a steady mixture, and from half-way on a campaign of a new kind."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from random import Random

from stream_nb.mail import message_id

from ..feeder import Item
from .messages import MessageGenerator, SyntheticMessage
from .mime import to_mime
from .spam import WAVES

SPAM_SHARE = 0.45
REPEAT_SHARE = 0.06
CAMPAIGN_SHARE = 0.75
NEWEST_WAVE_SHARE = 0.6
RECENT = 60


def synthetic_mails(total: int, seed: int) -> Iterator[Item]:
    """`total` labelled mails, about 45 % spam; the same arguments yield the same mails, and another `seed` others.

    Some repeat an earlier mail with small changes. At mail ``total // 2`` a campaign begins: it makes up three of four
    spams, and its waves follow one another over a sixth of the stream. Accuracy drops, and recovers with the labels.

    >>> [item.label for item in synthetic_mails(6, seed=1)]
    ['spam', 'ham', 'spam', 'spam', 'ham', 'ham']
    """
    draw = Random(seed)
    generator = MessageGenerator(draw)
    recent: deque[SyntheticMessage] = deque(maxlen=RECENT)
    for number in range(total):
        if recent and draw.random() < REPEAT_SHARE:
            message = generator.near_duplicate(draw.choice(recent))
        elif draw.random() >= SPAM_SHARE:
            message = generator.ham()
        elif number >= total // 2 and draw.random() < CAMPAIGN_SHARE:
            message = generator.campaign(_wave(number - total // 2, max(1, total // 6), draw))
        else:
            message = generator.spam()
        recent.append(message)
        raw = to_mime(message, number, draw)
        yield Item(message_id(raw), raw, message.label)


def _wave(since: int, span: int, draw: Random) -> int:
    """Usually the newest wave, else a random one up to it; `since` mails after the start of a campaign of `span`."""
    newest = min(since * len(WAVES) // span, len(WAVES) - 1)
    return newest if draw.random() < NEWEST_WAVE_SHARE else draw.randint(0, newest)
