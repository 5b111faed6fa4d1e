"""SpamAssassin's client `spamc` works with the filter."""

import pytest

from tests.consumers.filter.conftest import fresh, program, run


@pytest.fixture
def spamc(mail_filter):
    path = program("spamc", "spamc")

    def ask(*options: str, mail: bytes = b"", server=mail_filter, status: int | None = 0) -> str:
        return run(path, "-d", "127.0.0.1", "-p", str(server.port), *options, stdin=mail, status=status)

    return ask


def test_check_gives_the_class_by_score_and_exit_status(spamc):
    assert float(spamc("-c", mail=fresh("spam").value, status=1).split("/")[0]) >= 5.0
    assert float(spamc("-c", mail=fresh("ham").value, status=0).split("/")[0]) < 5.0


def test_symbols_and_reports_are_printed(spamc):
    spam, ham = fresh("spam").value, fresh("ham").value

    assert spamc("-y", mail=spam).strip() == "STREAM_NB_SPAM"
    assert "X-Stream-NB-Words:" in spamc("-R", mail=spam)
    assert "X-Stream-NB-Words:" in spamc("-r", mail=spam)
    assert spamc("-r", mail=ham).strip() == ""


def test_process_returns_the_mail_with_header_fields(spamc, mail_filter):
    item = fresh("spam")
    forged = b"X-Spam-Flag: NO\nX-Stream-NB-Id: mine\n" + item.value

    mail = spamc(mail=forged).encode()

    assert mail.endswith(item.value)
    added = mail.removesuffix(item.value).decode()
    assert "X-Spam-Flag: YES" in added and "X-Stream-NB: spam;" in added
    assert "X-Spam-Flag: NO" not in added and "mine" not in added
    message_id = added.split("X-Stream-NB-Id: ")[1].split("\n")[0]
    assert mail_filter.emails()[message_id] == forged
    assert spamc("--headers", mail=item.value).startswith("X-Spam-Flag: YES")


def test_tell_adds_and_withdraws_a_label(spamc, mail_filter):
    marked = spamc(mail=fresh("ham").value).encode()
    message_id = marked.split(b"X-Stream-NB-Id: ")[1].split(b"\n")[0].decode()

    assert "successfully" in spamc("-L", "spam", "-u", "ann", mail=marked)
    assert "successfully" in spamc("-L", "forget", "-u", "ann", mail=marked)

    labels = [(label.id, label.label, label.source, label.forget) for label in mail_filter.labels()[-2:]]
    assert labels == [(message_id, "spam", "ann", False), (message_id, None, "ann", True)]


def test_nothing_to_forget_is_reported(spamc):
    assert "already" in spamc("-L", "forget", mail=fresh("ham").value)


def test_ping(spamc):
    assert "SPAMD" in spamc("-K")
