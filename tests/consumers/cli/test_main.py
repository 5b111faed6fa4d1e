"""The command line lists its commands, starts quickly, and reports a user error in one line with status 2."""

import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from click.testing import CliRunner

from consumers.cli.main import COMMANDS, cli, main
from consumers.errors import STATUS_RESTART, UserError

SOON = """
from consumers.cli.main import main
from consumers.log.kafka import connection

connection.BOOTSTRAP_MS = 500
main()
"""
"""The program, which waits less for a broker than it usually does."""


def run(*arguments, program=None, **environment):
    return subprocess.run(
        [sys.executable, *(("-m", "consumers") if program is None else ("-c", program)), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.fixture
def run_here(capsys, monkeypatch):
    """Runs the program in this process, in a hundredth of the time that a new process takes to start."""
    monkeypatch.setattr("consumers.runtime.shutdown.stop_on_signals", Event)
    monkeypatch.setattr("consumers.runtime.log_lines.start_logging", lambda name: None)

    def run_here(*arguments, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        return subprocess.CompletedProcess(arguments, ended.value.code, *capsys.readouterr())

    return run_here


def test_help_lists_every_command():
    result = run("--help")

    assert result.returncode == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help(run_here, name):
    result = run_here(name, "--help")

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("Usage:")


def test_help_imports_nothing_heavy():
    """Start-up time is import time: none of the big libraries may be loaded for --help."""
    code = (
        "import sys; from consumers.cli.main import cli; import click; "
        "cli.main(['--help'], standalone_mode=False); "
        "print([m for m in ('numpy', 'numba', 'river', 'kafka', 'starlette', 'sqlite3') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("module", ["consumers", "stream_nb_consumers"])
def test_the_package_runs_under_both_names(tmp_path, module):
    """`consumers` in the repository, `stream_nb_consumers` when installed."""
    command = [sys.executable, "-m", module, "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "100"})

    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("Usage: stream-nb ")


@pytest.mark.parametrize(
    ("arguments", "environment", "named"),
    [
        (("feed", "no/such/path"), {}, "no/such/path"),
        (("evaluate", "no/such/path"), {}, "no/such/path"),
        (("worker", "--log", "ftp:x"), {}, "ftp:x"),
        (("label", "id", "spam", "--log", "sqlite://var/log"), {}, "log 'sqlite://var/log': give sqlite:DIR or kafka"),
        (("worker", "--log", "kafka://h:abc"), {}, "broker 'h:abc': port 'abc' is not a whole number from 1 to 65535"),
        (("worker", "--log", "kafka://h:1,:2"), {}, "broker ':2' has no host; give kafka://host:port"),
        (("report", "--config", "absent.toml"), {}, "absent.toml"),
        (("settings",), {"STREAM_NB_WORKER_POLL": "1"}, "STREAM_NB_WORKER_POLL"),
        (("label", "id", "x" * 101), {}, "stream-nb: label 'xxx"),
        (("label", "b\udce4", "spam"), {}, "'b\\udce4' is not UTF-8"),
        (("label", "id", "b\udce4"), {}, "'b\\udce4' is not UTF-8"),
        (("label", "id", "spam", "--source", "b\udce4"), {}, "'b\\udce4' is not UTF-8"),
        (("label", "id", "spam", "--source", " "), {}, "source ' ' names nobody; give the name of a person"),
        (("label", "id", "spam", "--source", "silence"), {}, "source 'silence' is for labels that nobody gave"),
        (("learn", "--spam", "--source", ""), {}, "source '' names nobody; give the name of a person"),
        (("learn", "--spam", "--source", "b\udce4"), {}, "'b\\udce4' is not UTF-8"),
        (("learn", "--as", "b\udce4"), {}, "'b\\udce4' is not UTF-8"),
        (("learn", "--as", "none"), {}, "'none' means no label and is no class"),
        (("feed", "a.eml", "--label", "none"), {}, "'none' means no label and is no class"),
        (("personal", "mails", "--out", "absent/a.html"), {}, "absent/a.html: name a file in an existing"),
        (("personal", "mails", "--model", "absent/a.snb"), {}, "absent/a.snb: name a file in an existing"),
        (("starter", "mails", "--out", "absent/a.snb"), {}, "absent/a.snb: name a file in an existing"),
        (("study", "all", "mails", "--out", "absent/a.html"), {}, "absent/a.html: name a file in an existing"),
        (("export", "absent/a.csv", "--mails", "mails"), {}, "absent/a.csv: name a file in an existing"),
        (("words", "b\udce4"), {}, "'b\\udce4' is not UTF-8"),
        (("forget",), {}, "--source"),
        (("forget", "--source", "a", "--since", "soon"), {}, "soon"),
        (("forget", "--source", "a", "--since", ""), {}, "--since '' is not an ISO 8601 time"),
        (("dashboard", "--host", "0.0.0.0", "--port", "0"), {}, "STREAM_NB_DASHBOARD_TOKEN"),
        (("dashboard", "--host", "a..b"), {"STREAM_NB_DASHBOARD_TOKEN": "t" * 40}, "a..b:8050: not a host name"),
        (("filter", "--host", "a..b"), {}, "filter a..b:11333: not a host name; choose another --host or --port"),
        (("nonsense",), {}, "nonsense"),
        (("fed",), {}, "Did you mean 'feed'?"),
        (("worker", "--processes", "2"), {}, "SQLite has one partition and therefore one worker"),
        (("feed",), {}, "PATH"),
    ],
)
def test_a_user_error_is_one_line_with_status_2(run_here, tmp_path, arguments, environment, named):
    result = run_here(*arguments, **{"STREAM_NB_LOG": f"sqlite:{tmp_path / 'log'}", **environment})

    assert result.returncode == 2, result.stderr
    assert named in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("lmtp://127.0.0.1:0", "--limit", "3"), "--limit cannot be used with lmtp://: leave it out"),
        (
            ("lmtp://127.0.0.1:0", "--labels", "--apply"),
            "--labels, --apply cannot be used with lmtp://: leave them out",
        ),
        (("imap://a@h/INBOX", "--follow", "--next-hop", "x"), "--follow, --next-hop cannot be used with imap://"),
        (("imaps://a@h/INBOX", "--undo", "--labels"), "leave out --on-spam, --apply, --labels and --classes"),
        (("mails", "--plain"), "--plain cannot be used with a file or folder: leave it out"),
        (("mails", "--follow", "--shuffle", "1", "--rate", "2"), "--shuffle, --rate cannot be used with --follow"),
    ],
)
def test_feed_refuses_options_that_its_source_does_not_have(tmp_path, arguments, error):
    with pytest.raises(UserError, match=re.escape(error)):
        CliRunner().invoke(cli, ["feed", *arguments, "--log", f"sqlite:{tmp_path}/log"], catch_exceptions=False)


def test_the_status_for_an_unreachable_broker_lets_systemd_restart_the_service():
    """After a boot the services may start before the broker; systemd does not restart after status 2."""
    stages = [["worker"], ["filter"], ["dashboard", "--port", "0"], ["feed", "lmtp://127.0.0.1:2424"]]
    with ThreadPoolExecutor(len(stages)) as threads:
        results = list(threads.map(lambda stage: run(*stage, "--log", "kafka://127.0.0.1:1", program=SOON), stages))

    for stage, result in zip(stages, results, strict=True):
        assert result.returncode == STATUS_RESTART, stage
        assert "127.0.0.1:1" in result.stderr and result.stderr.count("\n") == 1, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("explain", "id"),
        ("forget", "--source", "user"),
        ("label", "id", "spam"),
        ("policy", "--threshold", "1"),
        ("report",),
        ("save", "model.snb"),
        ("sources",),
        ("top",),
        ("verify",),
        ("words",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_about_what_is_on_a_log_creates_none(run_here, tmp_path, arguments):
    result = run_here(*arguments, "--log", f"sqlite:{tmp_path / 'typo'}")

    assert result.returncode == STATUS_RESTART, result.stderr
    assert f"sqlite:{tmp_path / 'typo'}: no log is here" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_verify_reports_that_an_empty_log_has_nothing_to_verify(run_here, tmp_path):
    log = f"sqlite:{tmp_path / 'log'}"
    assert run_here("topics", "create", "--log", log).returncode == 0
    result = run_here("verify", "--log", log)

    assert result.returncode == 1, result.stderr
    assert f"nothing to verify: no mail on {log} has been scored and no label learned" in result.stdout
    assert "differences" not in result.stdout


def test_sources_reports_a_model_that_learns_nothing_about_sources(run_here, tmp_path):
    log = f"sqlite:{tmp_path / 'log'}"
    assert run_here("topics", "create", "--log", log).returncode == 0
    assert run_here("sources", "--log", log).stderr == ""
    told = run_here("sources", "--log", log, STREAM_NB_LEARNER_MODEL="gaussian").stderr
    assert "gaussian model learns nothing about the sources" in told


@pytest.mark.parametrize("module", ["signal", "click", "numpy"])
def test_ctrl_c_during_an_import_leaves_no_traceback(tmp_path, module):
    """`signal` is imported first of all, `click` before the command line can catch anything, `numpy` by a command."""
    (tmp_path / f"{module}.py").write_text(f"import os; os.kill(os.getpid(), {signal.SIGINT})\n")
    result = run("evaluate", str(tmp_path), PYTHONPATH=str(tmp_path))

    assert result.returncode in (-signal.SIGINT, 130), result.stderr
    assert "Traceback" not in result.stderr


def test_ctrl_c_waits_for_no_thread_and_leaves_no_folder(tmp_path):
    """A thread may wait for a log that does not answer; the processes of a stage have a folder of Python's."""
    code = """
import multiprocessing.util, threading, time
from consumers.cli import main as command_line

def interrupted(*arguments, **options):
    print("so far")
    raise KeyboardInterrupt

threading.Thread(target=time.sleep, args=(600,)).start()
multiprocessing.util.get_temp_dir()
command_line.cli.main = interrupted
command_line.main([])
"""
    result = run(program=code, TMPDIR=str(tmp_path))
    assert (result.returncode, result.stdout, result.stderr) == (130, "so far\n", "")
    assert list(tmp_path.iterdir()) == []


def test_the_shell_completes_commands_and_options():
    """With click's own variable, as README says; completion for bash can be printed on any machine."""
    for words, index, word in (("stream-nb veri", "1", "verify"), ("stream-nb verify --con", "2", "--config")):
        result = run(_STREAM_NB_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=index)
        assert result.stdout.split() == [f"plain,{word}"]
