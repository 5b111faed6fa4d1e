"""Model files of `classify` and `learn`: any model of words, private, and never half written."""

from __future__ import annotations

import subprocess
import sys

import pytest

from consumers.filter.model_file import write_new
from consumers.log import open_log
from consumers.model.factory import new_model
from consumers.model.files import put_model, read_model, save_model
from consumers.model.replica import Replica
from consumers.records.messages import read_value
from consumers.records.setup import open_ready_log
from consumers.settings import LearnerSettings, Settings
from stream_nb import MailNB
from tests.consumers.filter.conftest import PATIENCE_S, fresh
from tests.support.filter_client import ERROR, HAM, SPAM, mbox


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli", "mixed"])
def test_a_file_may_hold_any_model_of_words(cli, tmp_path, name):
    """`learn` creates a file with the model of the settings; later settings do not change the model of the file."""
    path = tmp_path / "my.snb"
    mails = {label: [fresh(label).value for _ in range(20)] for label in ("spam", "ham")}
    for label, raw in mails.items():
        box = tmp_path / label
        box.write_bytes(mbox(*raw))
        assert cli("learn", f"--{label}", "--model", path, box, LEARNER_MODEL=name)[0] == 0

    assert cli("classify", "--model", path, stdin=mails["spam"][0], LEARNER_MODEL="mail")[0] == SPAM
    assert cli("classify", "--model", path, stdin=mails["ham"][0], LEARNER_MODEL="gaussian")[0] == HAM
    kept, mail = path.read_bytes(), fresh("ham").value
    assert b"1 mail learned" in cli("learn", "--spam", "--model", path, stdin=mail)[1]
    assert b"1 mail forgotten" in cli("learn", "--forget", "--model", path, stdin=mail)[1]
    assert path.read_bytes() == kept

    settings = Settings(log=f"sqlite:{tmp_path / 'log'}", learner=LearnerSettings(model=name))
    with open_ready_log(settings, notify=print) as log:
        put_model(log, read_model(path, settings.learner))
        replica = Replica.load(log, settings)
        save_model(log, settings, tmp_path / "saved.snb")
    assert replica.model is not None and replica.model.labels_learned == 40
    assert cli("classify", "--model", tmp_path / "saved.snb", stdin=mails["spam"][0])[0] == SPAM


@pytest.mark.parametrize("name", ["categorical", "gaussian"])
def test_a_model_that_reads_no_words_is_refused(cli, tmp_path, name):
    path = tmp_path / "my.snb"
    path.write_bytes(new_model(LearnerSettings(model=name)).to_bytes())

    for command in (("classify",), ("learn", "--spam")):
        status, _, err = cli(*command, "--model", path, stdin=fresh("spam").value, LEARNER_MODEL="mail")
        assert status in (2, ERROR) and err.count("\n") == 1
        assert f"{path}: the {name} model does not read words, so it cannot score mail" in err
    status, _, err = cli("learn", "--spam", "--model", tmp_path / "new", stdin=b"Subject: a\n\nb", LEARNER_MODEL=name)
    assert status == 2 and "set [learner] model to mail, multinomial, boolean, bernoulli or mixed" in err


def test_forgetting_restores_the_file_byte_for_byte(cli, model):
    before, mail = model.read_bytes(), fresh("ham").value

    assert b"1 mail learned as spam" in cli("learn", "--spam", "--model", model, stdin=mail)[1]
    assert model.read_bytes() != before
    assert b"1 mail forgotten" in cli("learn", "--forget", "--model", model, stdin=mail)[1]
    assert model.read_bytes() == before

    assert b"1 not: never learned" in cli("learn", "--forget", "--model", model, stdin=mail)[1]


def test_of_too_many_labels_the_latest_can_be_withdrawn(cli, tmp_path, monkeypatch):
    monkeypatch.setattr("consumers.filter.model_file.MAX_UPDATES", 2)
    path, mails = tmp_path / "my.snb", [b"Subject: lunch %d\n\nat noon\n" % number for number in range(3)]

    def withdrawn() -> list[bool]:
        ends = [cli("learn", "--forget", "--model", path, stdin=mail)[1] for mail in mails]
        return [end.startswith(b"1 mail forgotten") for end in ends]

    for mail in mails:
        cli("learn", "--ham", "--model", path, stdin=mail)
    assert withdrawn() == [False, True, True]

    path.unlink()
    model, learned = MailNB(), []
    for mail in (read_value(mail, "-", "keep").mail for mail in mails):
        learned.append((mail, model.grade(mail, "ham")))
        model.apply_update(*learned[-1])
    write_new(path, model, 0.0, learned)
    assert withdrawn() == [False, True, True]


def test_each_new_file_hashes_with_its_own_secret_and_trusts_its_owner(cli, tmp_path):
    """Who labels one class after the other would look unreliable."""
    for name in ("one", "other"):
        cli("learn", "--ham", "--model", tmp_path / name, stdin=fresh("ham").value)
    one, other = (MailNB.from_bytes((tmp_path / name).read_bytes()) for name in ("one", "other"))

    assert one.key != other.key
    assert not one.trust


@pytest.mark.parametrize(("name", "shown"), [("", ""), ("x" * 101, "x" * 40 + "…")])
def test_a_class_that_no_log_accepts_is_refused(cli, tmp_path, name, shown):
    """`load` could not start a log from the file."""
    status, _, err = cli("learn", "--as", name, "--model", tmp_path / "my.snb", stdin=fresh("ham").value)

    assert status == 2 and err.startswith(f"stream-nb: class '{shown}' is not ")
    assert not (tmp_path / "my.snb").exists()


def test_forgetting_makes_no_new_file(cli, tmp_path):
    status, _, err = cli("learn", "--forget", "--model", tmp_path / "typo.snb", stdin=fresh("ham").value)

    assert status == 2 and "typo.snb does not exist, so it has no mails to forget" in err
    assert list(tmp_path.glob("typo*")) == []


@pytest.mark.parametrize("mail", [b"", b"Subject: lunch\n\nat noon\n"])
def test_a_file_that_does_not_change_is_not_written(cli, model, tmp_path, mail):
    cli("learn", "--ham", "--model", model, stdin=mail)
    before = model.stat()

    assert b"1 not: already known" in cli("learn", "--ham", "--model", model, stdin=mail)[1]
    assert (model.stat().st_ino, model.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert b"0 mails learned" in cli("learn", "--ham", "--model", tmp_path / "new.snb", stdin=b"")[1]
    assert not (tmp_path / "new.snb").exists()


def test_a_changed_label_gives_the_file_that_the_last_label_alone_gives(cli, model, tmp_path):
    twin, mail = tmp_path / "twin.snb", fresh("ham").value
    twin.write_bytes(model.read_bytes())

    for label in ("--spam", "--spam", "--ham"):
        cli("learn", label, "--model", model, stdin=mail)
    cli("learn", "--as", "ham", "--model", twin, stdin=mail)

    assert model.read_bytes() == twin.read_bytes()


def test_a_mail_is_the_same_with_other_line_endings_and_in_an_mbox(cli, model, tmp_path):
    """A mail program pipes a mail with LF, saves it with CRLF, and an mbox ends it with an empty line."""
    kept, mail = model.read_bytes(), b"Subject: lunch\n\nat noon\nin the canteen\n"
    others = {"crlf": mail.replace(b"\n", b"\r\n"), "mbox": b"From a@b Mon Jan  1 10:00:00 2024\n" + mail + b"\n"}
    for name, raw in others.items():
        assert b"1 mail learned" in cli("learn", "--ham", "--model", model, stdin=mail)[1]
        assert b"1 mail learned" in cli("learn", "--spam", "--model", model, stdin=raw)[1], name
        assert b"already known" in cli("learn", "--spam", "--model", model, stdin=mail)[1], name
        assert b"1 mail forgotten" in cli("learn", "--forget", "--model", model, stdin=mail)[1]
        assert model.read_bytes() == kept


def test_the_file_is_private_and_can_be_loaded_into_a_log(cli, model, tmp_path):
    assert model.stat().st_mode & 0o777 == 0o600
    assert MailNB.from_bytes(model.read_bytes()).labels_learned == 80

    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    with open_ready_log(settings, notify=print) as log:
        put_model(log, read_model(model, settings.learner))
    with open_log(settings) as log:
        assert Replica.load(log, settings).model.labels_learned == 80


def test_whether_a_file_counts_n_grams_does_not_depend_on_the_settings(cli, model, tmp_path):
    file, mail = tmp_path / "grams.snb", fresh("ham").value
    file.write_bytes(MailNB(grams=True).to_bytes())

    assert b"1 mail learned as ham" in cli("learn", "--ham", "--model", file, stdin=mail)[1]
    assert b"1 mail learned as spam" in cli("learn", "--spam", "--model", file, stdin=fresh("spam").value)[1]
    assert MailNB.from_bytes(file.read_bytes()).grams
    assert cli("classify", "--model", file, stdin=mail)[1].startswith(b"ham ")


def test_a_failed_write_leaves_the_old_file_unchanged(cli, model, monkeypatch):
    before = model.read_bytes()
    beside = sorted(model.parent.iterdir())

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    status, _, err = cli("learn", "--spam", "--model", model, stdin=fresh("spam").value)

    assert status == 2 and "No space left" in err
    assert model.read_bytes() == before and sorted(model.parent.iterdir()) == beside


def test_a_link_to_a_model_file_stays_a_link(cli, tmp_path):
    """People keep such files in a folder that is synchronised, with a link at the place that programs name."""
    kept, link = tmp_path / "kept" / "my.snb", tmp_path / "my.snb"
    kept.parent.mkdir()
    link.symlink_to(kept)
    for path in (link, kept):
        assert cli("learn", "--ham", "--model", path, stdin=fresh("ham").value)[0] == 0

    assert link.is_symlink() and MailNB.from_bytes(kept.read_bytes()).labels_learned == 2
    assert [file.name for file in tmp_path.glob("**/*.lock")] == ["my.snb.lock"]  # one for both names


def test_concurrent_learn_commands_lose_no_mail(tmp_path):
    path = tmp_path / "my.snb"
    command = [sys.executable, "-m", "consumers", "learn", "--ham", "--model", str(path)]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) for _ in range(3)]
    for process in started:
        process.stdin.write(fresh("ham").value)
        process.stdin.close()

    assert [process.wait(PATIENCE_S) for process in started] == [0, 0, 0]
    assert MailNB.from_bytes(path.read_bytes()).labels_learned == 3


def test_folders_whose_names_contradict_the_label_are_reported(cli, tmp_path, monkeypatch):
    maildir = tmp_path / "Maildir"
    for number, folder in enumerate((maildir, maildir / ".Junk", maildir / ".Work", tmp_path / "easy-ham")):
        for part in ("cur", "new", "tmp"):
            (folder / part).mkdir(parents=True)
        (folder / "cur" / "1:2,S").write_bytes(b"Subject: %d\n\nhello" % number)
    model = ("--model", tmp_path / "m.snb")

    status, out, err = cli("learn", "--ham", *model, maildir)
    assert (status, out) == (0, b"3 mails learned as ham\n")
    assert err.splitlines()[-1] == (
        f"note: {maildir}: the mails in Junk should be spam by name, but the label is ham; "
        "if that is wrong, `stream-nb learn --forget` takes it back"
    )
    assert f"{tmp_path / 'easy-ham'} should be ham by name" in cli("learn", "--spam", *model, tmp_path / "easy-ham")[2]
    for right in (("--forget", maildir), ("--spam", maildir / ".Junk"), ("--ham", tmp_path / "easy-ham")):
        assert "by name" not in cli("learn", right[0], *model, right[1])[2]
    monkeypatch.chdir(tmp_path / "easy-ham")
    assert ". should be ham by name" in cli("learn", "--spam", *model, ".")[2]


def test_files_of_a_folder_that_are_left_out_are_reported(cli, tmp_path):
    for path, content in (
        ("Junk/1.eml", b"Subject: a\n\nb\n"),
        ("Trash/2.eml", b"Subject: c\n\nd\n"),
        ("Junk/3.eml", b""),
    ):
        (tmp_path / "mail" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mail" / path).write_bytes(content)
    model = ("--model", tmp_path / "m.snb")
    left_out = ["note: 1 file holds no mail and is left out: Junk/3.eml"]  # and no note about --classes

    learned = cli("learn", "--spam", *model, tmp_path / "mail")
    assert learned[1] == b"2 mails learned as spam\n" and learned[2].splitlines() == left_out
    assert cli("classify", *model, tmp_path / "mail")[2].splitlines() == left_out
