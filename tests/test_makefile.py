"""`make demo CORPUS=~/Mail` finds the home folder also from shells that leave the tilde to make, as zsh does."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("corpus", "read"), [("~/Old Mail", "/home/ann/Old Mail"), ("mail/of 2024", "mail/of 2024"), ("/a~/b", "/a~/b")]
)
def test_a_tilde_before_the_corpus_is_the_home_folder(corpus, read):
    make = ["make", "--dry-run", "demo", f"CORPUS={corpus}"]
    environment = {"PATH": os.environ["PATH"], "HOME": "/home/ann"}  # without what a make that runs the tests sets
    ran = subprocess.run(make, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.stdout.splitlines()[-1].endswith(f'stream-nb demo "{read}"'), ran.stderr
