"""A mail in two folders counts once where mails are split at random; `evaluate`, where each counts, says so."""

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.ingest.copies import Copies
from consumers.ingest.feeder import Item
from consumers.ingest.formats import open_source
from consumers.studies.corpus import load


@pytest.fixture
def mailbox(tmp_path):
    """30 mails of each class, each in two folders, and one of the ham also in the trash."""
    for folder, word in (("INBOX", "meeting"), ("Archive", "meeting"), ("Junk", "money"), ("Junk/old", "money")):
        (tmp_path / folder).mkdir()
        for number in range(30):
            (tmp_path / folder / f"{number}.eml").write_text(f"Message-ID: <{word}{number}@x>\n\n{word} {number}\n")
    (tmp_path / "Trash").mkdir()
    (tmp_path / "Trash/0.eml").write_bytes((tmp_path / "INBOX/0.eml").read_bytes())
    return tmp_path


def test_a_labelled_mail_with_the_id_of_an_earlier_one_is_a_copy():
    items = [Item("a", b"1", None), Item("a", b"2", "ham"), Item("b", b"", "ham"), Item("a", b"3", "spam")]
    watching, leaving = Copies(), Copies()
    assert list(watching.watch(items)) == items
    assert list(leaving.leave_out(items)) == items[:3]
    assert watching.count == leaving.count == 1


def test_copies_are_not_in_both_training_and_test(mailbox):
    mails, about = load(open_source(mailbox), "a mailbox")
    assert len(mails) == 60
    assert about.endswith("at a mailbox; left out: 1 without a label, 60 as copies of others.")
    assert len(load(open_source(mailbox), "a mailbox", limit=40).mails) == 40


def test_evaluate_counts_copies_and_says_so(mailbox):
    ran = CliRunner().invoke(cli, ["evaluate", str(mailbox), "--shuffle", "0"])
    assert ran.stdout.startswith("mails       120 ")
    assert "note: 60 of these mails are copies of others, in all figures; on a log each mail counts once" in ran.stderr
