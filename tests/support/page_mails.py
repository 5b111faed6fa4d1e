"""Mails of two or more classes, and messages with features, for a `Stage`."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.support.page_stage import Stage

WORDS = {"spam": "cheap pills winner money casino offer", "ham": "meeting minutes lunch project review draft"}


def play(stage: Stage, mails: int) -> None:
    """Add mails of two classes; most get a label a few mails later; some labels are wrong, changed or withdrawn."""
    rng = random.Random(5)
    waiting: list[tuple[int, str, str]] = []
    for number in range(mails):
        true_label = rng.choice(["spam", "ham", "ham"])
        own, other = WORDS[true_label].split(), WORDS["ham" if true_label == "spam" else "spam"].split()
        body = " ".join(rng.choice(own if rng.random() < 0.7 else other) for _ in range(6))
        stage.mail(f"m{number}", f"{true_label} number {number}", body)
        if rng.random() < 0.8:
            waiting.append((number + rng.randrange(8), f"m{number}", true_label))
        for due in [item for item in waiting if item[0] <= number]:
            waiting.remove(due)
            said = due[2] if rng.random() < 0.95 else ("ham" if due[2] == "spam" else "spam")
            stage.label(due[1], said)
            if rng.random() < 0.05:
                stage.label(due[1], due[2], source="second thoughts")
            if rng.random() < 0.05:
                stage.label(due[1], None)
        if number % 40 == 0:
            stage.reconcile()
    stage.reconcile()


CLASSES = {
    "spam": "winner casino pills cheap offer claim bonus money",
    "work": "meeting project review deadline client draft agenda minutes",
    "family": "dinner photos weekend birthday grandma kids garden holiday",
    "receipts": "invoice order payment total shipped amount card delivery",
    "newsletters": "weekly digest articles unsubscribe edition readers stories column",
    "system-notifications": "build failed alert server deploy backup disk warning",
}
SENDERS = {
    "spam": "Prize Office <win@lucky.example>",
    "work": "Vera Ceabron <vera.ceabron@grehax.example>",
    "family": "Ines Ziochi <ines@home.example>",
    "receipts": "Tarfiond Shop <orders@tarfiond.example>",
    "newsletters": "The Digest <hello@digest.example>",
    "system-notifications": "monitoring@grehax.example",
}
SUBJECTS = ("about {0} and {1}", "{0} {1}", "Re: {0}", "your {0}: {1} {2}", "{0}, {1}, and a word on {2} before Friday")


def play_classes(stage: Stage, mails: int, seed: int = 7) -> None:
    """Add mails of six classes with common words; 90 % get labels from three sources, one of which is often wrong."""
    rng = random.Random(seed)
    every = " ".join(CLASSES.values()).split()
    names = list(CLASSES)
    for number in range(mails):
        name = rng.choices(names, weights=[5, 5, 3, 3, 2, 2])[0]
        own = CLASSES[name].split()
        words = [rng.choice(own if rng.random() < 0.62 else every) for _ in range(9)]
        stage.mail(f"c{seed}-{number}", rng.choice(SUBJECTS).format(*words), " ".join(words), sender=SENDERS[name])
        if rng.random() < 0.9:
            source = rng.choice(["people", "people", "people", "anna", "folder rules"])
            wrong = rng.random() < (0.2 if source == "folder rules" else 0.02)
            stage.label(f"c{seed}-{number}", rng.choice(names) if wrong else name, source=source)
        if number % 25 == 0:
            stage.reconcile()
    stage.reconcile()


LANGUAGES = ("en", "de", "fr", "a-language-with-an-unusually-long-name-that-has-no-room-in-a-table")


def play_features(
    stage: Stage, messages: int, classes: tuple[str, ...] = ("spam", "ham"), words: Mapping[str, str] | None = None
) -> None:
    """Add labelled messages with two categories and numbers of several magnitudes, one of which has a long name.

    With `words` of each class, a message has a text of nine of them.
    """
    rng = random.Random(9)
    for number in range(messages):
        index = rng.randrange(len(classes))
        features: dict[str, float | str | bool] = {
            "size": round(rng.gauss(4_000 + 3_500 * index, 1_500 + 200 * index)),
            "links": rng.randrange(1 + 3 * (len(classes) - index)),
            "received": 1_760_000_000 + rng.randrange(100_000),
            "seconds_since_the_sender_was_first_met_by_this_server_or_any_other": rng.lognormvariate(index, 2.0),
            "version": 7,
            "language": rng.choices(LANGUAGES, weights=[1 + index, 2, 1, 1])[0],
            "signed": rng.random() < 0.2 + 0.1 * index,
        }
        text = " ".join(rng.choices(words[classes[index]].split(), k=9)) if words else None
        stage.features(f"features-{number}", features, text)
        stage.label(f"features-{number}", classes[index])
        if number % 25 == 0:
            stage.reconcile()
    stage.reconcile()


HOSTILE_CLASSES = (
    "spam",
    "a-class-whose-name-has-sixty-characters-and-not-one-blank-in-it",
    "several words make the name of this class, sixty characters it has",
    "דואר זבל שאינו רצוי",
    "رسائل العمل",
    "W" * 60,
)
HOSTILE_SUBJECTS = (
    "<img src=x onerror=alert(1)><script>alert(2)</script>",
    "x" * 180,
    "שלום לך, קח 1,000 $ עכשיו",
    "\u202emoc.elpmaxe\u202c and \u2066more",
    "Z" + "\u0301" * 80,
    "&amp;lt; \u0000\u0007 \t tabs",
    "",
)


def play_hostile(stage: Stage) -> None:
    """Add mails with subjects, senders, sources and classes that may break a layout.

    The last 12 have no label, and words of two classes, so that the page names the second class of some.
    """
    rng = random.Random(3)
    mails = 84
    words = " ".join(CLASSES.values()).split()
    for number in range(mails):
        index = number % len(HOSTILE_CLASSES)
        body = " ".join(rng.choice(words[8 * index : 8 * index + 9]) for _ in range(9)) + " " + "w" * 120
        if number >= mails - 12:
            other = (index + len(HOSTILE_CLASSES) - 1) % len(HOSTILE_CLASSES)
            body += " " + " ".join(rng.choice(words[8 * other : 8 * other + 9]) for _ in range(9))
        subject = HOSTILE_SUBJECTS[number % len(HOSTILE_SUBJECTS)]
        stage.mail(f"h{number}-{'i' * 150}", subject, body, sender=f"{'long' * 20}@{'host' * 15}.example")
        if number < mails - 12:
            source = "a source of labels with a long name " * 2
            stage.label(f"h{number}-{'i' * 150}", HOSTILE_CLASSES[index], source=source)
        if number % 20 == 0:
            stage.reconcile()
    stage.reconcile()


def play_forty(stage: Stage) -> None:
    """Add mails of forty classes; the last 12 have no label."""
    rng = random.Random(4)
    mails = 160
    for number in range(mails):
        index = number % 40
        words = [f"topic{index} word{(index + rng.randrange(6)) % 40}" for _ in range(4)]
        stage.mail(f"f{number}", f"about {words[0]}", " ".join(words))
        if number < mails - 12:
            stage.label(f"f{number}", f"folder-{index:02}" if index else "spam")
        if number % 20 == 0:
            stage.reconcile()
    stage.reconcile()
