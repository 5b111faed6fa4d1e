"""Compile every kernel of a worker, or load it from the compile cache, before mail has to wait for it.

Run as a program (`python -m consumers.worker.warm`) it is the helper process of `warm_up`, which takes the steps from
the last to the first.
"""

from __future__ import annotations

from stream_nb import Mail, MailNB
from stream_nb.mail import read_mail
from stream_nb.mail.html import style_rules
from stream_nb.mail_nb.decision import threshold_losing
from stream_nb.mail_nb.starter import starter

from ..runtime.compiling import shared_compiling
from ..runtime.parent_watch import ending_with_parent

WORDS = b" ".join(b"word%d" % n for n in range(1000))
"""Enough words to make the table of summed updates grow."""
MAIL = (
    b"Subject: hello\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nA mail, o p e n e d, caf\xc3\xa9 "
    + WORDS
    + b"\n--b\n"
    b"Content-Type: text/html\n\n<p>A mail</p> that nobody will read\n--b--\n"
)
"""A mail with HTML, but without a style sheet."""


def warm_up() -> None:
    """Compile or load every kernel of a worker by doing the work once.

    When something must be compiled, a second process helps; it begins with the last step.
    """
    with shared_compiling(__name__):
        for step in STEPS:
            step()


def read() -> None:
    """Read a mail with rare features."""
    read_mail(MAIL)


def read_style_sheet() -> None:
    """Read a style sheet, which shares a third of its kernels with the HTML of a mail."""
    style_rules(b"<style>p { color: navy }</style>")


def score_features() -> None:
    """Score a mail with numbers and categories."""
    MailNB(grams=True).score_many([_with_features()])


def exchange() -> None:
    """Apply what another model learned: its changes, then the whole model."""
    model, other, mail = MailNB(grams=True), MailNB(grams=True), _of_words()
    recorder = model.recorder()
    recorder.learn(mail, "ham")
    other.apply_changes(recorder.take())
    other.merge(MailNB.from_bytes(model.to_bytes()))


def learn_features() -> None:
    """Learn mails with numbers and categories, and unlearn one."""
    model, other, mail = MailNB(grams=True), MailNB(grams=True), _with_features()
    recorder = model.recorder()
    for label in ("ham", "spam"):
        update = recorder.learn(mail, label)
        other.apply_update(mail, other.grade(mail, label))
    starter(model).learn_one(mail, "spam")  # of two classes: one class makes no starter
    recorder.revert_update(mail, update)
    other.apply_changes(recorder.take())


def learn() -> None:
    """Learn mails of words alone, with and without a starter, unlearn one, and score with a bound on lost ham."""
    model, mail = MailNB(grams=True), _of_words()
    recorder = model.recorder()
    for label in ("ham", "spam"):
        update = recorder.learn(mail, label)
    model.score_many([mail, mail])  # in parallel, unlike mails with features
    starter(model).learn_one(mail, "spam")  # of two classes: one class makes no starter
    recorder.revert_update(mail, update)
    threshold_losing(model, "spam", 0.01)


def score() -> None:
    """Score a mail of words alone."""
    MailNB(grams=True).score_many([_of_words()])


STEPS = (score, read, score_features, learn_features, exchange, learn, read_style_sheet)
"""Ordered so that two processes, one from each end, compile few kernels twice: before HTML needs the kernels of style
sheets, and learning those of scoring, the other process has compiled them."""


def _of_words() -> Mail:
    """A mail without HTML, whose kernels are not needed to read it."""
    return read_mail(b"Subject: hello\n\n" + WORDS).mail


def _with_features() -> Mail:
    return _of_words()._replace(features=(("size", 1.5), ("format", "html")))


if __name__ == "__main__":
    with ending_with_parent():
        for step in reversed(STEPS):
            step()
