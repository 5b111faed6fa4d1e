"""Links to folders, and mboxes beside those that Thunderbird has indexed; which other files are mail is tested in
`test_folder`, `test_mail_programs` and `test_mbox_folder`.
"""

import pytest

from consumers.ingest.formats import open_source


@pytest.fixture
def corpus(tmp_path):
    """A folder `corpus` with the class ham, and mails outside it."""
    for path in ("corpus/ham/1", "elsewhere/junk/2", "elsewhere/junk/deep/3", "elsewhere/4"):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"mail {file.name}")
    return tmp_path / "corpus"


def mails(root, said):
    return sorted((item.value, item.label) for item in open_source(root, notify=said.append))


def test_a_link_to_a_folder_outside_is_a_folder(corpus, tmp_path):
    (corpus / "spam").symlink_to(tmp_path / "elsewhere" / "junk")
    (corpus / "ham" / "more").symlink_to(tmp_path / "elsewhere")  # without what is read as spam
    said: list[str] = []

    assert mails(corpus, said) == [(b"mail 1", "ham"), (b"mail 2", "spam"), (b"mail 3", "spam"), (b"mail 4", "ham")]
    assert said == []


@pytest.mark.parametrize("target", [".", "ham", "spam", "nowhere", "spam/latest"])
def test_a_link_to_what_is_read_anyway_and_one_to_nothing_are_left_out(corpus, target):
    (corpus / "spam").mkdir()
    (corpus / "spam" / "5").write_text("mail 5")
    (corpus / "spam" / "latest").symlink_to(corpus / target)
    said: list[str] = []

    assert mails(corpus, said) == [(b"mail 1", "ham"), (b"mail 5", "spam")]
    assert said == []


def test_the_mails_of_a_link_to_a_folder_above_are_read_once(corpus, tmp_path):
    (corpus / "spam").symlink_to(tmp_path)

    assert [value for value, _ in mails(corpus, [])] == [b"mail 1", b"mail 2", b"mail 3", b"mail 4"]


def test_a_thunderbird_folder_without_an_index_is_read_beside_those_that_have_one(tmp_path):
    """Thunderbird writes the index when a folder is opened first, and people delete damaged ones."""
    (tmp_path / "Work.sbd").mkdir()
    for place in ("Inbox", "Junk", "Work.sbd/Plans", "Work.sbd/2019"):
        (tmp_path / place).write_text(f"From - \nSubject: {place}\n\nx\n")
    for place in ("Inbox", "Work.sbd/2019"):
        (tmp_path / f"{place}.msf").touch()
    (tmp_path / "filterlog.html").write_text("no mail")

    assert sorted((file.folder, file.label) for file in open_source(tmp_path).files) == [
        ("Inbox", "ham"),
        ("Junk", "spam"),
        ("Work/2019", "ham"),
        ("Work/Plans", "ham"),
    ]
