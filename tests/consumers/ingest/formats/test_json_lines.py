import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.records.messages import read_value
from stream_nb.types import Part


def lines(tmp_path, *texts: str):
    path = tmp_path / "mails.jsonl"
    path.write_bytes("\n".join(texts).encode("latin-1") + b"\n")
    return path


def test_text_features_and_labels_are_read(tmp_path):
    source = open_source(
        lines(
            tmp_path,
            '{"id": "1", "text": "win money", "label": "spam", "words": {"size": 3}, "features": {"lang": "en"}, '
            '"originator": "news@example.org"}',
            "",
            '{"id": "2", "text": "lunch"}',
        )
    )

    items = list(source)
    assert [(item.id, item.label) for item in items] == [("1", "spam"), ("2", None)]
    message = read_value(items[0].value, "1", "safe")
    assert message.mail.parts == (Part("", b"win money"),)
    assert message.mail.features == (("lang", "en"),)
    assert message.mail.words == (("size", 3),)
    assert message.mail.originator == "news@example.org"
    assert source.about == "JSON lines"
    assert {item.id for item in open_source(tmp_path / "mails.jsonl", shuffle=0)} == {"1", "2"}


def test_the_order_of_words_and_features_does_not_change_the_id(tmp_path):
    """Nor, in a table, that of the columns."""
    rows = (
        '{"words": {"a": 1, "b": 2}, "features": {"c": 3, "d": 4}}',
        '{"features": {"d": 4, "c": 3}, "words": {"b": 2, "a": 1}}',
    )
    one, other = (item.id for item in open_source(lines(tmp_path, *rows)))
    assert one == other
    tables = ("c,d,label\n1,2,x\n", "d,label,c\n2,x,1\n")
    ids = set()
    for text in tables:
        (tmp_path / "t.csv").write_text(text)
        ids |= {item.id for item in open_source(tmp_path / "t.csv")}
    assert len(ids) == 1


def test_without_an_id_the_id_is_a_hash_of_the_content(tmp_path):
    path = lines(tmp_path, '{"text": "a"}', '{"text": "a", "label": "ham"}', '{"text": "b"}')

    a, again, b = (item.id for item in open_source(path))
    assert a == again != b and a.startswith("sha256:")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1}', r"line 2: Expected `str`, got `int` - at `\$.id`; expected one object on each line, with"),
        ('{"id": "x", "colour": 1}', "line 2: .*unknown field `colour`; .*, or a table with its --label-column"),
        ('{"id": "x"', "line 2: Input data was truncated; expected [^;]*$"),
        ('"x"', "line 2: Expected `object`"),
        ('{"text": "gr\xfc\xdfe"}', "line 2: "),
        ('{"label": ""}', "line 2: label .* is not 1 to 100"),
        ('{"id": "' + "x" * 999 + '"}', "line 2: id 'x{40}' is not at most 998 printable"),
        ('{"id": "\\u001b[31m"}', r"line 2: id '\\x1b\[31m' is not at most 998 printable"),
        ('{"words": {"x": -0.9}}', "line 2: words: 'x' is -0.9; a count is a whole number from 0 to 1000000"),
        ('{"features": {"": 1.617}}', "line 2: features: '' is 1.617; a name has 1 to 200 characters"),
        ('{"words": {"x": NaN}}', "line 2: .*expected one object.*; JSON has no NaN"),
        ('{"words": {"x": "NaN"}}', r"line 2: Expected `int \| float`, got `str`[^;]*; [^;]*$"),
        ('{"id": 1, "text": "Re: Infinity pools"}', r"line 2: Expected `str`, got `int`[^;]*; [^;]*$"),
        ('{"text": "' + "x" * 1_000_001 + '"}', "line 2: more than 1000000 bytes"),
    ],
)
def test_an_invalid_line_is_named(tmp_path, line, message):
    path = lines(tmp_path, '{"id": "' + "x" * 998 + '"}', line)

    with pytest.raises(UserError, match=f"mails.jsonl {message}"):
        list(open_source(path))


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ('[{"text": "x"}]', r"jq -c \.\[\]"),
        (f'[{{"text": "{"x" * 1_000_000}"}}]', r"jq -c \.\[\]"),
        ('{\n "text": "x"\n}', r"jq -c \."),
    ],
)
def test_for_other_json_a_program_is_named_that_converts_it(tmp_path, text, program):
    path = tmp_path / "mails.json"
    path.write_text(text)

    with pytest.raises(UserError, match=f"mails.json line 1: .*; `{program}` converts this file"):
        list(open_source(path))
