"""A model as a file: saved from one log, and the start of another."""

import pytest

from consumers.errors import UserError
from consumers.evaluation.verify import verify
from consumers.log.sqlite.log import SqliteLog
from consumers.model.files import put_model, read_model, save_model
from consumers.model.replica import Replica
from consumers.records.schemas import TOPICS
from tests.support.few_mails import TEXTS, mail, work
from tests.support.outputs import predictions
from tests.support.worker_run import EVERYTHING, label


def test_a_log_can_start_from_a_trained_model(log, tmp_path):
    labels = [label(i, "spam" if i in "ac" else "ham") for i in TEXTS]
    trained = work(log, EVERYTHING, [mail(i) for i in TEXTS] + labels)
    save_model(log, EVERYTHING, tmp_path / "model")
    with pytest.raises(UserError, match="fresh log"):
        put_model(log, read_model(tmp_path / "model", EVERYTHING.learner))

    with SqliteLog(tmp_path / "second") as second:
        second.create_topics(TOPICS, 1)
        put_model(second, read_model(tmp_path / "model", EVERYTHING.learner))
        assert Replica.load(second, EVERYTHING).model == trained
        model = work(second, EVERYTHING, [mail("a"), label("a", "spam")])

        assert predictions(second)[0].label == "spam"
        assert model.labels_learned == 5
        assert verify(second, EVERYTHING).differences == ()
