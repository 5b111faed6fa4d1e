"""A letter before it is put into MIME: who writes to whom, the subject, the lines of text."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from . import ham, spam
from .grammar import Grammar, expand, made_up_word

REGULARS = 40
"""So many people and shops write again and again; everybody else writes once."""
HARD_SHARE = 0.04
"""So many wanted mails quote spam, and so many spams are nothing but words of wanted mail and a link."""

_NAMES = {slot: ham.COMMON[slot] for slot in ("town", "day", "month", "soon")}


class Letter(NamedTuple):
    """`lines` are paragraphs; `link` is a page to open, or empty; `mailing_list` is its name or empty."""

    label: str
    sender: str
    subject: str
    lines: tuple[str, ...]
    link: str
    mailing_list: str
    html: bool


class Writers:
    """Draws letters; the same seed gives the same people and the same letters."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._regulars = [self._person(ham.COMMON, f"{made_up_word(draw)}.example") for _ in range(REGULARS)]
        self._lists = {topic: expand(g["list"][0], g, draw) for topic, g in ham.TOPICS.items() if "list" in g}

    def ham(self) -> Letter:
        """A letter somebody wants."""
        draw = self._draw
        topic = self._topic(ham.TOPICS)
        grammar = ham.COMMON | ham.TOPICS[topic]
        sender = draw.choice(self._regulars) if draw.random() < 0.6 else self._stranger(ham.COMMON)
        link = self._page(sender) if "html" in grammar or draw.random() < 0.4 else ""
        name = self._lists.get(topic, "") if draw.random() < 0.8 else ""
        letter = self._write("ham", sender, grammar, link, name, "html" in grammar)
        return letter._replace(lines=(*letter.lines, *self._borrowed(spam))) if draw.random() < HARD_SHARE else letter

    def spam(self) -> Letter:
        """A letter nobody wants; it may speak the words of others, to look better than it is."""
        draw = self._draw
        grammar = spam.COMMON | spam.TOPICS[self._topic(spam.TOPICS)]
        if draw.random() < 0.5:
            grammar |= {slot: ham.COMMON[slot] for slot in ("greeting", "bye", "aside", "person")} | _NAMES
        link = self._page(self._stranger(grammar)) if draw.random() < 0.8 else ""
        letter = self._write("spam", self._stranger(grammar), grammar, link, "", draw.random() < 0.4)
        if draw.random() < HARD_SHARE:
            return letter._replace(lines=tuple(self._borrowed(ham)), subject=f"Re: {made_up_word(draw)}")
        return letter._replace(lines=(*letter.lines, *self._borrowed(ham))) if draw.random() < 0.3 else letter

    def campaign(self, wave: int) -> Letter:
        """A letter of the campaign: one new line among a colleague's words, often in a regular's name."""
        draw = self._draw
        grammar = ham.COMMON | spam.WAVES[wave] | {"line": spam.WAVES[wave]["hook"]}
        sender = draw.choice(self._regulars) if draw.random() < 0.6 else self._stranger(ham.COMMON)
        link = self._page(self._stranger(ham.COMMON)) if draw.random() < 0.6 else ""
        letter = self._write("spam", sender, grammar, link, "", draw.random() < 0.3)
        first, *middle, last = letter.lines
        return letter._replace(lines=(first, *self._borrowed(ham), *middle, *self._borrowed(ham), last))

    def _borrowed(self, kind) -> list[str]:
        """A few lines of wanted (`ham`) or unwanted (`spam`) mail."""
        grammar = kind.COMMON | kind.TOPICS[self._topic(kind.TOPICS)]
        lines = self._draw.sample(grammar["line"], self._draw.randint(1, 3))
        return [expand(line, grammar, self._draw) for line in lines]

    def _topic(self, topics: Mapping[str, Grammar]) -> str:
        """Some topics are frequent, some rare, so that there is something new for a long time."""
        names = tuple(topics)
        return self._draw.choices(names, [1 / (rank + 1) for rank in range(len(names))])[0]

    def again(self, letter: Letter) -> Letter:
        """Nearly the same letter: one line less or a made-up word more."""
        draw = self._draw
        lines = list(letter.lines)
        if len(lines) > 3 and draw.random() < 0.5:
            del lines[draw.randrange(1, len(lines) - 1)]
        else:
            lines.insert(draw.randrange(len(lines)), made_up_word(draw))
        return letter._replace(lines=tuple(lines))

    def _write(self, label, sender, grammar, link, mailing_list, html) -> Letter:
        draw = self._draw
        count = min(len(grammar["line"]), draw.randint(1, 3))
        lines = [expand(line, grammar, draw) for line in draw.sample(grammar["line"], count)]
        if draw.random() < 0.7:
            lines.insert(draw.randrange(len(lines)), expand("{aside}", grammar, draw))
        lines = [line[0].upper() + line[1:] for line in lines]
        greeting, bye = expand("{greeting}", grammar, draw), expand("{bye}", grammar, draw)
        subject = expand(draw.choice(grammar["subject"]), grammar, draw)
        if mailing_list and not subject.startswith(("[", "Re: [")):
            subject = f"[{mailing_list}] {subject}"
        return Letter(label, sender, subject, tuple(filter(None, (greeting, *lines, bye))), link, mailing_list, html)

    def _page(self, sender: str) -> str:
        """A page on the sender's own host."""
        draw = self._draw
        path = draw.choice(("{word}", "{word}.html", "?id={code}", "{word}/{number}", "{word}/?{word}={big}", ""))
        return f"http://{draw.choice(('www.', ''))}{sender.rpartition('@')[2].rstrip('>')}/{expand(path, {}, draw)}"

    def _stranger(self, grammar) -> str:
        return self._person(grammar, f"{made_up_word(self._draw)}{self._draw.choice(('', '-online', 'mail'))}.example")

    def _person(self, grammar, host: str) -> str:
        first, last = expand("{person}", grammar, self._draw), made_up_word(self._draw).capitalize()
        return f"{first} {last} <{first.lower()}.{last.lower()}@{host}>"
