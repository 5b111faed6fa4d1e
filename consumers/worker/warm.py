"""Let every compiled function of a worker be compiled, or loaded from the compile cache, before mail waits for it."""

from __future__ import annotations

from stream_nb import MailNB
from stream_nb.mail import read_mail
from stream_nb.mail_nb.decision import losing_at_most
from stream_nb.mail_nb.starter import starter

WORDS = b" ".join(b"word%d" % n for n in range(1000))
"""So many that the sum of updates must grow."""
MAIL = (
    b"Subject: hello\nContent-Type: multipart/alternative; boundary=b\n\n--b\n\nA mail, o p e n e d, caf\xc3\xa9 "
    + WORDS
    + b"\n--b\n"
    b"Content-Type: text/html\n\n<style>p { color: navy }</style><p>A mail</p> that nobody will read\n--b--\n"
)


def warm_up() -> None:
    """Let every compiled function of a worker's work be loaded, by doing the work once."""
    model, other = MailNB(grams=True), MailNB(grams=True)
    plain = read_mail(MAIL).mail
    mail = plain._replace(features=(("size", 1.5), ("format", "html")))
    recorder = model.recorder()
    for label in ("ham", "spam"):
        update = recorder.learn(mail, label)
        other.apply_update(mail, other.grade(mail, label))
    model.score_many([mail])
    model.score_many([plain, plain])  # side by side, which those with features are not
    recorder.revert_update(mail, update)
    other.apply_changes(recorder.take())
    model.merge(MailNB.from_bytes(other.to_bytes()))
    starter(model).learn_one(mail, "spam")
    losing_at_most(model, "spam", 0.01)
