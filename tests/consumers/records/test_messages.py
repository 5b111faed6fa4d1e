"""What a JSON message may contain, and the errors for other content."""

import pytest

from consumers.errors import BadRecord
from consumers.records import messages
from consumers.records.messages import read_value
from consumers.records.schemas import decode_label, encode
from stream_nb.types import Mail, Part


def read(fields: str) -> Mail:
    return read_value(f'{{"id":"x",{fields}}}'.encode(), "x", "safe").mail


def test_text_word_counts_and_features_become_one_mail():
    mail = read(
        '"text":"win now","words":{"b":2,"a":3.0,"none":0},'
        '"features":{"size":52341,"lang":"en","x":-0.9,"signed":false,"gone":null}'
    )

    assert mail.parts == (Part("", b"win now"),)
    assert mail.words == (("a", 3), ("b", 2), ("none", 0))
    assert mail.features == (("lang", "en"), ("signed", False), ("size", 52341), ("x", -0.9))


def test_the_originator_is_converted_to_lower_case():
    message = read_value(b'{"id":"x","text":"win","originator":"News@Example.org"}', "x", "safe")

    assert message.mail.originator == "news@example.org"
    assert message.sender == "News@Example.org"
    assert read('"text":"win"').originator == ""


def test_a_subject_is_read_like_that_of_a_raw_mail():
    message = read_value(b'{"id":"x","subject":"W\\u0456n","text":"money","words":{"a":2}}', "x", "safe")

    raw = read_value("Subject: W\u0456n\n\nmoney".encode(), "x", "safe").mail
    assert message.mail.parts == tuple(part for part in raw.parts if part.name != "header-names")
    assert message.mail.words == (("a", 2),)
    assert message.subject == "W\u0456n"


def test_a_message_without_text_is_displayed_with_its_words_and_features():
    title = read_value(b'{"id":"x","words":{"free":100},"features":{"size":1.61712345,"ok":true}}', "x", "safe").subject

    assert title == "free 100, size 1.61712, ok true"


@pytest.mark.parametrize("count", ["1.617", "-0.9", "-1", "1000001", "1e300", "12345678901234567890123"])
def test_an_invalid_count_is_refused_with_the_allowed_values(count):
    with pytest.raises(BadRecord) as refused:
        read(f'"words":{{"free":2,"size":{count}}}')

    assert refused.value.reason == "bad-count"
    assert refused.value.detail.startswith("words: 'size' is ")
    assert refused.value.detail.endswith("; a count is a whole number from 0 to 1000000")


def test_any_finite_double_is_a_feature():
    mail = read('"features":{"a":1e308,"b":-0.0,"c":1180591620717411303424,"d":5e-324,"e":-1.7976931348623157e308}')

    assert [value for _, value in mail.features] == [1e308, -0.0, 2**70, 5e-324, -1.7976931348623157e308]


@pytest.mark.parametrize(
    ("features", "detail"),
    [
        (
            '{"size":1' + "0" * 309 + "}",
            "features: 'size' is 1000000000000000000000000000000000000000…; a number is from",
        ),
        ('{"":1}', "features: '' is 1; a name has 1 to 200 characters"),
        ('{"' + "n" * 201 + '":1}', f"features: '{'n' * 80}…' is 1; a name has 1 to 200 characters"),
        (
            '{"lang":"' + "x" * 1001 + '"}',
            "features: 'lang' is \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…; a feature's text is a value of a category",
        ),
        (encode({f"x{i}": i for i in range(10_000)}).decode(), "features: 10000 of them; a message has at most 1000"),
    ],
)
def test_a_feature_beyond_the_limits_is_refused_with_the_limit(features, detail):
    with pytest.raises(BadRecord) as refused:
        read(f'"features":{features}')

    assert refused.value.reason == "bad-feature"
    assert detail in refused.value.detail
    assert len(refused.value.detail) < 300


@pytest.mark.parametrize(
    "fields",
    ['"words":{"x":NaN}', '"words":{"x":Infinity}', '"words":{"x":1e999}', '"words":{"x":"2"}', '"words":{"x":true}',
     '"words":["x"]', '"features":{"x":[1]}', '"features":{"x":NaN}', '"features":{"x":-Infinity}',
     '"features":{"x":1e999}', '"features":{"x":{}}', '"colour":1', '"originator":1',
     '"originator":"' + "x" * 999 + '"'],
)  # fmt: skip
def test_other_values_are_refused_with_the_expected_form_of_a_message(fields):
    with pytest.raises(BadRecord, match=r'; expected \{"id", "text", "words": .*\}') as refused:
        read(fields)

    assert refused.value.reason == "bad-json"


@pytest.mark.parametrize(
    "fields",
    ['"source":"ann","label":"spam","timestamp":"1"', '"source":"ann","label":1,"timestamp":1',
     '"label":"spam","timestamp":1',
     '"source":"ann","label":"spam","timestamp":1,"extra":1', '"source":"ann","label":"spam","timestamp":1e300',
     '"source":"","label":"spam","timestamp":1', '"source":"' + "x" * 999 + '","label":"spam","timestamp":1'],
)  # fmt: skip
def test_other_values_are_refused_with_the_expected_form_of_a_label(fields):
    with pytest.raises(BadRecord, match=r'; expected \{"id", "label": .*\}') as refused:
        decode_label(f'{{"id":"x",{fields}}}'.encode())

    assert refused.value.reason == "bad-json"


def test_a_number_that_json_lacks_is_named_in_the_expected_form():
    with pytest.raises(BadRecord, match=r"name: number \(not NaN\), text, boolean or null"):
        read('"features":{"amount":NaN}')


def test_a_label_that_is_cut_for_the_detail_says_so():
    with pytest.raises(BadRecord, match=f"label '{'x' * 40}…' is not 1 to 100 printable characters"):
        decode_label(encode({"id": "m", "label": "x" * 101, "source": "ann"}))


def test_the_detail_of_an_error_is_short_even_for_long_names():
    with pytest.raises(BadRecord) as refused:
        read('"words":{"' + "n" * 500_000 + '":-1}')

    assert len(refused.value.detail) < 300


@pytest.mark.parametrize("value", [b"Subject: a\n\nb", b'{"id":"x","text":"b"}'])
def test_a_mail_that_meets_a_defect_of_a_parser_is_refused_like_any_other_bad_one(monkeypatch, value):
    """Else one mail would stop a worker at each of its starts."""

    def fail(*arguments, **keywords):
        raise RecursionError("too deep")

    monkeypatch.setattr(messages, "read_mail", fail)
    monkeypatch.setattr(messages, "normalized", fail)
    with pytest.raises(BadRecord, match="RecursionError") as refused:
        read_value(value, "x", "safe")
    assert refused.value.reason == "unreadable"
