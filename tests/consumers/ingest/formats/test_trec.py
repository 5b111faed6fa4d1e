import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "full").mkdir()
    for number in range(1, 4):
        (tmp_path / "data" / f"inmail.{number}").write_bytes(b"mail %d" % number)
    (tmp_path / "full" / "index").write_text("spam ../data/inmail.2\nham ../data/inmail.1\n\nSpam ../data/inmail.3\n")
    return tmp_path


@pytest.mark.parametrize("path", [".", "full/index"])
def test_order_and_labels_come_from_the_index(corpus, path):
    source = open_source(corpus / path)

    assert [(item.value, item.label) for item in source] == [
        (b"mail 2", "spam"),
        (b"mail 1", "ham"),
        (b"mail 3", "Spam"),
    ]
    assert (source.total, source.about) == (3, "TREC index")
    assert [item.label for item in open_source(corpus / path, classes="[Ss]pam=bad,*=good")] == ["bad", "good", "bad"]
    orders = {tuple(item.value for item in open_source(corpus / path, shuffle=seed)) for seed in range(9)}
    assert len(orders) > 1 and {tuple(sorted(order)) for order in orders} == {(b"mail 1", b"mail 2", b"mail 3")}


def test_an_invalid_line_is_named(corpus):
    (corpus / "full" / "index").write_text("spam ../data/inmail.2\nham\n")

    with pytest.raises(UserError, match=r"index line 2: 'ham' is not 'LABEL PATH'"):
        open_source(corpus / "full" / "index")


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("spam ../data/in\0mail.1", r"line 2: 'spam ../data/in\\x00mail.1' is not 'LABEL PATH'"),
        ("(none) ../data/inmail.1", r"line 2: label '\(none\)' is not 1 to 100 printable"),
        ("h" * 101 + " ../data/inmail.1", "line 2: label 'h{40}…' is not 1 to 100 printable"),
    ],
)
def test_a_label_that_no_record_may_have_and_a_path_that_no_file_has_are_named(corpus, line, error):
    (corpus / "full" / "index").write_text(f"spam ../data/inmail.2\n{line}\n")

    with pytest.raises(UserError, match=error):
        open_source(corpus / "full" / "index")


def test_rules_name_the_classes_of_labels_that_no_record_may_have(corpus):
    (corpus / "full" / "index").write_text("unsure ../data/inmail.2\nspam ../data/inmail.1\n")

    assert [item.label for item in open_source(corpus, classes="unsure=ham,*=spam")] == ["ham", "spam"]


def test_a_missing_mail_is_named(corpus):
    (corpus / "data" / "inmail.1").unlink()

    with pytest.raises(UserError, match=r"inmail\.1: No such file"):
        list(open_source(corpus))


@pytest.mark.parametrize("line", ["Subject: hello\n", "spam ../data/none\n", "spam\n", "spam \0\n", "a " + 300 * "x"])
def test_other_files_are_not_an_index(tmp_path, line):
    path = tmp_path / "file"
    path.write_text(line + "\ntext\n")

    assert open_source(path).about == "one mail"
