"""A labelled mail is matched to the mail that was scored, by its id header or its content."""

import pytest

from consumers.records.mail_id import content_hash, new_id
from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.consumers.filter.conftest import fresh
from tests.support.filter_client import post, talk


def test_a_changed_mail_is_found_by_its_header(mail_filter):
    item = fresh("ham")
    passed = post(mail_filter.port, "/checkv2", item.value)[1]["stream_nb"]["id"]
    changed = b"X-Stream-NB-Id: " + passed.encode() + b"\n" + item.value + b"\n-- \nlist footer\n"
    assert content_hash(changed) != content_hash(item.value)

    content = post(mail_filter.port, "/learnspam", changed)[1]

    assert (content["id"], content["found"]) == (passed, "header")


def test_a_delivered_mail_without_the_header_is_found_by_its_content(mail_filter):
    item = fresh("ham")
    passed = post(mail_filter.port, "/checkv2", item.value)[1]["stream_nb"]["id"]
    kept = b"Return-Path: <a@b>\r\nReceived: from x by y\r\n" + item.value.replace(b"\n", b"\r\n") + b"\r\n"

    content = post(mail_filter.port, "/learnham", kept)[1]

    assert (content["id"], content["found"]) == (passed, "content")


def test_an_unknown_id_with_another_content_hash_is_ignored(mail_filter):
    forged = b"X-Stream-NB-Id: " + b"0" * 32 + b"." + b"1" * 16 + b"\n" + fresh("spam").value

    content = post(mail_filter.port, "/learnspam", forged)[1]

    assert content["found"] == "new"
    assert not content["id"].startswith("0" * 32)
    assert mail_filter.emails()[content["id"]] == forged


def test_a_mail_scored_with_a_forged_header_is_found_by_its_own_id(mail_filter):
    item, other = fresh("spam"), fresh("spam")
    post(mail_filter.port, "/checkv2", other.value)
    for content in (content_hash(item.value), content_hash(other.value)):
        forged = b"X-Stream-NB-Id: " + content.encode() + b"." + b"1" * 16 + b"\n" + item.value
        passed = post(mail_filter.port, "/checkv2", forged)[1]["stream_nb"]["id"]

        assert post(mail_filter.port, "/learnspam", forged)[1]["id"] == passed


def test_an_unknown_id_with_the_right_content_hash_is_accepted(mail_filter):
    mail = fresh("spam").value
    passed = new_id(mail)

    content = post(mail_filter.port, "/learnspam", b"X-Stream-NB-Id: " + passed.encode() + b"\n" + mail)[1]

    assert (content["id"], content["found"]) == (passed, "header")


@pytest.mark.parametrize("mail", [b"", b" \n", b"Subject: big\n\n".ljust(MAX_MAIL_BYTES + 1, b"x")])
def test_an_empty_or_too_large_mail_is_not_learned(mail_filter, mail):
    before = len(mail_filter.labels())

    assert post(mail_filter.port, "/learnspam", mail)[0] == 422
    request_bytes = b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: spam\r\n\r\n"
    assert talk(mail_filter.port, request_bytes + mail).startswith(b"SPAMD/1.1 65 ")
    assert len(mail_filter.labels()) == before


def test_a_mail_of_the_largest_size_is_scored_and_learned(mail_filter):
    mail = b"Subject: large\n\n".ljust(MAX_MAIL_BYTES, b"y")
    passed = post(mail_filter.port, "/checkv2", mail)[1]["stream_nb"]

    assert passed["label"] is not None
    assert post(mail_filter.port, "/learnham", mail)[1]["id"] == passed["id"]


def test_a_mail_that_was_never_scored_is_learned_and_found_again(mail_filter):
    item = fresh("spam")
    first = post(mail_filter.port, "/learnspam", item.value)[1]
    second = post(mail_filter.port, "/learnham", item.value)[1]

    assert (first["found"], second["found"]) == ("new", "content")
    assert second["id"] == first["id"]


def test_a_mail_without_a_prediction_yet_is_found_by_its_content(filter_on):
    server = filter_on(trained=False, deadline_s=0.2)
    checked = ""
    while not checked:  # a busy machine may take longer to put a mail on the log
        mail = fresh("spam").value
        checked = post(server.port, "/checkv2", mail)[1]["stream_nb"]["id"]

    learned = post(server.port, "/learnspam", mail)[1]

    assert (learned["id"], learned["found"]) == (checked, "content")
