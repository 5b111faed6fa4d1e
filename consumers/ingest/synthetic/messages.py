"""A message before it is encoded as MIME: its sender, its subject, the paragraphs of its text."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from . import ham, spam
from .grammar import Grammar, expand, made_up_word

REGULARS = 40
"""Number of senders who write repeatedly; all others write once."""
HARD_SHARE = 0.04
"""Share of wanted mails that quote spam, and of spams that consist of wanted sentences and maybe a link."""

_NAMES: Grammar = {slot: ham.COMMON[slot] for slot in ("town", "day", "month", "soon")}


class SyntheticMessage(NamedTuple):
    """The content of a generated mail.

    Args:
        label: Its class, ``ham`` or ``spam``.
        sender: The From field: a name and an address.
        subject: The Subject field, not yet encoded.
        paragraphs: The text; the greeting first, the closing last.
        link: The address of a page, or empty.
        list_name: The name of the mailing list, or empty.
        html: Whether there is an HTML part.
    """

    label: str
    sender: str
    subject: str
    paragraphs: tuple[str, ...]
    link: str
    list_name: str
    html: bool


class MessageGenerator:
    """Draws messages; the same random numbers from `draw` yield the same senders and messages."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._regulars = [self._sender(ham.COMMON, f"{made_up_word(draw)}.example") for _ in range(REGULARS)]
        self._lists = {topic: expand(g["list"][0], g, draw) for topic, g in ham.TOPICS.items() if "list" in g}

    def ham(self) -> SyntheticMessage:
        """A wanted message."""
        draw = self._draw
        topic = self._topic(ham.TOPICS)
        grammar = ham.COMMON | ham.TOPICS[topic]
        sender = draw.choice(self._regulars) if draw.random() < 0.6 else self._new_sender(ham.COMMON)
        link = self._page(sender) if "html" in grammar or draw.random() < 0.4 else ""
        list_name = self._lists.get(topic, "") if draw.random() < 0.8 else ""
        message = self._message("ham", sender, grammar, link, list_name, "html" in grammar)
        if draw.random() < HARD_SHARE:
            return message._replace(paragraphs=(*message.paragraphs, *self._sentences(spam.COMMON, spam.TOPICS)))
        return message

    def spam(self) -> SyntheticMessage:
        """An unwanted message; it may use sentences of wanted mail to evade a filter."""
        draw = self._draw
        grammar = spam.COMMON | spam.TOPICS[self._topic(spam.TOPICS)]
        if draw.random() < 0.5:
            grammar |= {slot: ham.COMMON[slot] for slot in ("greeting", "bye", "aside", "person")} | _NAMES
        link = self._page(self._new_sender(grammar)) if draw.random() < 0.8 else ""
        message = self._message("spam", self._new_sender(grammar), grammar, link, "", draw.random() < 0.4)
        if draw.random() < HARD_SHARE:
            return message._replace(paragraphs=tuple(self._ham_sentences()), subject=f"Re: {made_up_word(draw)}")
        if draw.random() < 0.3:
            return message._replace(paragraphs=(*message.paragraphs, *self._ham_sentences()))
        return message

    def campaign(self, wave: int) -> SyntheticMessage:
        """A message of the campaign: one new sentence among a colleague's words, often in a regular sender's name.

        `wave` is an index into `spam.WAVES`.
        """
        draw = self._draw
        grammar = ham.COMMON | spam.WAVES[wave] | {"line": spam.WAVES[wave]["hook"]}
        sender = draw.choice(self._regulars) if draw.random() < 0.6 else self._new_sender(ham.COMMON)
        link = self._page(self._new_sender(ham.COMMON)) if draw.random() < 0.6 else ""
        message = self._message("spam", sender, grammar, link, "", draw.random() < 0.3)
        first, *middle, last = message.paragraphs
        return message._replace(paragraphs=(first, *self._ham_sentences(), *middle, *self._ham_sentences(), last))

    def near_duplicate(self, message: SyntheticMessage) -> SyntheticMessage:
        """The message with one paragraph less, or with one more made-up word."""
        draw = self._draw
        paragraphs = list(message.paragraphs)
        if len(paragraphs) > 3 and draw.random() < 0.5:
            del paragraphs[draw.randrange(1, len(paragraphs) - 1)]
        else:
            paragraphs.insert(draw.randrange(len(paragraphs)), made_up_word(draw))
        return message._replace(paragraphs=tuple(paragraphs))

    def _sentences(self, common: Grammar, topics: Mapping[str, Grammar]) -> list[str]:
        """A few sentences of wanted or unwanted mail."""
        grammar = common | topics[self._topic(topics)]
        phrases = self._draw.sample(grammar["line"], self._draw.randint(1, 3))
        return [expand(phrase, grammar, self._draw) for phrase in phrases]

    def _ham_sentences(self) -> list[str]:
        return self._sentences(ham.COMMON, ham.TOPICS)

    def _topic(self, topics: Mapping[str, Grammar]) -> str:
        """A topic; some are frequent and some rare, so that new ones appear for a long time."""
        names = tuple(topics)
        return self._draw.choices(names, [1 / (rank + 1) for rank in range(len(names))])[0]

    def _message(
        self, label: str, sender: str, grammar: Grammar, link: str, list_name: str, html: bool
    ) -> SyntheticMessage:
        draw = self._draw
        count = min(len(grammar["line"]), draw.randint(1, 3))
        body = [expand(phrase, grammar, draw) for phrase in draw.sample(grammar["line"], count)]
        if draw.random() < 0.7:
            body.insert(draw.randrange(len(body)), expand("{aside}", grammar, draw))
        body = [sentence[0].upper() + sentence[1:] for sentence in body]
        greeting, closing = expand("{greeting}", grammar, draw), expand("{bye}", grammar, draw)
        subject = expand(draw.choice(grammar["subject"]), grammar, draw)
        if list_name and not subject.startswith(("[", "Re: [")):
            subject = f"[{list_name}] {subject}"
        paragraphs = tuple(filter(None, (greeting, *body, closing)))
        return SyntheticMessage(label, sender, subject, paragraphs, link, list_name, html)

    def _page(self, sender: str) -> str:
        """The address of a page on the sender's own host."""
        draw = self._draw
        path = draw.choice(("{word}", "{word}.html", "?id={code}", "{word}/{number}", "{word}/?{word}={big}", ""))
        return f"http://{draw.choice(('www.', ''))}{sender.rpartition('@')[2].rstrip('>')}/{expand(path, {}, draw)}"

    def _new_sender(self, grammar: Grammar) -> str:
        return self._sender(grammar, f"{made_up_word(self._draw)}{self._draw.choice(('', '-online', 'mail'))}.example")

    def _sender(self, grammar: Grammar, host: str) -> str:
        first, last = expand("{person}", grammar, self._draw), made_up_word(self._draw).capitalize()
        return f"{first} {last} <{first.lower()}.{last.lower()}@{host}>"
