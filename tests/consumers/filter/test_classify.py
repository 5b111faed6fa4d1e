"""`classify` and `learn`: on a model in a file, and against a running filter."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from consumers.cli.main import main
from consumers.log import open_log
from consumers.model.factory import new_model
from consumers.model.files import put_model, read_model, save_model
from consumers.model.replica import Replica
from consumers.records.setup import open_ready_log
from consumers.settings import LearnerSettings, Settings
from stream_nb import MailNB
from tests.consumers.filter.conftest import PATIENCE_S, fresh

SPAM, HAM, UNSURE, ERROR = 0, 1, 2, 3


@pytest.fixture
def cli(monkeypatch, capfdbinary):
    """A function: run a command with a mail on standard input; its status and output."""

    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> tuple[int, bytes, str]:
        for name, value in environment.items():
            monkeypatch.setenv(f"STREAM_NB_{name}", value)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return int(ended.value.code or 0), out, err.decode()

    return run


@pytest.fixture
def model(tmp_path, cli) -> Path:
    """A model in a file that has learned some mails, one class after the other as people do."""
    path = tmp_path / "my.snb"
    for label in ("spam", "ham"):
        (tmp_path / label).mkdir()
        for number in range(40):
            (tmp_path / label / str(number)).write_bytes(fresh(label).value)
        assert cli("learn", f"--{label}", "--model", path, tmp_path / label)[0] == 0
    return path


def mbox(*mails: bytes) -> bytes:
    return b"".join(b"From a@b Mon Jan  1 00:00:00 2024\n" + mail.rstrip(b"\n") + b"\n\n" for mail in mails)


# A model in a file


def test_the_status_is_the_answer(cli, model, tmp_path):
    spam, ham = (tmp_path / label / "0" for label in ("spam", "ham"))

    status, out, _ = cli("classify", "--model", model, spam)
    assert status == SPAM and out.startswith(b"spam ") and b" +0." in out
    assert cli("classify", "--model", model, stdin=ham.read_bytes())[0] == HAM
    assert cli("classify", "--model", model, ham, spam)[0] == SPAM
    assert cli("classify", "--model", model, spam, LEARNER_UNSURE="100")[0] == UNSURE
    assert cli("classify", "--model", model, stdin=b"")[0] == UNSURE


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--model", "absent.snb"), "absent.snb does not exist"),
        (("--model", "{damaged}"), "damaged"),
        (("--model", "{model}", "absent.eml"), "absent.eml"),
        (("--nonsense",), "nonsense"),
        (("--config", "absent.toml"), "absent.toml"),
    ],
)
def test_a_mistake_is_status_3_and_one_line(cli, model, tmp_path, arguments, says):
    damaged = tmp_path / "damaged.snb"
    damaged.write_bytes(model.read_bytes()[:-20])

    status, _, err = cli("classify", *[text.format(model=model, damaged=damaged) for text in arguments])

    assert status == ERROR and says in err and "Traceback" not in err


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli", "mixed"])
def test_a_file_may_hold_any_model_of_words(cli, tmp_path, name):
    """The file that `learn` begins has the model of the settings, and keeps it whatever they say later."""
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
        assert f"{path}: the {name} model reads no words, so it can say nothing of mail" in err
    status, _, err = cli("learn", "--spam", "--model", tmp_path / "new", stdin=b"Subject: a\n\nb", LEARNER_MODEL=name)
    assert status == 2 and "set [learner] model to mail, multinomial, boolean, bernoulli or mixed" in err


def test_an_mbox_is_many_mails(cli, model, tmp_path):
    mails = [(tmp_path / label / "1").read_bytes() for label in ("spam", "ham", "spam")]

    status, out, _ = cli("classify", "--model", model, stdin=mbox(*mails))

    assert status == SPAM
    assert [line.split()[0] for line in out.splitlines()] == [b"spam", b"ham", b"spam"]
    assert cli("classify", "--model", model, stdin=mbox(mails[1]))[0] == HAM


def test_passthrough_keeps_the_mail_and_replaces_forged_fields(cli, model, tmp_path):
    mail = (tmp_path / "spam" / "2").read_bytes()

    status, out, _ = cli("classify", "--passthrough", "--model", model, stdin=b"X-Stream-NB: ham\n" + mail)

    assert status == 0
    assert out.startswith(b"X-Stream-NB: spam; probability=") and out.endswith(mail)
    assert b"X-Stream-NB: ham" not in out


def test_passthrough_is_for_one_mail_as_it_stands(cli, model, tmp_path):
    path = tmp_path / "box"
    path.write_bytes(mbox(b"Subject: a\n\nb\n", b"Subject: c\n\nd\n"))

    out = cli("classify", "--passthrough", "--model", model, path)[1]
    assert out.split(b"\n")[0] == path.read_bytes().split(b"\n")[0] and out.endswith(b"\n\nd\n\n")
    assert b"\nFrom a@b" in out

    assert cli("classify", "--passthrough", "--model", model, path, path)[0] == ERROR
    assert cli("classify", "--passthrough", "--model", model, tmp_path)[0] == ERROR


def test_forgetting_gives_the_old_file_byte_for_byte(cli, model):
    before, mail = model.read_bytes(), fresh("ham").value

    assert b"1 mail learned as spam" in cli("learn", "--spam", "--model", model, stdin=mail)[1]
    assert model.read_bytes() != before
    assert b"1 mail forgotten" in cli("learn", "--forget", "--model", model, stdin=mail)[1]
    assert model.read_bytes() == before

    assert b"1 not: never learned" in cli("learn", "--forget", "--model", model, stdin=mail)[1]


def test_a_changed_mind_leaves_no_trace(cli, model, tmp_path):
    twin, mail = tmp_path / "twin.snb", fresh("ham").value
    twin.write_bytes(model.read_bytes())

    for label in ("--spam", "--spam", "--ham"):
        cli("learn", label, "--model", model, stdin=mail)
    cli("learn", "--as", "ham", "--model", twin, stdin=mail)

    assert model.read_bytes() == twin.read_bytes()


def test_the_file_is_private_and_is_a_model_like_any_other(cli, model, tmp_path):
    assert model.stat().st_mode & 0o777 == 0o600
    assert MailNB.from_bytes(model.read_bytes()).labels_learned == 80

    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    with open_ready_log(settings, notify=print) as log:
        put_model(log, read_model(model, settings.learner))
    with open_log(settings) as log:
        assert Replica.load(log, settings).model.labels_learned == 80


def test_a_write_that_fails_leaves_the_old_file_alone(cli, model, monkeypatch):
    before = model.read_bytes()
    beside = sorted(model.parent.iterdir())

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    status, _, err = cli("learn", "--spam", "--model", model, stdin=fresh("spam").value)

    assert status == 2 and "No space left" in err
    assert model.read_bytes() == before and sorted(model.parent.iterdir()) == beside


def test_learners_at_once_lose_nothing(tmp_path):
    path = tmp_path / "my.snb"
    command = [sys.executable, "-m", "consumers", "learn", "--ham", "--model", str(path)]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) for _ in range(3)]
    for process in started:
        process.stdin.write(fresh("ham").value)
        process.stdin.close()

    assert [process.wait(PATIENCE_S) for process in started] == [0, 0, 0]
    assert MailNB.from_bytes(path.read_bytes()).labels_learned == 3


@pytest.mark.parametrize("options", [(), ("--spam", "--ham"), ("--spam", "--forget"), ("--ham", "--as", "work")])
def test_learn_takes_exactly_one_label(cli, options):
    status, _, err = cli("learn", *options, stdin=b"Subject: hi\n\nhello")

    assert status == 2 and "--forget" in err


# A running filter


def test_a_running_filter_is_asked_and_taught(cli, mail_filter):
    port = str(mail_filter.port)
    spam, ham = fresh("spam").value, fresh("ham").value

    assert cli("classify", stdin=spam, FILTER_PORT=port)[0] == SPAM
    assert cli("classify", stdin=ham, FILTER_PORT=port)[0] == HAM

    status, marked, _ = cli("classify", "--passthrough", stdin=ham, FILTER_PORT=port)
    message_id = marked.split(b"X-Stream-NB-Id: ")[1].split(b"\n")[0].decode()
    assert status == 0 and marked.endswith(ham)

    assert b"1 mail learned as work" in cli("learn", "--as", "work", "--source", "ann", stdin=marked)[1]
    assert b"1 mail forgotten" in cli("learn", "--forget", "--source", "ann", stdin=marked)[1]
    labels = [(label.id, label.label, label.source, label.forget) for label in mail_filter.labels()[-2:]]
    assert labels == [(message_id, "work", "ann", False), (message_id, None, "ann", True)]


def test_the_password_comes_from_the_environment(cli, filter_on):
    server = filter_on(trained=False, password="secret")
    mail = fresh("spam").value

    status, _, err = cli("learn", "--spam", stdin=mail, FILTER_PORT=str(server.port))
    assert status == 2 and "password" in err

    assert cli("learn", "--spam", stdin=mail, FILTER_PASSWORD="secret")[0] == 0
    assert [label.label for label in server.labels()] == ["spam"]


def test_a_mail_passes_through_though_no_filter_answers(cli, free_port):
    mail = fresh("spam").value

    status, out, err = cli("classify", "--passthrough", stdin=mail, FILTER_PORT=str(free_port))

    assert (status, out) == (0, mail)
    assert "stream-nb filter" in err
    assert cli("classify", stdin=mail)[0] == ERROR


def test_asking_a_filter_loads_nothing_that_takes_long(mail_filter):
    code = (
        "import sys; from consumers.cli.main import main\n"
        "try: main(['classify'])\n"
        "except SystemExit as ended: status = ended.code\n"
        "print(status, [m for m in ('numpy', 'numba', 'river', 'sqlite3', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=fresh("spam").value,
        capture_output=True,
        env={**os.environ, "STREAM_NB_FILTER_PORT": str(mail_filter.port)},
        check=True,
    )

    assert done.stdout.splitlines()[-1] == b"0 []"
