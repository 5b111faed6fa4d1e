"""Drawn mails in memory (`mails`), with wrong labels (`doubtful`), and in a folder with a sub-folder for each class."""

import pytest

from consumers.studies.corpus import Labelled
from tests.consumers.studies.made import drawn_mails


@pytest.fixture(scope="session")
def mails():
    return drawn_mails(600)


@pytest.fixture(scope="session")
def doubtful(mails):
    """The labels of a quarter of the mails are wrong."""
    other = {"ham": "spam", "spam": "ham"}
    return [Labelled(mail, y if n % 4 else other[y]) for n, (mail, y) in enumerate(mails)]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("mails")
    for i, mail in enumerate(drawn_mails(520, seed=1)):
        (root / mail.label).mkdir(exist_ok=True)
        (root / mail.label / f"{i:04}.txt").write_bytes(b"Subject: number %d\n\n%s\n" % (i, mail.mail.parts[0].text))
    return root
