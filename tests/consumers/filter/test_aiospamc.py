"""The asyncio client aiospamc, which parses replies strictly, can read ours."""

import pytest

from tests.consumers.filter.conftest import fresh
from tests.support.own_loop import run_coroutine

aiospamc = pytest.importorskip("aiospamc", reason="aiospamc is in the group `test`")


def ask(server, request, mail, **options):
    return run_coroutine(request(mail, host="127.0.0.1", port=server.port, **options))


@pytest.mark.parametrize("name", ["check", "symbols", "report", "report_if_spam", "process", "headers"])
def test_the_reply_to_each_kind_of_request_can_be_read(mail_filter, name):
    spam = ask(mail_filter, getattr(aiospamc, name), fresh("spam").value)
    ham = ask(mail_filter, getattr(aiospamc, name), fresh("ham").value)

    assert (spam.status_code, ham.status_code) == (0, 0)
    assert (spam.headers["Spam"].value, ham.headers["Spam"].value) == (True, False)


def test_ping(mail_filter):
    assert run_coroutine(aiospamc.ping(host="127.0.0.1", port=mail_filter.port)).status_code == 0


def test_tell_adds_and_withdraws_a_label(mail_filter):
    mail, local = fresh("spam").value, aiospamc.ActionOption(local=True, remote=False)

    learned = ask(mail_filter, aiospamc.tell, mail, message_class="spam", set_action=local, user="bob")
    assert learned.headers["DidSet"].action.local
    assert (mail_filter.labels()[-1].label, mail_filter.labels()[-1].source) == ("spam", "bob")

    forgotten = ask(mail_filter, aiospamc.tell, mail, message_class="spam", remove_action=local, user="bob")
    assert forgotten.headers["DidRemove"].action.local
    assert mail_filter.labels()[-1].forget


def test_a_compressed_mail_is_decompressed(mail_filter):
    item = fresh("spam")

    assert ask(mail_filter, aiospamc.check, item.value, compress=True).headers["Spam"].value
    assert item.value in mail_filter.emails().values()
