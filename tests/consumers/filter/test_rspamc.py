"""rspamd's client `rspamc` works with the filter."""

import json

import pytest

from tests.consumers.filter.conftest import fresh, program, run


@pytest.fixture
def rspamc():
    return program("rspamc", "rspamd")


def test_spam_and_ham_get_their_actions_symbols_and_words(rspamc, mail_filter):
    spam = run(rspamc, "-h", mail_filter.address, stdin=fresh("spam").value)
    ham = run(rspamc, "-h", mail_filter.address, stdin=fresh("ham").value)

    assert "Action: add header" in spam and "Spam: true" in spam
    assert "Symbol: STREAM_NB_SPAM" in spam and " +0." in spam
    assert "Action: no action" in ham and "Spam: false" in ham and "STREAM_NB_HAM" in ham


def test_the_json_answer_has_the_fields_that_a_milter_needs(rspamc, mail_filter):
    item = fresh("spam")

    reply = json.loads(run(rspamc, "-h", mail_filter.address, "--json", stdin=item.value))

    assert reply["score"] >= reply["required_score"] == 5.0
    assert reply["message-id"] == item.id
    message_id = reply["milter"]["add_headers"]["X-Stream-NB-Id"]["value"]
    assert mail_filter.emails()[message_id] == item.value
    assert "X-Stream-NB-Id" in reply["milter"]["remove_headers"]


def test_learn_spam_labels_the_mail_that_was_scored(rspamc, mail_filter):
    item = fresh("ham")
    reply = json.loads(run(rspamc, "-h", mail_filter.address, "--json", stdin=item.value))
    passed = reply["stream_nb"]["id"]

    output = run(rspamc, "-h", mail_filter.address, "learn_spam", stdin=item.value)

    assert "success = true" in output and passed in output
    label = mail_filter.labels()[-1]
    assert (label.id, label.label, label.source) == (passed, "spam", "user")


def test_learn_spam_needs_the_right_password(rspamc, filter_on):
    server = filter_on(trained=False, password="open sesame")
    mail = fresh("spam").value

    wrong = run(rspamc, "-h", server.address, "-P", "guess", "learn_spam", stdin=mail, status=None)
    assert "success = true" not in wrong and server.labels() == []

    assert "success = true" in run(rspamc, "-h", server.address, "-P", "open sesame", "learn_spam", stdin=mail)
    assert [label.label for label in server.labels()] == ["spam"]


def test_stat_counts_mails_and_actions(rspamc, filter_on):
    server = filter_on()
    run(rspamc, "-h", server.address, stdin=fresh("spam").value)

    output = run(rspamc, "-h", server.address, "stat")

    assert "Messages scanned: 1" in output and "Messages treated as spam: 1" in output
