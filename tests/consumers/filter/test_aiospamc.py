"""aiospamc, the client for asyncio, which is strict about what stands in a reply."""

import pytest

from tests.consumers.filter.conftest import fresh
from tests.support.own_loop import run_coroutine

aiospamc = pytest.importorskip("aiospamc", reason="aiospamc is in the group `test`")


def ask(server, request, mail, **options):
    return run_coroutine(request(mail, host="127.0.0.1", port=server.port, **options))


@pytest.mark.parametrize("name", ["check", "symbols", "report", "report_if_spam", "process", "headers"])
def test_every_request_has_a_reply_it_can_read(mail_filter, name):
    spam = ask(mail_filter, getattr(aiospamc, name), fresh("spam").value)
    ham = ask(mail_filter, getattr(aiospamc, name), fresh("ham").value)

    assert (spam.status_code, ham.status_code) == (0, 0)
    assert (spam.headers["Spam"].value, ham.headers["Spam"].value) == (True, False)


def test_ping(mail_filter):
    assert run_coroutine(aiospamc.ping(host="127.0.0.1", port=mail_filter.port)).status_code == 0


def test_tell_learns_and_forgets(mail_filter):
    mail, local = fresh("spam").value, aiospamc.ActionOption(local=True, remote=False)

    learned = ask(mail_filter, aiospamc.tell, mail, message_class="spam", set_action=local, user="bob")
    assert learned.headers["DidSet"].action.local
    assert (mail_filter.labels()[-1].label, mail_filter.labels()[-1].source) == ("spam", "bob")

    forgotten = ask(mail_filter, aiospamc.tell, mail, message_class="spam", remove_action=local, user="bob")
    assert forgotten.headers["DidRemove"].action.local
    assert mail_filter.labels()[-1].forget


def test_a_compressed_mail_is_read_too(mail_filter):
    item = fresh("spam")

    assert ask(mail_filter, aiospamc.check, item.value, compress=True).headers["Spam"].value
    assert item.value in mail_filter.emails().values()
