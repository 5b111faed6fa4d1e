"""The command `classify`: exit statuses, errors and inputs."""

from __future__ import annotations

import gzip
import importlib.util
import os
import subprocess
import sys
from codecs import BOM_UTF8

import pytest

from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.support.filter_client import ERROR, HAM, SPAM, UNSURE, mbox


def test_the_exit_status_is_the_class(cli, model, tmp_path):
    spam, ham = (tmp_path / label / "0" for label in ("spam", "ham"))

    status, out, _ = cli("classify", "--model", model, spam)
    assert status == SPAM and out.startswith(b"spam ") and b" +0." in out
    assert cli("classify", "--model", model, stdin=ham.read_bytes())[0] == HAM
    assert cli("classify", "--model", model, ham, spam)[0] == SPAM
    assert cli("classify", "--model", model, spam, LEARNER_UNSURE="100")[0] == UNSURE
    nothing = cli("classify", "--model", model, stdin=b"")
    assert nothing[:2] == (UNSURE, b"unknown 0.5000 -: there is nothing to score\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--model", "absent.snb"), "absent.snb does not exist"),
        (("--model", "no file.snb"), "create it with `stream-nb learn --spam PATH --model 'no file.snb'`"),
        (("--model", "{damaged}"), "wrong checksum, damaged or truncated; name another file, or a copy made earlier"),
        (("--model", "{model}", "absent.eml"), "absent.eml"),
        (("--nonsense",), "nonsense"),
        (("--config", "absent.toml"), "absent.toml"),
        (("--model", "{model}", "x" * 300), "cannot read xxx"),
    ],
)
def test_an_error_gives_status_3_without_a_traceback(cli, model, tmp_path, arguments, says):
    damaged = tmp_path / "damaged.snb"
    damaged.write_bytes(model.read_bytes()[:-20])

    status, _, err = cli("classify", *[text.format(model=model, damaged=damaged) for text in arguments])

    assert status == ERROR and says in err and "Traceback" not in err


def test_an_error_that_nobody_has_foreseen_is_not_called_ham(cli, model, monkeypatch):
    """Python's own status for it, 1, would be."""
    monkeypatch.setattr("consumers.filter.model_file.ModelFile.check", lambda self, raw: 1 / 0)

    status, out, err = cli("classify", "--model", model, stdin=b"A: b\n\nx\n")
    assert (status, out) == (ERROR, b"") and "ZeroDivisionError" in err

    status, out, err = cli("classify", "--passthrough", "--model", model, stdin=b"A: b\n\nx\n")
    assert (status, out) == (0, b"A: b\n\nx\n") and "ZeroDivisionError" in err


def test_a_closed_standard_input_is_one_line(model):
    """As some programs start others; Python then has no sys.stdin."""
    for command in (["classify"], ["classify", "--passthrough"], ["learn", "--spam"]):
        done = subprocess.run(
            ["sh", "-c", '"$0" -m consumers "$@" <&-', sys.executable, *command, "--model", str(model)],
            capture_output=True,
        )
        assert done.returncode == (2 if command[0] == "learn" else ERROR)
        assert done.stderr == b"stream-nb: cannot read standard input: it is closed; give a file\n"


def test_each_mail_of_an_mbox_is_classified(cli, model, tmp_path):
    mails = [(tmp_path / label / "1").read_bytes() for label in ("spam", "ham", "spam")]

    status, out, _ = cli("classify", "--model", model, stdin=mbox(*mails))

    assert status == SPAM
    assert [line.split()[0] for line in out.splitlines()] == [b"spam", b"ham", b"spam"]
    assert [line.split()[2] for line in out.splitlines()] == [b"-#1:", b"-#2:", b"-#3:"]
    assert cli("classify", "--model", model, stdin=mbox(*mails).replace(b"\n", b"\r\n"))[1] == out
    assert cli("classify", "--model", model, stdin=BOM_UTF8 + mbox(*mails))[1] == out
    assert cli("classify", "--model", model, stdin=mbox(mails[1]))[0] == HAM


def test_a_line_of_text_that_begins_with_from_makes_no_mbox(cli, model):
    mail = b"From a@b Thu Jan  1 00:00:00 1970\nSubject: a\n\nDear b,\n\nFrom now on we meet at noon.\n"

    out = cli("classify", "--model", model, stdin=mail)[1]
    assert len(out.splitlines()) == 1 and b" -: " in out


def test_an_empty_path_is_refused(cli, model):
    """As of an unset variable in a script."""
    for command in (("classify",), ("learn", "--spam")):
        assert "the path of a mail is empty" in cli(*command, "--model", model, "")[2]


def test_archives_are_refused(cli, model, tmp_path):
    archive = tmp_path / "mails.tar.gz"
    archive.write_bytes(gzip.compress(b"A: b\n\nx\n"))

    for command in (("classify",), ("learn", "--spam")):
        status, out, err = cli(*command, "--model", model, archive)
        assert (status, out) == (ERROR if command == ("classify",) else 2, b"")
        assert err.startswith(f"stream-nb: {archive} is compressed; unpack it and give mails (.eml)")


@pytest.mark.parametrize(
    ("name", "content"), [("a.jsonl", '{"text": "lunch"}\n'), ("a.CSV", "text,label\nlunch,ham\n")]
)
def test_tables_are_refused(cli, model, tmp_path, name, content):
    """As mails, all of their rows would be learned as one mail."""
    table = tmp_path / name
    table.write_text(content)

    for command in (("classify",), ("learn", "--ham")):
        status, out, err = cli(*command, "--model", model, table)
        assert (status, out) == (ERROR if command == ("classify",) else 2, b"")
        assert err.startswith(f"stream-nb: {table} is a table or JSON lines; use `stream-nb feed`, or give mails")


def test_passthrough_keeps_the_mail_and_replaces_forged_fields(cli, model, tmp_path):
    mail = (tmp_path / "spam" / "2").read_bytes()

    status, out, _ = cli("classify", "--passthrough", "--model", model, stdin=b"X-Stream-NB: ham\n" + mail)

    assert status == 0
    assert out.startswith(b"X-Stream-NB: spam; probability=") and out.endswith(mail)
    assert b"X-Stream-NB: ham" not in out


@pytest.mark.parametrize(("mail", "reason"), [(b"", b"EMPTY"), (b"a: b\n\n" + bytes(MAX_MAIL_BYTES), b"TOO_LARGE")])
def test_a_mail_that_cannot_be_scored_has_the_reason_in_its_header(cli, model, mail, reason):
    status, out, _ = cli("classify", "--passthrough", "--model", model, stdin=mail)

    assert status == 0
    assert out.startswith(b"X-Stream-NB: STREAM_NB_" + reason) and out.endswith(mail)


def test_passthrough_takes_one_file_as_one_mail(cli, model, tmp_path):
    path = tmp_path / "box"
    path.write_bytes(mbox(b"Subject: a\n\nb\n", b"Subject: c\n\nd\n"))

    out = cli("classify", "--passthrough", "--model", model, path)[1]
    assert out.split(b"\n")[0] == path.read_bytes().split(b"\n")[0] and out.endswith(b"\n\nd\n\n")
    assert b"\nFrom a@b" in out

    assert cli("classify", "--passthrough", "--model", tmp_path, path)[:2] == (0, path.read_bytes())
    assert cli("classify", "--passthrough", "--model", model, path, path)[0] == ERROR
    assert cli("classify", "--passthrough", "--model", model, tmp_path)[0] == ERROR


def test_passthrough_outputs_the_mail_unchanged_if_the_settings_are_wrong(cli, model, tmp_path):
    mail, wrong = (tmp_path / "spam" / "2").read_bytes(), tmp_path / "wrong.toml"
    wrong.write_text("[filter]\nprot = 1\n")

    for path, says in (
        (tmp_path / "absent.toml", "name an existing TOML file"),
        (wrong, "did you mean [filter] port?"),
    ):
        status, out, err = cli("classify", "--passthrough", "--model", model, "--config", path, stdin=mail)
        assert (status, out) == (0, mail)
        assert "the mail is passed on without a score: settings file" in err and says in err
    assert cli("classify", "--passthrough", "--model", model, stdin=mail, FILTER_PROT="1")[:2] == (0, mail)


def test_numba_is_loaded_only_for_several_mails_and_changes_no_bit(model, tmp_path):
    """For one mail, loading numba takes longer than reading it in plain Python."""
    spam, ham = (str(tmp_path / label / "0") for label in ("spam", "ham"))
    code = (
        "import sys; from consumers.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print('numba' in sys.modules)"
    )

    def run(*arguments: object) -> list[str]:
        command = [sys.executable, "-c", code, *map(str, arguments)]
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.splitlines()

    many, compiled = run("classify", "--model", model, spam, ham), importlib.util.find_spec("numba") is not None
    assert run("classify", "--model", model, spam) == [many[0], "False"]
    assert run("classify", "--model", model, ham) == [many[1], "False"]
    assert many[2] == str(compiled)

    kept, once = model.read_bytes(), b"Subject: never seen\n\nwinner of a fresh meeting"
    new = tmp_path / "new.eml"
    new.write_bytes(once)
    assert run("learn", "--spam", "--model", model, new) == ["1 mail learned as spam", "False"]
    by_python = model.read_bytes()
    model.write_bytes(kept)
    assert run("learn", "--spam", "--model", model, new, new)[-1] == str(compiled)
    assert model.read_bytes() == by_python


def test_escape_characters_in_file_names_are_not_printed(cli, model, tmp_path):
    path = tmp_path / "a\x1b[31m.eml"
    path.write_bytes((tmp_path / "spam" / "0").read_bytes())

    assert "/a⟨U+001B⟩[31m.eml: ".encode() in cli("classify", "--model", model, path)[1]
    assert "/b⟨U+001B⟩[31m.eml: " in cli("classify", "--model", model, tmp_path / "b\x1b[31m.eml")[2]
    assert "/b⟨U+001B⟩[31m.eml: " in cli("learn", "--spam", "--model", model, tmp_path / "b\x1b[31m.eml")[2]
    (tmp_path / "empty\x1b[31m").mkdir()
    assert "no mail: empty⟨U+001B⟩[31m" in cli("feed", "--dry-run", tmp_path)[2]


def test_an_output_that_cannot_be_written_is_an_error(model, tmp_path):
    command = [sys.executable, "-m", "consumers", "classify", "--model", str(model), str(tmp_path / "ham" / "0")]
    read, write = os.pipe()
    os.close(read)
    ended = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)

    assert (ended.returncode, ended.stderr) == (ERROR, "")
