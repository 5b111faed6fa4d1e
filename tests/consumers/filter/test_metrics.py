"""The filter's metrics for Prometheus."""

import json

from tests.consumers.filter.conftest import fresh
from tests.support.filter_client import get, post


def test_metrics_count_mails_by_action_and_symbol(filter_on):
    server = filter_on()
    post(server.port, "/checkv2", fresh("spam").value)

    text = get(server.port, "/metrics")[1].decode()

    assert 'stream_nb_filter_mails_total{action="add header",symbol="STREAM_NB_SPAM"} 1.0' in text
    assert "stream_nb_filter_seconds_count 1.0" in text


def test_an_unscored_mail_counts_as_neither_spam_nor_ham(filter_on):
    server = filter_on()
    for mail in (fresh("spam").value, fresh("spam").value, fresh("ham").value, b" ", b"\n"):
        post(server.port, "/checkv2", mail)
    post(server.port, "/learnham", fresh("ham").value)

    counts = json.loads(get(server.port, "/stat")[1])

    assert counts["uptime"] < 1_000_000
    assert [counts[name] for name in ("scanned", "spam_count", "ham_count", "learned")] == [5, 2, 1, 1]
    assert (counts["actions"]["add header"], counts["actions"]["no action"]) == (2, 3)
