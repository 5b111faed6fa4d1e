"""`feed PATH` on files."""

import os
import signal
import sys
from contextlib import contextmanager

import pytest

from consumers.cli import feed_files
from consumers.cli.main import main
from consumers.log import open_log
from consumers.records.heartbeat import HEALTH_PARTITION, read_heartbeat
from consumers.settings import Settings

ENDING = {signal.SIGTERM: lambda *_: None, signal.SIGHUP: lambda *_: None, signal.SIGINT: signal.default_int_handler}


@pytest.mark.parametrize("sent", ENDING)
def test_a_feed_that_is_told_to_end_says_that_it_has_stopped(tmp_path, monkeypatch, sent):
    """Else the page shows it as silent, like one that hangs."""

    @contextmanager
    def end_at_once(total):
        yield lambda mails: os.kill(os.getpid(), sent)

    monkeypatch.setattr(feed_files, "progress_bar", end_at_once)
    monkeypatch.setattr("consumers.cli.main._end_interrupted", lambda: sys.exit(130))
    mail = tmp_path / "a.eml"
    mail.write_bytes(b"Subject: a\n\nb")
    log = f"sqlite:{tmp_path / 'log'}"
    before = {number: signal.signal(number, handler) for number, handler in ENDING.items()}
    try:
        with pytest.raises(SystemExit) as ended:
            main(["feed", str(mail), "--log", log])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

    assert ended.value.code == 130
    with open_log(Settings(log=log)) as opened:
        assert [read_heartbeat(record).stopped for record in opened.scan(HEALTH_PARTITION)][-1]
