"""What a JSON message may hold, and the errors for one that holds something else."""

import pytest

from consumers.errors import BadRecord
from consumers.records.messages import read_value
from stream_nb.types import Mail, Part


def read(fields: str) -> Mail:
    return read_value(f'{{"id":"x",{fields}}}'.encode(), "x", "safe").mail


def test_text_counts_and_named_texts_make_one_mail():
    mail = read('"text":"win now","words":{"b":2,"a":3.0,"none":0},"features":{"lang":"en"}')

    assert mail.parts == (Part("lang", b"en"), Part("", b"win now"))
    assert mail.words == (("a", 3), ("b", 2), ("none", 0))


@pytest.mark.parametrize("count", ["1.617", "-0.9", "-1", "1000001", "1e300", "12345678901234567890123"])
def test_a_number_that_is_no_count_is_refused_with_what_a_count_is(count):
    with pytest.raises(BadRecord) as refused:
        read(f'"words":{{"free":2,"size":{count}}}')

    assert refused.value.reason == "bad-count"
    assert refused.value.detail.startswith("words: 'size' is ")
    assert refused.value.detail.endswith("; a count is a whole number from 0 to 1000000")


@pytest.mark.parametrize("value", ["1.617", "52341", "true", "null"])
def test_a_feature_that_is_no_text_is_refused_with_what_is_accepted(value):
    with pytest.raises(BadRecord) as refused:
        read(f'"features":{{"size":{value}}}')

    assert refused.value.reason == "bad-feature"
    assert refused.value.detail == f"features: 'size' is {value}; a feature is text; counts of words go to \"words\""


@pytest.mark.parametrize(
    "fields",
    ['"words":{"x":NaN}', '"words":{"x":Infinity}', '"words":{"x":1e999}', '"words":{"x":"2"}', '"words":{"x":true}',
     '"words":["x"]', '"features":{"x":[1]}', '"features":{"x":NaN}', '"colour":1'],
)  # fmt: skip
def test_other_values_are_no_message_and_the_form_of_one_is_named(fields):
    with pytest.raises(BadRecord, match=r'; expected is \{"id", "text", "words": .*\}') as refused:
        read(fields)

    assert refused.value.reason == "bad-json"


def test_a_detail_is_short_however_long_the_names():
    with pytest.raises(BadRecord) as refused:
        read('"words":{"' + "n" * 500_000 + '":-1}')

    assert len(refused.value.detail) < 300
