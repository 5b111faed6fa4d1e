"""A mail with a known id is quarantined; whether it is the same mail again decides what its reason is."""

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.records.mail_id import ID_HEADER, new_id
from consumers.records.schemas import EMAILS
from stream_nb.mail import message_id
from tests.support.outputs import predictions, quarantine_reasons
from tests.support.worker_run import EVERYTHING, run_worker

MAIL = b"From: ann@example.org\r\nSubject: lunch\r\n\r\nat noon\r\n"
NAME = new_id(MAIL)
DELIVERED = f"Received: by mx\n{ID_HEADER}: {NAME}\n".encode() + MAIL.replace(b"\r\n", b"\n")


def test_a_mail_that_a_feed_reads_after_the_filter_is_the_same_mail(log):
    run_worker(log, EVERYTHING, [ProducerRecord(EMAILS, NAME.encode(), raw) for raw in (MAIL, DELIVERED)])

    assert len(predictions(log)) == 1
    assert quarantine_reasons(log) == ["duplicate-mail"]
    assert verify(log, EVERYTHING).differences == []


def test_another_mail_with_a_known_id_is_not(log):
    other = MAIL.replace(b"noon", b"night")

    run_worker(log, EVERYTHING, [ProducerRecord(EMAILS, NAME.encode(), raw) for raw in (MAIL, other)])

    assert quarantine_reasons(log) == ["duplicate-id"]


def test_a_mail_without_a_message_id_that_is_fed_twice_is_the_same_mail(log):
    name = message_id(MAIL).encode()

    run_worker(log, EVERYTHING, [ProducerRecord(EMAILS, name, MAIL), ProducerRecord(EMAILS, name, MAIL)])

    assert quarantine_reasons(log) == ["duplicate-mail"]


def test_a_message_id_that_looks_like_a_hash_does_not_make_another_mail_the_same(log):
    mails = [b"Message-ID: <sha256:%032d>\n\n%d" % (0, number) for number in range(2)]

    run_worker(log, EVERYTHING, [ProducerRecord(EMAILS, message_id(mail).encode(), mail) for mail in mails])

    assert quarantine_reasons(log) == ["duplicate-id"]
