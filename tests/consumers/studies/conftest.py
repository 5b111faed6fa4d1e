"""Mails in memory, and similar ones in a folder."""

import pytest

from tests.consumers.studies.made import mails_of_our_own


@pytest.fixture(scope="session")
def mails():
    return mails_of_our_own(600)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("mails")
    for i, mail in enumerate(mails_of_our_own(520, seed=1)):
        (root / mail.label).mkdir(exist_ok=True)
        (root / mail.label / f"{i:04}.txt").write_bytes(b"Subject: number %d\n\n%s\n" % (i, mail.mail.parts[0].text))
    return root
