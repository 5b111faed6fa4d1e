"""A model is saved to a file from one log, and another log starts with it."""

import msgspec
import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import Restart, UserError
from consumers.evaluation.verify import verify
from consumers.filter.model_file import write_new
from consumers.log.sqlite.log import SqliteLog
from consumers.model.changelog_reader import read_secret
from consumers.model.factory import model_of_log, new_model
from consumers.model.files import put_model, read_model, save_model, started_model
from consumers.model.replica import Replica
from consumers.records.messages import read_value
from consumers.records.schemas import TOPICS
from consumers.settings import LearnerSettings
from stream_nb import MailNB
from stream_nb.mail_nb.starter import starter
from tests.support.few_mails import TEXTS, mail, work
from tests.support.outputs import predictions
from tests.support.worker_run import EVERYTHING, label


def test_a_fresh_log_can_start_with_a_saved_model(log, tmp_path):
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
        assert verify(second, EVERYTHING).differences == []


@pytest.mark.parametrize("follow", ["deltas", "sums"])
def test_a_process_that_runs_while_a_model_is_loaded_starts_again_with_it(log, follow):
    """As a dashboard may; no delta includes that model."""
    settings = msgspec.structs.replace(EVERYTHING, learner=LearnerSettings(learn="everything", follow=follow))
    running = Replica.load(log, settings)
    model = new_model(settings.learner)
    model.learn_one("win money", "spam")
    put_model(log, model)

    with pytest.raises(Restart, match="loaded into the log"):
        running.follow()
    assert Replica.load(log, settings).model == model
    work(log, EVERYTHING, [mail("a"), label("a", "spam")])
    assert Replica.load(log, settings).require_model().labels_learned == 2


@pytest.mark.parametrize(
    "learner",
    [LearnerSettings(grams=grams) for grams in (False, True)]
    + [LearnerSettings(model=name) for name in ("multinomial", "boolean", "bernoulli", "categorical", "gaussian")],
)
def test_a_log_that_starts_with_a_saved_model_has_its_kind_and_its_key(log, learner):
    model = new_model(learner)
    put_model(log, model)
    secret = read_secret(log)
    assert secret is not None
    other = model_of_log(learner, secret)
    other.merge(model)  # only of the same kind and with the same key


def test_a_log_that_starts_with_a_starter_can_be_verified_and_unlearned(log, tmp_path):
    experienced = new_model(EVERYTHING.learner, b"the key of the starter")
    for message_id, text in TEXTS.items():
        experienced.learn_one(read_value(text, message_id, "safe").mail, "spam" if message_id in "ac" else "ham")
    (tmp_path / "starter").write_bytes(starter(experienced).to_bytes())
    starting_model = started_model(EVERYTHING.learner, tmp_path / "starter")
    put_model(log, starting_model)

    model = work(log, EVERYTHING, [mail(i) for i in TEXTS])
    assert [row.label for row in predictions(log)] == ["spam", "ham", "spam", "ham"]
    model = work(log, EVERYTHING, [label(i, "spam" if i in "ad" else "ham") for i in TEXTS])
    assert verify(log, EVERYTHING).differences == []
    log.append(Replica.load(log, EVERYTHING).snapshot_records())
    assert verify(log, EVERYTHING).differences == []

    work(log, EVERYTHING, [label(i, None) for i in TEXTS])
    model = Replica.load(log, EVERYTHING).require_model()
    assert model == starting_model
    assert verify(log, EVERYTHING).differences == []


def test_a_file_that_is_no_model_is_refused_with_the_remedy(tmp_path):
    (tmp_path / "saved").touch()
    with pytest.raises(UserError, match=r"saved: snapshot begins with b'', .*; name another file, or a copy"):
        read_model(tmp_path / "saved", LearnerSettings())


def test_the_starter_of_another_model_is_refused(tmp_path):
    (tmp_path / "starter").write_bytes(new_model(LearnerSettings(model="boolean")).to_bytes())
    with pytest.raises(
        UserError, match=r"starter holds a multinomial model, but the model is mail: set .* to multinomial, or name"
    ):
        started_model(EVERYTHING.learner, tmp_path / "starter")


@pytest.mark.parametrize(("saved", "set_to"), [("true", "false"), ("false", "true")])
def test_a_file_of_the_other_n_gram_setting_is_refused_with_the_remedy(tmp_path, saved, set_to):
    (tmp_path / "saved").write_bytes(new_model(LearnerSettings(grams=saved == "true")).to_bytes())
    with pytest.raises(UserError, match=rf"saved holds .* n-grams, but .* grams is {set_to}: set that to {saved}, or"):
        read_model(tmp_path / "saved", LearnerSettings(grams=set_to == "true"))


def test_load_names_what_a_log_takes_from_the_settings_and_not_from_the_file(tmp_path, monkeypatch):
    """Such as the smoothing and the threshold that `personal` has chosen."""
    path, usual = tmp_path / "chosen.snb", tmp_path / "usual.snb"
    model = MailNB(b"k" * 16, positive="refund", smoothing=0.3)
    for text, name in (("money back", "refund"), ("lunch at noon", "other")):
        model.learn_one(text, name)
    write_new(path, model, 1.5, [])
    write_new(usual, MailNB(b"k" * 16), 0.0, [])

    def said(file, log):
        return CliRunner().invoke(cli, ["load", str(file), "--log", f"sqlite:{tmp_path / log}"]).stderr

    assert '[learner] smoothing = 0.3, threshold = 1.5, positive = "refund"' in said(path, "first")
    monkeypatch.setenv("STREAM_NB_LEARNER_POSITIVE", "refund")
    assert "[learner] smoothing = 0.3, threshold = 1.5 " in said(path, "second")
    assert "[learner]" not in said(usual, "third")
