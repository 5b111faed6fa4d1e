"""Training with Spark, which merges partial statistics, gives the same bytes as one process."""

import importlib.util
import math
import os
import random
import shutil
import sys
import tarfile
from collections import Counter
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.model import spark as spark_training
from consumers.records.messages import read_value
from stream_nb import BernoulliNB, MailNB, MultinomialNB

MISSING = [
    name
    for name, found in (("pyspark", importlib.util.find_spec("pyspark")), ("java", shutil.which("java")))
    if not found
]
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def spark():
    """A session with two executors in processes of their own, as on a cluster."""
    if MISSING:
        reason = f"{' and '.join(MISSING)} missing: Spark cannot run"
        pytest.fail(reason) if os.environ.get("CI") == "true" else pytest.skip(reason)
    before = {name: os.environ.get(name) for name in ("PYSPARK_PYTHON", "SPARK_LOCAL_IP", "PYTHONPATH")}
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    # Spark's processes import the package by the name that it has here, not by that of the installed one.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [before["PYTHONPATH"]])])
    session = spark_training.session("local-cluster[2,1,1024]")
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    rng = random.Random(0)
    root = tmp_path_factory.mktemp("an archive")
    for i in range(120):
        label = rng.choice(["easy_ham", "spam_2", "hard_ham"])
        words = " ".join(rng.choice(["free", "money", "noon", "notes", "ünïcode", f"w{i}"]) for _ in range(30))
        folder = root / label / f"deep{i % 2}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{i}.eml").write_text(f"Subject: mail {i}\nFrom: a@example.org\n\n{words}\n", "utf-8")
    (root / "spam_2" / "empty.eml").write_bytes(b"")
    return root


def one_process(root, empty):
    mails = ((item.value, item.label) for item in open_source(root))
    data, skipped = spark_training.train_part(empty.copy(), mails)
    model = empty.copy()
    model.merge(type(empty).from_bytes(data))
    return model, skipped


MODELS = [MailNB(), MultinomialNB(), BernoulliNB(key=b"another secret of the cluster...")]


@pytest.mark.parametrize("empty", MODELS, ids=repr)
def test_merged_models_of_single_mails_equal_one_process_bit_for_bit(archive, empty):
    """This needs no Spark: the merged models of single mails are the model of all mails."""
    merged = empty.copy()
    for item in open_source(archive):
        data, _ = spark_training.train_part(empty.copy(), [(item.value, item.label)])
        merged.merge(type(empty).from_bytes(data))
    assert merged.to_bytes() == one_process(archive, empty)[0].to_bytes()


def test_an_mbox_is_split_into_its_mails():
    mails = [b"Subject: a\n\nx\n", b"Subject: b\n\ny\n"]
    box = b"".join(b"From a\n" + mail + b"\n" for mail in mails)

    from_mbox, _ = spark_training.train_part(MultinomialNB(), [(box, "ham")])

    assert from_mbox == spark_training.train_part(MultinomialNB(), [(mail, "ham") for mail in mails])[0]


def test_a_bulk_trained_mail_model_scores_like_one_without_graded_learning(archive):
    options = {"novelty": 0.0, "band": math.inf, "trust": False, "balance": False}
    bulk, _ = one_process(archive, MailNB(**options))
    learned = MailNB(**options)
    for item in open_source(archive):
        if item.value:
            learned.learn_one(read_value(item.value, item.id, "keep").mail, item.label)
    mail = read_value(b"Subject: free money\n\nnotes at noon\n", None, "keep").mail
    assert bulk.score(mail).scores == learned.score(mail).scores


@pytest.mark.slow
@pytest.mark.timeout(280)
def test_training_with_spark_equals_one_process_bit_for_bit(spark, archive):
    empty = MailNB(key=b"a secret of the whole cluster")
    trained, skipped = spark_training.train(spark, str(archive), empty)
    expected, unreadable = one_process(archive, empty)
    assert (skipped, unreadable) == (0, 0)  # neither returns empty files
    assert trained.to_bytes() == expected.to_bytes()
    assert set(trained.classes) == {"ham", "spam"}


@pytest.mark.slow
@pytest.mark.timeout(280)
def test_training_with_spark_on_real_mail_equals_one_process_bit_for_bit(spark, tmp_path):
    data = Path(os.environ.get("STREAM_NB_DATA", ROOT.parent / "shared" / "data"))
    packed = data / "spamassassin.tar.xz"
    if not packed.exists():
        pytest.skip(f"{packed.name} is not in the data folder (STREAM_NB_DATA): real mail is not tested here")
    with tarfile.open(packed) as tar:
        taken = Counter()
        for member in tar:
            folder = Path(member.name).parent.name
            if member.isfile() and taken[folder] < 150:
                taken[folder] += 1
                target = tmp_path / folder / Path(member.name).name
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(tar.extractfile(member).read())
    trained, skipped = spark_training.train(spark, str(tmp_path), MailNB())
    assert trained.labels_learned + skipped == sum(taken.values()) > 500
    assert trained.to_bytes() == one_process(tmp_path, MailNB())[0].to_bytes()


@pytest.mark.slow
@pytest.mark.timeout(280)
def test_an_archive_without_mail_is_a_user_error(spark, tmp_path):
    (tmp_path / "ham").mkdir()
    with pytest.raises(UserError, match="holds no mail"):
        spark_training.train(spark, str(tmp_path), MailNB())


def test_a_missing_pyspark_is_a_user_error(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyspark.errors", None)

    done = CliRunner().invoke(spark_training.main, ["mails", str(tmp_path / "model")])

    assert done.exit_code == 2
    assert "PySpark is missing: pip install" in done.output


def test_a_model_that_cannot_be_written_is_a_user_error(monkeypatch, tmp_path):
    monkeypatch.setattr(spark_training, "session", lambda master: Mock())
    monkeypatch.setattr(spark_training, "train", lambda *_args, **_options: (MailNB(), 0))

    done = CliRunner().invoke(spark_training.main, ["mails", str(tmp_path / "nowhere" / "model")])

    assert done.exit_code == 2
    assert "nowhere/model: No such file or directory; name a file that can be written" in done.output


def test_the_class_of_a_file_is_its_first_folder_below_the_archive():
    assert spark_training._folder("file:/data/mail/ham/a/1.eml", "/data/mail") == "ham"
    assert spark_training._folder("hdfs://node:9000/mail/spam/1.eml", "hdfs://node:9000/mail") == "spam"
    with pytest.raises(UserError, match="not in a class folder"):
        spark_training._folder("file:/data/mail/1.eml", "/data/mail")
