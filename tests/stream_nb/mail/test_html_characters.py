"""Character references in HTML are read like browsers do."""

from html.entities import html5

import pytest

from stream_nb.mail.html import html_text


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("don&apos;t f&NoBreak;re&ZeroWidthSpace;e&NewLine;x", "don't free\nx"),
        ("a&nbspbad&shyly", "a badly"),
        ("operaci&oacuten &ampx &notit;", "operación &x ¬it;"),
        ("&eurox &fjlig;", "&eurox &fjlig;"),
        ("<input value='?a&copy=2&notx&not;&amp;b&lt'>", " ?a&copy=2&notx¬&b< "),
    ],
)
def test_named_characters_with_and_without_semicolons(html, seen):
    assert html_text(html.encode()).seen.decode() == seen


def test_every_named_character_is_known():
    for name, text in html5.items():
        if len(text) == 1 and text.isprintable() and name not in ("nbsp", "shy"):
            assert html_text(f"&{name}".encode()).seen.decode() == text, name


def test_references_to_invalid_characters_become_the_replacement_character():
    assert html_text(b"&#0;&#xD800;&#x110000;&#99999999;").seen == "\ufffd".encode() * 4


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("buy &#8238;argaiv&#8236; now", "buy viagra now"),
        ("&#x202E;&agrave;&#128512;b", "b\U0001f600à"),
        ("a&#x202e;cb<b>&#x202e;</b>ed&#x202c;f", "abcedf"),
        ("a&#x202e;cb&#x202e;ed&#x202c;", "abcde"),
    ],
)
def test_what_a_character_reference_reverses_is_read_as_it_is_shown(html: str, seen: str):
    assert html_text(html.encode()).seen.decode() == seen
