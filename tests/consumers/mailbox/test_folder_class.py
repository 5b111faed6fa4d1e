"""The class of a folder that matches no rule."""

import pytest

from consumers.errors import UserError
from consumers.mailbox.folder_class import check_classes, folder_class


def test_rules_must_name_each_folder_at_the_start_but_not_later(caplog):
    check_classes(["INBOX", "./Work"], "INBOX=none,Work=job")
    with pytest.raises(UserError, match="no rule matches 'Home'"):
        check_classes(["INBOX", "./Home"], "INBOX=none,Work=job")
    assert (folder_class("./Work", "INBOX=none,Work=job"), folder_class("Home", "INBOX=none,Work=job")) == ("job", "")
    assert "until the next start this folder has no class" in caplog.text


def test_without_rules_there_is_nothing_to_check():
    check_classes(["INBOX"], None)
