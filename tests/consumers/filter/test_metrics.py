"""The filter's metrics for Prometheus."""

from tests.consumers.filter.conftest import fresh
from tests.support.filter_client import get, post


def test_metrics_for_prometheus(filter_on):
    server = filter_on()
    post(server.port, "/checkv2", fresh("spam").value)

    text = get(server.port, "/metrics")[1].decode()

    assert 'stream_nb_filter_mails_total{action="add header",symbol="STREAM_NB_SPAM"} 1.0' in text
    assert "stream_nb_filter_seconds_count 1.0" in text
