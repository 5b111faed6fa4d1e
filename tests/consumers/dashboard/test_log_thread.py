"""LogThread: runs work on a log in a thread of its own, which opens the log on first use."""

import asyncio
import socket
import subprocess
import sys
import threading

import pytest

from consumers.dashboard import log_thread
from consumers.dashboard.log_thread import LogThread
from consumers.errors import BadRecord, LogUnavailable, MissingRight, Restart
from consumers.explain.explainer import Explainer
from tests.support.own_loop import run_coroutine


class OpenedLog:
    """A log that records the thread that opened it, and whether it was closed."""

    def __init__(self):
        self.thread, self.closed = threading.current_thread().name, False

    def close(self):
        assert threading.current_thread().name == self.thread
        self.closed = True


def counted_logs():
    """The logs opened so far, and a function that opens one."""
    opened = []

    def open_log():
        opened.append(OpenedLog())
        return opened[-1]

    return opened, open_log


def test_the_log_is_opened_once_in_the_thread_and_closed_there():
    opened, open_log = counted_logs()

    async def ask():
        thread = LogThread("asked", open_log, lambda log: [log])
        assert opened == []
        owners = await asyncio.gather(
            *(thread.run(lambda owner: (owner, threading.current_thread().name)) for _ in "abc")
        )
        thread.close()
        return owners

    owners = run_coroutine(ask())

    assert len(opened) == 1 and opened[0].closed
    assert all(owner is owners[0][0] and owner == opened for owner, _ in owners)
    assert {name for _, name in owners} == {opened[0].thread} != {threading.current_thread().name}


def test_an_exception_in_the_thread_is_raised_in_the_caller():
    async def ask():
        thread = LogThread("asked", OpenedLog, lambda log: log)
        try:
            await thread.run(lambda owner: 1 / 0)
        finally:
            thread.close()

    with pytest.raises(ZeroDivisionError):
        run_coroutine(ask())


def test_closing_does_not_wait_for_endless_work():
    """Runs in a new process, which could not end if it waited for the thread."""
    program = (
        "import asyncio, threading\n"
        "from consumers.dashboard import log_thread\n"
        "log_thread.CLOSE_S = 0.1\n"
        "thread = log_thread.LogThread('endless', lambda: None, lambda log: log)\n"
        "async def ask():\n"
        "    try:\n"
        "        await asyncio.wait_for(thread.run(lambda owner: threading.Event().wait()), 0.5)\n"
        "    except TimeoutError:\n"
        "        thread.close()\n"
        "        print('closed')\n"
        "asyncio.run(ask())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "closed\n", "")


def test_stopping_during_an_explanation_prints_no_traceback(capfd, monkeypatch, make_stage):
    asked, done = threading.Event(), threading.Event()
    monkeypatch.setattr(log_thread, "CLOSE_S", 0.1)
    monkeypatch.setattr(Explainer, "words", lambda explainer: asked.set() or done.wait())
    stage = make_stage()
    with socket.create_connection(("127.0.0.1", stage.server.port)) as client:
        client.sendall(b"GET /api/words HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert asked.wait(60)
        stage.close()
    done.set()

    assert "Traceback" not in capfd.readouterr().err


def test_an_unused_thread_opens_no_log():
    thread = LogThread("idle", lambda: pytest.fail("opened"), lambda log: log)
    thread.close()


@pytest.mark.parametrize("fault", [LogUnavailable("moved"), MissingRight("Write"), Restart("created anew")])
def test_after_a_fault_the_log_is_reopened_and_its_owner_rebuilt(fault):
    opened, open_log = counted_logs()

    async def ask():
        thread = LogThread("asked", open_log, lambda log: [log])
        before = await thread.run(lambda owner: owner)
        with pytest.raises(type(fault)):
            await thread.run(lambda owner: raise_error(fault))
        after = await thread.run(lambda owner: owner)
        with pytest.raises(BadRecord):
            await thread.run(lambda owner: raise_error(BadRecord("mail-gone", "")))
        assert await thread.run(lambda owner: owner) is after
        thread.close()
        return before, after

    before, after = run_coroutine(ask())

    assert len(opened) == 2 and all(log.closed for log in opened)
    assert before == [opened[0]] and after == [opened[1]]


def raise_error(error):
    raise error
