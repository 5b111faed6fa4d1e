"""Each stage with the rights of docs/acls.md, and with one right less, on a broker with Kafka's own authorizer."""

from __future__ import annotations

import http.client
import json
import time
import uuid
from collections.abc import Callable, Iterator
from threading import Event, Timer

import pytest

from consumers.errors import MissingRight
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.model.sums import SUMS_PARTITION, read_sum
from consumers.records.replay import read_labels
from consumers.records.schemas import EMAILS, LABELS, MODEL, MONITOR, POLICY, PREDICTIONS, SILENCE
from consumers.worker import process
from tests.flow.conftest import PATIENCE_S, Stages, wait_until
from tests.flow.test_end_to_end import write_json_lines
from tests.support.acls import Right, SecuredCluster, login, rights_in_table, rights_of_commands
from tests.support.ports import free_ports


@pytest.fixture(scope="module")
def secured(kafka_or_skip, tmp_path_factory) -> Iterator[SecuredCluster]:
    """A broker on which each user of docs/acls.md has the rights that it lists."""
    cluster = SecuredCluster(tmp_path_factory.mktemp("acls"))
    try:
        yield cluster.start()
    finally:
        cluster.stop()


@pytest.fixture
def user(secured) -> Iterator[Callable[..., Stages]]:
    """A function that returns the commands of the user with the given name."""
    made: list[Stages] = []

    def make(name: str, **environment: str) -> Stages:
        made.append(Stages(secured.url, **login(name), **environment))
        return made[-1]

    yield make
    for stages in made:
        stages.stop()


def ask(port: int, path: str, body: object = None, headers: dict[str, str] | None = None) -> bytes:
    """The body of a response with status 200, requested again until there is one; a `body` is posted."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request("GET" if body is None else "POST", path, sent, headers or {})
            reply = connection.getresponse()
            text = reply.read()
            if reply.status == 200:
                return text
        except (OSError, http.client.HTTPException):
            text = b"nobody listens"
        finally:
            connection.close()
        assert time.monotonic() < deadline, text
        time.sleep(0.3)


def test_commands_and_table_list_the_same_rights():
    assert rights_of_commands() == rights_in_table()


@pytest.mark.slow
def test_all_stages_work_with_the_documented_rights(user, tmp_path):
    user("operator").run("topics", "create")
    user("feeder").run("feed", write_json_lines(tmp_path / "mails.jsonl", 200), "--labels")
    worker = user("worker").start("worker")
    user("monitor").wait_until_done()

    labeller = user("labeller")
    given = labeller.predictions()[0].id
    labeller.run("label", given, "none")

    (metrics,) = free_ports(1)
    user("monitor").start("monitor", "--port", str(metrics))
    wait_until(lambda: b"\nstream_nb_mails_total 200" in ask(metrics, "/metrics"))

    user("combiner").start("combiner")
    following = user("worker", STREAM_NB_LEARNER_FOLLOW="sums").start("worker")
    user("feeder").run("feed", write_json_lines(tmp_path / "more.jsonl", 100, "more"), "--labels")
    with user("combiner").open() as log:
        wait_until(lambda: any(read_sum(record).parts for record in log.scan(SUMS_PARTITION)))
    assert following.poll() is None

    user("feeder").run("feed", write_json_lines(tmp_path / "still.jsonl", 100, "still"))
    user("silence").start("silence", "--days", str(1 / 86_400))
    with user("monitor").open() as log:
        wait_until(lambda: any(label.source == SILENCE for _, label in read_labels(log)))

    assert worker.poll() is None


@pytest.mark.slow
def test_the_dashboard_works_and_takes_labels_with_the_documented_rights(user, tmp_path):
    user("operator").run("topics", "create")
    user("feeder").run("feed", write_json_lines(tmp_path / "mails.jsonl", 60, "shown"), "--labels")
    user("worker").start("worker")
    user("monitor").start("monitor", "--port", "0")
    user("monitor").wait_until_done()
    (port,) = free_ports(1)
    user("dashboard").start("dashboard", "--port", str(port))

    row = json.loads(ask(port, "/api/search?text="))["rows"][0]
    place = f"?partition={row['place']['partition']}&offset={row['place']['offset']}"
    for path in (f"/api/why{place}", f"/api/score{place}", "/api/words", "/api/policy", "/api/smoothing"):
        ask(port, path)
    deadline = time.monotonic() + PATIENCE_S
    while not (b'"shown' in (state := ask(port, "/api/state")) and b'"health":' in state):
        assert time.monotonic() < deadline, state
        time.sleep(0.3)
    headers = {"x-stream-nb": json.loads(state)["page"]["csrf"], "content-type": "application/json"}
    said = json.loads(ask(port, "/api/label", {"place": row["place"], "id": row["id"], "label": None}, headers))
    assert said["label"] is None
    ask(port, "/api/policy", {"policy": {"threshold": 1.0}}, headers)


def test_the_filter_answers_and_learns_with_the_documented_rights(user):
    user("operator").run("topics", "create")
    user("worker").start("worker")
    (port,) = free_ports(1)
    user("filter", STREAM_NB_FILTER_DEADLINE_S=str(PATIENCE_S)).start("filter", "--port", str(port))
    mail = next(iter(synthetic_mails(1, seed=77))).value

    assert json.loads(ask(port, "/learnspam", mail))["success"]
    answer = json.loads(ask(port, "/checkv2", mail))
    assert "STREAM_NB_DEADLINE" not in answer["symbols"] and "STREAM_NB_LOG_UNAVAILABLE" not in answer["symbols"]


def test_a_mailbox_is_followed_with_the_documented_rights(user, tmp_path):
    user("operator").run("topics", "create")
    for folder in ("", ".Junk"):
        for part in ("cur", "new", "tmp"):
            (tmp_path / "Maildir" / folder / part).mkdir(parents=True)
    mail = next(iter(synthetic_mails(1, seed=78))).value
    (tmp_path / "Maildir" / "new" / "1.host").write_bytes(mail)
    follower = user("mailbox").start("feed", str(tmp_path / "Maildir"), "--follow", "--labels")
    user("worker").start("worker")
    with user("monitor").open() as log:
        wait_until(lambda: any(record.value == mail for record in log.scan(TopicPartition(EMAILS, 0))))
    assert follower.poll() is None


@pytest.mark.parametrize("topic", [MODEL, PREDICTIONS, MONITOR, POLICY])
def test_a_labeller_cannot_write_to_other_topics(user, topic):
    user("operator").run("topics", "create")
    with user("labeller").open() as log, pytest.raises(MissingRight) as caught:
        log.append([ProducerRecord(topic, b"key", b"value", 0)])
    assert f"no right Write on topic {topic};" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_user_without_any_right_to_write_is_told_which_one_is_missing(secured, user):
    """A read-only dashboard: the broker refuses it a producer id, and names no topic."""
    user("operator").run("topics", "create")
    with secured.denied(("labeller", "Write", "topic", "labels")):
        with user("labeller").open() as log, pytest.raises(MissingRight) as caught:
            log.append([ProducerRecord(LABELS, b"key", b"value", 0)])
        assert "user labeller has no right Write on topic labels;" in str(caught.value)


@pytest.fixture
def worker_settings(user, tmp_path):
    """The settings of the user `worker`, on a broker with a labelled mail that no worker has read."""
    user("operator").run("topics", "create")
    user("feeder").run("feed", write_json_lines(tmp_path / "mail.jsonl", 1, uuid.uuid4().hex), "--labels")
    return user("worker").settings()


@pytest.fixture
def stop() -> Iterator[Event]:
    """Is set once a worker would have had to end by itself."""
    event = Event()
    timer = Timer(PATIENCE_S, event.set)
    timer.start()
    yield event
    timer.cancel()


@pytest.mark.parametrize(
    "right",
    [
        ("worker", "Write", "topic", "model"),
        ("worker", "Write", "topic", "health"),
        ("worker", "Read", "topic", "emails"),
        ("worker", "Read", "topic", "policy"),
        ("worker", "Read", "group", "stream-nb"),
        ("worker", "Write", "transactional-id", "stream-nb-*"),
        ("worker", "Describe", "topic", "labels"),
        ("worker", "DescribeConfigs", "topic", "predictions"),
    ],
    ids=" ".join,
)
def test_a_worker_that_lacks_a_right_ends_and_names_it(secured, worker_settings, stop, monkeypatch, right: Right):
    monkeypatch.setattr("consumers.log.kafka.topics.KNOWN_S", 0.5)
    with secured.denied(right), pytest.raises(MissingRight) as caught:
        process.run(worker_settings, stop)

    _, operation, kind, name = right
    assert f": user worker has no right {operation}" in str(caught.value)
    assert f" {kind.replace('-', ' ')} {name.rstrip('*')}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_worker_that_loses_a_right_ends_for_good_and_no_mail_is_lost(secured, user, tmp_path, capfd):
    """Kafka refuses predictions in the middle of a commit: one line on stderr, status 2. The next worker continues."""
    user("operator").run("topics", "create")
    worker = user("worker").start("worker")
    user("feeder").run("feed", write_json_lines(tmp_path / "first.jsonl", 20, "first"), "--labels")
    user("monitor").wait_until_done()

    with secured.denied(("worker", "Write", "topic", PREDICTIONS)):
        user("feeder").run("feed", write_json_lines(tmp_path / "second.jsonl", 20, "second"), "--labels")
        assert worker.wait(PATIENCE_S) == 2
    said = [line for line in capfd.readouterr().err.splitlines() if "has no right" in line]
    assert len(said) == 1
    assert said[0].startswith("stream-nb: ") and "user worker has no right Write on topic predictions;" in said[0]

    user("worker").start("worker")
    user("monitor").wait_until_done()
    scored = [prediction.id for prediction in user("monitor").predictions()]
    assert len(scored) == len(set(scored))
    assert sum(name.startswith("second") for name in scored) == 20
