"""A replica follows the model topic, and says so when something of it is missing."""

import pytest

from consumers.errors import Restart
from consumers.log.base import ProducerRecord
from consumers.model.replica import Replica
from tests.support.few_mails import mail, work
from tests.support.worker_run import EVERYTHING, label


def test_a_missing_delta_is_seen(log):
    work(log, records=[mail("a"), label("a", "spam")])
    work(log, records=[mail("b"), label("b", "ham")])
    log.append([ProducerRecord("model", b"d/0/1", None, 0)])

    with pytest.raises(Restart, match="delta"):
        Replica.load(log, EVERYTHING)
