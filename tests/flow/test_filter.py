"""The filter on both logs, each stage in its own process, some of which are killed."""

import http.client
import json
import os
import signal
import time

import pytest

from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import TopicPartition
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS, PREDICTIONS
from tests.support.ports import free_ports
from tests.support.waiting import until

BOTH = pytest.mark.parametrize("kind", ["sqlite", "kafka"])
PATIENCE_S = 120.0


def post(port, path, mail):
    """The JSON of a response; the request is repeated until the server listens."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            connection.request("POST", path, mail)
            return json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        finally:
            connection.close()


@BOTH
def test_each_mail_is_scored_learned_and_counted_once(tmp_path, stages_on, kind):
    stages = stages_on(kind, partitions=2)
    stages.environment["STREAM_NB_FILTER_DEADLINE_S"] = str(PATIENCE_S)
    mails = list(synthetic_mails(120, seed=9))
    (port,) = free_ports(1)
    stages.start("worker")
    asked = stages.start("filter", "--port", str(port))
    for item in mails[:100]:
        assert post(port, f"/learn{item.label}", item.value)["success"]
    stages.wait_until_done()

    right = 0
    ids = {}
    for item in mails[100:]:
        reply = post(port, "/checkv2", item.value)
        ids[item.id] = reply["stream_nb"]["id"]
        right += (reply["action"] == "add header") == (item.label == "spam")
    assert right >= 15

    asked.send_signal(signal.SIGTERM)
    assert asked.wait(30) == 0
    stages.start("filter", "--port", str(port))
    found = post(port, "/learnspam", mails[100].value)
    assert (found["id"], found["found"]) == (ids[mails[100].id], "content")
    stages.wait_until_done()

    assert stages.report()["n"] == 101
    assert "0 differences" in stages.run("verify")


def test_a_killed_filter_loses_no_mail(stages_on):
    stages = stages_on("sqlite")
    stages.environment["STREAM_NB_FILTER_DEADLINE_S"] = "0.2"
    (port,) = free_ports(1)
    mails = list(synthetic_mails(20, seed=3))

    taken: dict[str, bytes] = {}

    def pass_through(items):
        for item in items:
            about = post(port, "/checkv2", item.value)
            assert about["action"] == "no action"
            if "STREAM_NB_DEADLINE" in about["symbols"]:  # without it the log was too slow to store the mail in time
                taken[about["stream_nb"]["id"]] = item.value

    while not taken:
        asked = stages.start("filter", "--port", str(port))
        pass_through(mails[:10])
        os.kill(asked.pid, signal.SIGKILL)
        asked.wait()
    stages.start("filter", "--port", str(port))
    pass_through(mails[10:])
    with stages.open() as log:
        kept = {record.key.decode(): record.value for record in read_all(log, EMAILS)}
    assert taken.items() <= kept.items()

    stages.start("worker")
    first = next(iter(taken))
    with stages.open() as log:
        until(lambda: log.end_offset(TopicPartition(PREDICTIONS, 0)) >= len(kept))
    assert post(port, "/learnham", taken[first])["found"] == "content"
