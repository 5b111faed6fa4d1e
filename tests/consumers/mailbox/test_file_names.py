"""The names of files in folders, which are listed again only if they may have changed."""

from __future__ import annotations

import os
import time

import pytest

from consumers.mailbox.file_names import SETTLED_NS, FileNames, base_name


@pytest.mark.parametrize("settled", [True, False])
def test_a_folder_is_listed_again_unless_its_time_shows_every_change(tmp_path, settled):
    """Two changes may have the same time if the clock of the file system is coarse."""
    changed = time.time_ns() - (2 * SETTLED_NS if settled else 0)
    names = FileNames()
    found = []
    for name in ("a:2,", "b:2,S"):
        (tmp_path / name).touch()
        os.utime(tmp_path, ns=(changed, changed))
        found.append(names.names_in(tmp_path))
    os.utime(tmp_path, ns=(0, changed + 1))

    assert found == [{"a"}, {"a"} if settled else {"a", "b"}]
    assert names.names_in(tmp_path) == {"a", "b"}


def test_two_names_that_are_no_utf_8_differ():
    assert base_name("gr\udcfcn:2,S") != base_name("gr\udcf6n:2,S")
    assert base_name("1:2.host:2,S") == "1:2.host"
