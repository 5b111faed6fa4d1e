"""Compiled and uncompiled kernels give the same results bit for bit, wherever the learner is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from stream_nb import kernels
from stream_nb.kernels import jit

ROOT = Path(__file__).parents[3]

PROGRAM = """
import hashlib, warnings
warnings.simplefilter("error")
from stream_nb import BernoulliNB, Mail, MailNB, MultinomialNB, Part
from stream_nb.mail_nb.starter import starter

texts = ["Win $$$ money now!!", "See you at lunch"]
texts += ["na\\u00efve \\u65e5\\u672c\\u8a9e offer", "", "a b a b " * 8]
mails = [Mail((Part("subject", b"Free offer"), Part("", text.encode()))) for text in texts]
digest = hashlib.sha256()
for model in (MailNB(), MailNB(shape=1.0, damping=0.7, band=3.0), MultinomialNB(), BernoulliNB(smoothing=0.0)):
    for number in range(160):  # more than 50 of a class: trust takes part
        x = (texts + mails)[number % 10]
        digest.update(repr(model.score(x)).encode())
        model.learn_one(x, ("ham", "spam", "work")[number * number % 3])
    digest.update(repr(model.evidence(texts[0] + texts[1])).encode())
    other = model.copy()
    model.merge(other)
    digest.update(model.to_bytes())
model = MailNB()
for number in range(60):
    links = number % 5 or 1.7976931348623157e308
    features = (("size", 1.5 ** number), ("links", links), ("format", "abc"[number % 3]), ("signed", number < 9))
    x = Mail((Part("", texts[number % 4].encode()),), features=features[: 1 + number % 4])
    digest.update(repr((model.score(x), model.evidence(x), model.predict_proba_one(x))).encode())
    model.apply_update(x, model.grade(x, ("ham", "spam", "work")[number * number % 3]))
model.merge(model.copy())
model.decay(0.3)
digest.update(repr((model.score(x), model.statistics.part_weights, model.statistics.histogram("size"))).encode())
digest.update(model.to_bytes())
model = starter(model)
for number in range(40):
    digest.update(repr((model.score(mails[number % 5]), model.evidence(texts[number % 4]))).encode())
    model.apply_update(mails[number % 5], model.grade(mails[number % 5], ("ham", "spam")[number * number % 3 % 2]))
digest.update(model.to_bytes())
print(digest.hexdigest())
"""

SHORT = """
from stream_nb import MultinomialNB
model = MultinomialNB()
for text, label in (("Win money now", "spam"), ("See you at lunch", "ham")):
    model.learn_one(text, label)
print(model.score("money at lunch"), model.to_bytes().hex())
"""
"""A program that needs few kernels, because without a cache each start compiles all that it needs."""


def run(program: str, prefix: tuple[str, ...] = (), **environment: str) -> str:
    command, environment = [*prefix, sys.executable, "-c", program], {**os.environ, **environment}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def compiled() -> str:
    """The digest of the results of compiled kernels."""
    return run(PROGRAM, NUMBA_DISABLE_JIT="0")


def test_uncompiled_kernels_give_the_same_results_bit_for_bit(compiled):
    assert run(PROGRAM, NUMBA_DISABLE_JIT="1") == compiled


def test_without_numba_the_learner_gives_the_same_results(compiled):
    assert run("import sys; sys.modules['numba'] = None\n" + PROGRAM) == compiled


def test_where_numba_may_not_compile_the_error_says_what_to_do(tmp_path):
    """As below systemd's MemoryDenyWriteExecute: importing numba fails then, and not with an ImportError."""
    (tmp_path / "numba.py").write_text("raise PermissionError(13, 'cannot allocate executable memory')")
    program = """
try:
    from stream_nb.kernels import find_all
except ImportError as error:
    print(error.name, error)
"""
    assert run(program, PYTHONPATH=str(tmp_path)) == (
        "numba numba cannot compile here ([Errno 13] cannot allocate executable memory); allow this process executable "
        "memory (systemd: leave out MemoryDenyWriteExecute)"
    )


def test_the_texts_of_words_that_overlap_fit_into_the_arena():
    """Each ideograph is in two words. Uncompiled, an index beyond the end of an array raises IndexError; compiled, it
    writes into memory of others."""
    program = """
from stream_nb import BernoulliNB, MailNB, MultinomialNB
text = "".join(map(chr, range(0x4E00, 0x4E00 + 200)))
for model in (MultinomialNB(), BernoulliNB(), MailNB()):
    model.learn_one(text, "spam")
model = MailNB()
model.learn_many([text], ["spam"])
model = MailNB()
model.apply_update(text, model.grade(text, "spam"))
"""
    run(program, NUMBA_DISABLE_JIT="1")


def test_importing_the_learner_does_not_import_numba():
    assert run("import sys, stream_nb; print('numba' in sys.modules)") == "False"


def test_only_a_kernel_that_is_compiled_is_reported(tmp_path):
    program = """
import numpy as np
from stream_nb import kernels
from stream_nb.kernels import jit
names, text, places = [], np.zeros(4, np.uint8), np.zeros(1, np.int64)
with jit.compilations(names.append):
    kernels.copy_texts(text, places, places, text, places)
print(*names)
"""
    first, second = (run(program, NUMBA_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0") for _ in range(2))
    assert first == "copy_texts"
    assert second == ""
    assert run(program, NUMBA_DISABLE_JIT="1") == ""


def test_without_a_writable_cache_folder_kernels_are_compiled_in_memory(monkeypatch):
    numba = pytest.importorskip("numba")
    requested = []

    def njit(**options):
        requested.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return numba.njit(**options)

    monkeypatch.setattr(jit, "numba", SimpleNamespace(njit=njit))
    monkeypatch.setattr(jit, "COMPILED", True)
    assert jit.kernel(lambda x: x + 1)(2) == 3
    assert requested == [{"cache": True, "nogil": True, "_nrt": True}, {"nogil": True, "_nrt": True}]


@pytest.mark.skipif(not jit.COMPILED, reason="uncompiled functions count no arrays")
def test_a_borrowing_function_may_create_no_array_but_call_one_that_does():
    from numba.core.errors import NumbaError

    ones = jit.kernel(lambda n: np.ones(n).sum())
    assert jit.borrowing(lambda n: ones(n) + 1.0)(3) == 4.0
    with pytest.raises(NumbaError):
        jit.borrowing(lambda n: np.ones(n).sum())(3)


def without_root_powers() -> tuple[str, ...]:
    """The prefix of a command that makes root, too, obey the modes of files."""
    if os.getuid() != 0:
        return ()
    if shutil.which("setpriv") is None:
        pytest.skip("root ignores the modes of files, and setpriv is missing: run this test as another user")
    return ("setpriv", "--bounding-set=-all", "--inh-caps=-all")


@pytest.mark.slow
def test_a_read_only_installation_without_a_writable_home_gives_the_same_results(tmp_path):
    site, home = tmp_path / "site", tmp_path / "home"
    shutil.copytree(ROOT / "stream_nb", site / "stream_nb", ignore=shutil.ignore_patterns("__pycache__"))
    home.mkdir()
    everything = [site, home, *site.rglob("*")]
    for path in everything:
        path.chmod(0o555 if path.is_dir() else 0o444)
    first = f"""
import sys
sys.path.insert(0, {str(site)!r})
import stream_nb
assert stream_nb.__file__.startswith({str(site)!r})
for folder in {[str(site / "stream_nb" / "kernels"), str(home)]!r}:
    try:
        open(folder + "/probe", "w")
    except PermissionError:
        continue
    raise SystemExit("folder can be written: " + folder)
"""
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "NUMBA_CACHE_DIR": ""}
    assert run(first + SHORT, without_root_powers(), **places) == run(SHORT)
    assert sorted([site, home, *site.rglob("*"), *home.rglob("*")]) == sorted(everything)


def test_no_exported_kernel_has_the_name_of_a_module():
    """Importing the module would replace the kernel by the module."""
    assert set(kernels._EXPORTS) & {path.stem for path in Path(kernels.__file__).parent.iterdir()} == set()
