from collections import Counter

import pytest

from consumers.ingest.synthetic import synthetic_mails
from consumers.ingest.synthetic.spam import WAVES
from stream_nb import MailNB
from stream_nb.mail import read_mail

TOTAL = 1200
WINDOW = 100


@pytest.fixture(scope="module")
def stream():
    return list(synthetic_mails(TOTAL, seed=1))


def test_the_same_seed_gives_the_same_bytes(stream):
    assert list(synthetic_mails(TOTAL, seed=1)) == stream
    assert list(synthetic_mails(50, seed=2)) != list(synthetic_mails(50, seed=1))


def test_ids_are_distinct_and_spam_is_about_45_percent(stream):
    assert len({item.id for item in stream}) == TOTAL
    assert all(item.id == read_mail(item.value).message_id for item in stream)
    assert 0.40 < sum(item.label == "spam" for item in stream) / TOTAL < 0.50


def test_mails_have_many_mime_structures(stream):
    forms = Counter()
    for item in stream:
        head, body = item.value.split(b"\n\n", 1)
        for form in (
            b"text/plain", b"text/html", b"multipart/alternative", b"multipart/mixed", b"message/rfc822", b"text/csv",
            b"base64", b"quoted-printable", b"8bit", b"koi8-r", b"utf-16", b"iso-8859-1", b"windows-1252", b"=?utf-8?",
            b"display:none", b"<!-- x -->", b"List-Id", b"application/octet-stream",
        ):  # fmt: skip
            forms[form] += form in head or form in body
    assert min(forms.values()) > 0, forms


def test_every_mail_has_a_subject_a_sender_and_text(stream):
    for item in stream:
        parsed = read_mail(item.value)
        assert parsed.subject and "@" in parsed.sender and len(dict(parsed.mail.parts)[""]) > len(parsed.subject) + 1


def test_some_mails_nearly_repeat_others(stream):
    words = [frozenset(dict(read_mail(item.value).mail.parts)[""].split()) for item in stream[:300]]

    near = sum(
        any(len(a & b) > 0.8 * len(a | b) for b in words[max(0, at - 60) : at])
        for at, a in enumerate(words)
        if len(a) > 10
    )
    assert near > 3


def test_the_accuracy_of_a_filter_drops_when_the_campaign_begins_and_recovers(stream):
    model = MailNB()
    right = []
    for item in stream:
        mail = read_mail(item.value).mail
        right.append(model.score(mail).label == item.label)
        model.learn_one(mail, item.label)

    def accuracy(first: int, last: int) -> float:
        return sum(right[first:last]) / (last - first)

    half = TOTAL // 2
    assert accuracy(0, 30) < 0.85
    assert accuracy(half - 200, half) > 0.95
    assert accuracy(half, half + 40) < accuracy(half - 200, half) - 0.04
    assert accuracy(TOTAL - 200, TOTAL) > 0.97


def test_each_wave_has_its_own_subjects():
    subjects = [subject for wave in WAVES for subject in wave["subject"]]

    assert len(set(subjects)) == len(subjects)
