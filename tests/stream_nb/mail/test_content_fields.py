"""Texts are decoded however their Content-Transfer-Encoding and Content-Type are written."""

import base64

import pytest

from stream_nb.mail import read_mail
from stream_nb.mail.content_fields import with_plain_fields

FORMS = [b"%s", b"%s ", b"%s\t", b"%s;", b"%s (x)", b'"%s"', b"\n %s", b"\r\n\t%s"]
BODIES = {
    b"base64": base64.b64encode(b"win money") + b"\n",
    b"BASE64": base64.b64encode(b"win money") + b"\n",
    b"quoted-printable": b"win=20money\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BODIES)
def test_the_name_of_the_encoding_may_have_anything_around_it(form, name):
    entity = b"Content-Type: text/plain\nCONTENT-transfer-encoding: " + form % name + b"\n\n" + BODIES[name]
    for mail in (entity, b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + entity + b"--b--\n"):
        assert dict(read_mail(mail).mail.parts)[""].split() == [b"win", b"money"]


def test_invalid_base64_is_decoded_by_the_fallback_parser_with_such_a_form_too():
    mail = b"Content-Transfer-Encoding: base64 \n\n" + base64.b64encode(b"win money now, and more") + b"!!!A\n"
    assert b"money" in dict(read_mail(mail).mail.parts)[""]


@pytest.mark.parametrize("value", [b"base64", b"BASE64", b"7bit ", b"x-base64 ", b"base64-x", b"base 64"])
def test_other_fields_are_unchanged(value):
    mail = b"Content-Transfer-Encoding: " + value + b"\n\nbase64 \n"
    assert with_plain_fields(mail) == (mail, False)


@pytest.mark.parametrize(
    "kind", [b"text / html", b"text/html (a page)", b"(a\n page) text/html", b'"text/html"', b"text/html, a=b"]
)
@pytest.mark.parametrize("rest", [b"", b"; charset=utf-8", b"\r\n ; charset=utf-8 (Unicode)"])
def test_the_media_type_may_have_anything_around_it(kind, rest):
    page = b"Content-type: " + kind + rest + b"\n\n<p hidden>lunch</p>win <b>mon</b>ey\n"
    for mail in (page, b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + page + b"--b--\n"):
        assert dict(read_mail(mail).mail.parts)[""].split() == [b"win", b"money"]


@pytest.mark.parametrize("kind", [b"(a) multipart/mixed; %s", b"multipart / mixed; %s (a)", b"multipart/mixed; (a) %s"])
def test_a_multipart_mail_is_taken_apart_if_there_are_comments(kind):
    entity = b"Content-Transfer-Encoding: base64\n\n" + BODIES[b"base64"]
    mail = b"Content-Type: " + kind % b'boundary="b (c)"' + b"\n\n--b (c)\n" + entity + b"--b (c)--\n"
    assert dict(read_mail(mail).mail.parts)[""].split() == [b"win", b"money"]


@pytest.mark.parametrize("others", [b"boundary=c", b'Boundary = "c"; boundary=d', b'x="a\n b"; boundary=c'])
@pytest.mark.parametrize("before", [b"", b'x="; boundary=a"; '])
def test_the_first_boundary_counts(before, others):
    head = b"Content-Type: multipart/mixed; " + before + b"boundary=b; " + others
    entity = b"Content-Transfer-Encoding: base64\n\n" + BODIES[b"base64"]
    assert dict(read_mail(head + b"\n\n--b\n" + entity + b"--b--\n").mail.parts)[""].split() == [b"win", b"money"]


@pytest.mark.parametrize("value", [b" text/plain", b"text/x-y+z ;a=b\r\n\tc=d", b"text", b";text/html", b"(a)"])
def test_other_media_types_are_unchanged(value):
    field = b"Content-Type:" + value + b"\n"
    mail = field + b"\nContent-Type: text (a) / html\n"
    assert with_plain_fields(mail, len(field)) == (mail, False)


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("field", [b"Content-Type: text/html", b"content-type:text/html;\n charset=utf-8"])
def test_a_text_may_follow_the_fields_of_its_part_without_an_empty_line(field, end):
    parts = (
        field
        + b"\n<p>win\n--b\n"
        + field
        + b"\nX-Field : x\n\nmoney\n--b\nContent-Transfer-Encoding: base64\nbW9vbg==\n"
    )
    mail = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + parts + b"--b--\n"
    assert dict(read_mail(mail.replace(b"\n", end)).mail.parts)[""].split() == [b"moon", b"win", b"money"]
