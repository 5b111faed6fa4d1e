"""Plain parts of a mail that have an HTML alternative, and their words that the HTML does not have."""

import pytest
from fast_mail_parser import parse_email

from stream_nb.mail import read_mail
from stream_nb.mail.alternatives import have_twins
from stream_nb.mail.html import other_words

PLAIN, PAGE = b"\nplain\n", b"Content-Type: text/html\n\n<b>html</b>\n"


def multi(kind: bytes, *parts: bytes, boundary: bytes = b"b") -> bytes:
    head = b"Content-Type: multipart/" + kind + b"; boundary=" + boundary + b"\n\n"
    return head + b"".join(b"--" + boundary + b"\n" + part + b"\n" for part in parts) + b"--" + boundary + b"--\n"


@pytest.mark.parametrize(
    ("raw", "twins"),
    [
        (multi(b"alternative", PLAIN, PAGE), ([True], [False])),
        (multi(b"alternative", PAGE, PLAIN), ([False], [False])),
        (multi(b"Alternative", PLAIN, multi(b"related", PAGE, boundary=b"c")), ([True], [False])),
        (multi(b"mixed", multi(b"alternative", PLAIN, PAGE, boundary=b"c"), PLAIN), ([True, False], [False])),
        (multi(b"alternative", multi(b"mixed", PLAIN, PLAIN, boundary=b"c"), PAGE), ([True, True], [False])),
        (multi(b"alternative", multi(b"mixed", PAGE, PLAIN, boundary=b"c")), ([False], [False])),
        (multi(b"alternative", PLAIN, PAGE, PAGE), ([True], [True, False])),
        (multi(b"mixed", PLAIN, PAGE), ([], [])),
        (multi(b"alternative", *[PLAIN] * 600, PAGE), ([], [])),
    ],
)
def test_plain_parts_with_an_html_alternative_are_recognised(raw, twins):
    assert have_twins(raw) == twins
    if twins[0]:
        assert len(parse_email(raw).text_plain) == len(twins[0])


def test_words_of_a_plain_part_that_are_missing_in_its_html_are_hidden_text():
    page = b"Content-Type: text/html\n\n<p>Cheap PILLS for you\n"
    parts = dict(read_mail(multi(b"alternative", b"\nCheap pills at our meeting\n", page)).mail.parts)

    assert parts[""].split() == [b"Cheap", b"PILLS", b"for", b"you"]
    assert parts["hidden"].split() == [b"at", b"our", b"meeting"]


def test_a_plain_part_whose_words_are_in_its_html_is_no_hidden_text():
    page = b"Content-Type: text/html\n\n<p>plain, and more\n"

    assert "hidden" not in dict(read_mail(multi(b"alternative", PLAIN, page)).mail.parts)


def test_other_words_returns_the_words_missing_in_a_long_text():
    known = b" ".join(b"word%d" % i for i in range(5_000))

    assert other_words(known, known) == b""
    assert other_words(b"", b"a") == other_words(b"a", b"A") == other_words(b"-- !", b"") == b""
    assert len(other_words(b" ".join(b"new%d" % i for i in range(1_000)), known).split()) > 900


def test_words_of_html_that_other_html_replaces_are_hidden_text():
    pages = [b"Content-Type: text/html\n\n<b>" + text for text in (b"our meeting", b"cheap pills for our friends")]
    parts = dict(read_mail(multi(b"alternative", *pages)).mail.parts)

    assert parts[""].split() == [b"cheap", b"pills", b"for", b"our", b"friends"]
    assert parts["hidden"].split() == [b"meeting"]
