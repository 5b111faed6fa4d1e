"""The kernels that a worker calls are loaded before its first mail."""

import subprocess
import sys
from pathlib import Path

import pytest

from stream_nb.kernels.jit import COMPILED

ROOT = Path(__file__).parents[3]
WORK = """
import sys

from consumers.log.memory import MemoryLog
from consumers.model.files import put_model
from consumers.records.schemas import TOPICS
from consumers.settings import LearnerSettings, Settings
from consumers.worker.warm import warm_up
from stream_nb import MailNB
from stream_nb.mail_nb.starter import starter
from tests.support.few_mails import work
from tests.support.worker_run import label, message


def compiled_signatures():
    return {
        (name, each): len(function.signatures)
        for name, module in list(sys.modules.items())
        if name.startswith("stream_nb.kernels.")
        for each, function in vars(module).items()
        if hasattr(function, "signatures")
    }


warm_up()
before = compiled_signatures()
words = b"Subject: x\\n\\nf r e e caf\\xc3\\xa9 " + b" ".join(b"other%d" % n for n in range(2000))
experienced = MailNB()
experienced.learn_many(["free money now", "lunch at noon"], ["spam", "ham"])
for learner, begin in (
    (LearnerSettings(learn="everything"), None),
    (LearnerSettings(grams=True, lose_at_most=0.01), None),
    (LearnerSettings(), starter(experienced)),
):
    log, settings = MemoryLog(), Settings(learner=learner)
    log.create_topics(TOPICS, 1)
    if begin is not None:
        put_model(log, begin)
    work(log, settings, [message(name, words) for name in "abc"])
    work(log, settings, [label("a", "spam"), label("b", "ham"), label("c", "spam"), label("a", "ham")])
    work(log, settings, [message("d", words), label("d", "ham")])
after = compiled_signatures()
print(sorted(key for key in after if after[key] != before.get(key)))
"""


@pytest.mark.skipif(not COMPILED, reason="no kernel is compiled here")
def test_after_the_warm_up_scoring_and_learning_load_no_kernel():
    run = subprocess.run([sys.executable, "-c", WORK], cwd=ROOT, capture_output=True, text=True)

    assert (run.stdout, run.returncode) == ("[]\n", 0), run.stderr


def test_the_helper_process_compiles_without_errors():
    command = [sys.executable, "-m", "consumers.worker.warm"]
    beside = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert (beside.stderr, beside.returncode) == ("", 0)
