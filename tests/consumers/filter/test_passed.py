"""A mail that comes back with a label is found: by the header it got, or by its content."""

import pytest

from consumers.filter.mail_id import content_hash, new_id
from tests.consumers.filter.conftest import fresh
from tests.support.filter_client import post, talk


def test_the_header_finds_the_mail_though_it_was_changed(mail_filter):
    item = fresh("ham")
    passed = post(mail_filter.port, "/checkv2", item.value)[1]["stream_nb"]["id"]
    changed = b"X-Stream-NB-Id: " + passed.encode() + b"\n" + item.value + b"\n-- \nlist footer\n"
    assert content_hash(changed) != content_hash(item.value)

    content = post(mail_filter.port, "/learnspam", changed)[1]

    assert (content["id"], content["found"]) == (passed, "header")


def test_the_content_finds_the_mail_as_mailboxes_keep_it(mail_filter):
    item = fresh("ham")
    passed = post(mail_filter.port, "/checkv2", item.value)[1]["stream_nb"]["id"]
    kept = b"Return-Path: <a@b>\r\nReceived: from x by y\r\n" + item.value.replace(b"\n", b"\r\n") + b"\r\n"

    content = post(mail_filter.port, "/learnham", kept)[1]

    assert (content["id"], content["found"]) == (passed, "content")


def test_a_header_of_another_filter_or_a_forger_is_not_believed(mail_filter):
    forged = b"X-Stream-NB-Id: " + b"0" * 32 + b"." + b"1" * 16 + b"\n" + fresh("spam").value

    content = post(mail_filter.port, "/learnspam", forged)[1]

    assert content["found"] == "new"
    assert not content["id"].startswith("0" * 32)
    assert mail_filter.emails()[content["id"]] == forged


def test_a_forged_header_does_not_lose_the_label_of_its_mail(mail_filter):
    item, other = fresh("spam"), fresh("spam")
    post(mail_filter.port, "/checkv2", other.value)
    for content in (content_hash(item.value), content_hash(other.value)):
        forged = b"X-Stream-NB-Id: " + content.encode() + b"." + b"1" * 16 + b"\n" + item.value
        passed = post(mail_filter.port, "/checkv2", forged)[1]["stream_nb"]["id"]

        assert post(mail_filter.port, "/learnspam", forged)[1]["id"] == passed


def test_a_header_that_alone_knows_its_mail_is_believed(mail_filter):
    mail = fresh("spam").value
    passed = new_id(mail)

    content = post(mail_filter.port, "/learnspam", b"X-Stream-NB-Id: " + passed.encode() + b"\n" + mail)[1]

    assert (content["id"], content["found"]) == (passed, "header")


@pytest.mark.parametrize("mail", [b"", b" \n", b"Subject: big\n\n" + b"x" * 1_000_000])
def test_what_no_worker_can_read_is_not_learned(mail_filter, mail):
    before = len(mail_filter.labels())

    assert post(mail_filter.port, "/learnspam", mail)[0] == 422
    request_bytes = b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: spam\r\n\r\n"
    assert talk(mail_filter.port, request_bytes + mail).startswith(b"SPAMD/1.1 65 ")
    assert len(mail_filter.labels()) == before


def test_a_mail_that_never_passed_is_learned_and_found_again(mail_filter):
    item = fresh("spam")
    first = post(mail_filter.port, "/learnspam", item.value)[1]
    second = post(mail_filter.port, "/learnham", item.value)[1]

    assert (first["found"], second["found"]) == ("new", "content")
    assert second["id"] == first["id"]
