"""Moves between Dovecot's mailboxes label mails, with the files of config/dovecot."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.imap import ImapFollower
from consumers.settings import ImapSettings
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh, program, run
from tests.consumers.mailbox.conftest import Following
from tests.support.dovecot import Dovecot, is_2_4
from tests.support.postfix import open_folder
from tests.support.waiting import until

ROOT = Path(__file__).parents[3]
OFFERED = ROOT / "config" / "dovecot"
DOCS = ROOT / "docs" / "filter.md"


class LabellingDovecot(Dovecot):
    """A Dovecot that sends labels, set up with the files of config/dovecot."""

    def __init__(self, folder: Path, filter_port: int, junk: str = "Junk", more: str = "") -> None:
        sievec = program("sievec", "dovecot-sieve")
        program("curl", "curl")
        (folder / "stream-nb").mkdir()
        for file in OFFERED.iterdir():
            text = file.read_text().replace("/etc/dovecot/stream-nb", str(folder / "stream-nb"))
            place = folder / ("stream-nb" if file.suffix != ".conf" else "") / file.name
            place.write_text(text.replace("127.0.0.1:11333", f"127.0.0.1:{filter_port}"))
            place.chmod(file.stat().st_mode & 0o777 | 0o444)
        ours = "90-stream-nb-2.4.conf" if is_2_4() else "90-stream-nb.conf"
        if junk != "Junk":  # as the comment in that file says
            advised = re.search(r"sed -i '(.+)'", (folder / ours).read_text())
            assert advised is not None
            scripts = map(str, (folder / "stream-nb").glob("*.sieve"))
            run("sed", "-i", advised[1].replace("INBOX.Junk", junk), str(folder / ours), *scripts)
        super().__init__(folder, f"!include {folder}/{ours}\n{more}")
        for script in (folder / "stream-nb").glob("*.sieve"):
            run(sievec, "-c", self.configuration, str(script))

    def add_to_script(self, name: str, rule: str) -> None:
        """Add a rule to one of the Sieve scripts."""
        script = self.mails.parent / "stream-nb" / f"{name}.sieve"
        script.write_text(f"{script.read_text()}\n{rule}\n")
        run(program("sievec", "dovecot-sieve"), "-c", self.configuration, str(script))


@pytest.fixture
def dovecot() -> Iterator:
    """A function: port of a filter, name of the junk folder, more settings -> a Dovecot that sends it labels."""
    started: list[LabellingDovecot] = []
    with open_folder("dovecot-") as folder:

        def start(filter_port: int, *options: str) -> LabellingDovecot:
            started.append(LabellingDovecot(folder, filter_port, *options))
            return started[0]

        yield start
        for one in started:
            one.stop()


def passed(server: RunningFilter, mail: bytes) -> tuple[str, bytes]:
    """Score a mail; returns its id and the mail with the header fields that the filter asks for."""
    request = urllib.request.Request(f"http://{server.address}/checkv2", mail, method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        fields = json.load(answer)["milter"]["add_headers"]
    head = "".join(f"{name}: {field['value']}\n" for name, field in fields.items())
    return fields["X-Stream-NB-Id"]["value"], head.encode() + mail


def test_moves_into_and_out_of_junk_are_labels_and_moves_to_trash_are_not(dovecot, mail_filter):
    before = len(mail_filter.labels())

    def labels() -> list[tuple]:
        return [(label.id, label.label, label.source) for label in mail_filter.labels()[before:]]

    message_id, mail = passed(mail_filter, fresh("ham").value)
    imap = dovecot(mail_filter.port)
    imap.put("INBOX", mail)

    imap.move("INBOX", "Junk")
    assert labels() == [(message_id, "spam", "ann")], imap.log()

    imap.move("Junk", "INBOX")
    assert labels()[1:] == [(message_id, "ham", "ann")], imap.log()

    imap.move("INBOX", "Trash")
    imap.move("Trash", "INBOX")
    assert len(labels()) == 2

    imap.move("INBOX", "Junk")
    imap.move("Junk", "Trash")
    assert labels()[2:] == [(message_id, "spam", "ann")], imap.log()


@pytest.mark.parametrize("mark", ["Trash", "Junk"])
def test_a_move_from_junk_to_a_folder_marked_trash_or_junk_is_no_label(dovecot, mail_filter, mark):
    before = len(mail_filter.labels())
    other = f"mailbox Gelöscht {{\n  auto = create\n  special_use = \\{mark}\n}}"
    imap = dovecot(mail_filter.port, "Junk", f"namespace inbox {{\n{other}\n}}")
    imap.put("Junk", passed(mail_filter, fresh("spam").value)[1])
    imap.put("Junk", passed(mail_filter, fresh("ham").value)[1])

    imap.move("Junk", "Gel&APY-scht", "1")
    assert mail_filter.labels()[before:] == [], imap.log()

    imap.move("Junk", "INBOX")
    assert [label.label for label in mail_filter.labels()[before:]] == ["ham"], imap.log()


def test_a_folder_named_spam_is_a_junk_folder(dovecot, mail_filter):
    before = len(mail_filter.labels())
    message_id, mail = passed(mail_filter, fresh("ham").value)
    imap = dovecot(mail_filter.port)
    imap.put("INBOX", mail)
    imap.imap.create("Spam")

    imap.move("INBOX", "Spam")
    imap.move("Spam", "INBOX")
    imap.move("INBOX", "Junk")
    imap.move("Junk", "Spam")
    imap.move("Spam", "Trash")

    said = [(label.id, label.label) for label in mail_filter.labels()[before:]]
    assert said == [(message_id, label) for label in ("spam", "ham", "spam", "spam")], imap.log()


def test_moves_to_folders_below_one_for_junk_mean_nothing(dovecot, mail_filter):
    before = len(mail_filter.labels())
    imap = dovecot(mail_filter.port)
    separator = imap.imap.list('""', '""')[1][0].split(b'"')[1].decode()
    assert imap.imap.create(f"Junk{separator}2024")[0] == "OK"
    for _ in range(2):
        imap.put("Junk", passed(mail_filter, fresh("spam").value)[1])

    imap.move("Junk", f"Junk{separator}2024", "1")
    assert mail_filter.labels()[before:] == [], imap.log()

    imap.move("Junk", "INBOX")
    assert [label.label for label in mail_filter.labels()[before:]] == ["ham"], imap.log()


def test_the_name_of_the_junk_folder_can_be_changed_in_the_files(dovecot, mail_filter):
    before = len(mail_filter.labels())
    name = "INBOX.Unerw&APw-nscht"
    imap = dovecot(mail_filter.port, "INBOX.Unerwünscht", "namespace inbox {\n  prefix = INBOX.\n  separator = .\n}")

    imap.deliver(passed(mail_filter, fresh("spam").value)[1])
    assert imap.count(name) == 1, imap.log()
    imap.imap.unselect()
    imap.move(name, "INBOX")
    imap.move("INBOX", name)
    assert imap.imap.create(f"{name}.2024")[0] == "OK"
    imap.move(name, f"{name}.2024")

    assert [label.label for label in mail_filter.labels()[before:]] == ["ham", "spam"], imap.log()


def test_moves_work_while_the_filter_is_down(dovecot, free_port):
    imap = dovecot(free_port)
    imap.put("INBOX", fresh("spam").value)

    imap.move("INBOX", "Junk")

    assert imap.count("Junk") == 1


def test_the_log_says_why_a_label_is_refused(dovecot, filter_on):
    imap = dovecot(filter_on(trained=False, password="secret").port)
    imap.put("INBOX", fresh("spam").value)

    imap.move("INBOX", "Junk")

    until(lambda: "wrong or missing password" in imap.log())


def test_predicted_spam_is_delivered_into_junk(dovecot, mail_filter):
    imap = dovecot(mail_filter.port)

    imap.deliver(passed(mail_filter, fresh("spam").value)[1])
    imap.deliver(passed(mail_filter, fresh("ham").value)[1])

    assert (imap.count("Junk"), imap.count("INBOX")) == (1, 1), imap.log()


def test_the_rule_in_the_docs_delivers_mail_of_another_class_into_its_folder(dovecot, mail_filter):
    rule = re.search(r'^    if header :matches "X-Stream-NB"[^}]*}$', DOCS.read_text("utf-8"), re.MULTILINE)
    assert rule is not None
    imap = dovecot(mail_filter.port)
    imap.add_to_script("spam-to-junk", rule[0])

    for label in ("receipts", "spam", "work"):
        imap.deliver(f"X-Stream-NB: {label}; probability=0.5; score=1.00\nSubject: a\n\nhi\n".encode())

    assert [imap.count(folder) for folder in ("receipts", "Junk", "INBOX")] == [1, 1, 1], imap.log()


def test_moves_by_feed_are_no_labels_and_later_moves_by_the_owner_are(dovecot, mail_filter):
    settings = msgspec.structs.replace(mail_filter.settings, imap=ImapSettings(password="secret"))
    before = len(mail_filter.labels())
    mails: list[tuple[str, bytes]] = []

    def labels() -> list[tuple]:
        return [(label.id, label.label) for label in mail_filter.labels()[before:]]

    imap = dovecot(mail_filter.port)
    url = f"imap://ann@127.0.0.1:{imap.port}/INBOX"
    with closing(Following(url, settings, act="move", apply=True)) as following:
        for number in (1, 2):
            mails.append(passed(mail_filter, fresh("spam").value))
            imap.put("INBOX", mails[-1][1])
            following.wait_for(lambda there=number: imap.count("Junk") == there)
    assert labels() == [], imap.log()

    imap.move("Junk", "INBOX", "1")
    assert labels() == [(mails[0][0], "ham")], imap.log()

    with mail_filter.open() as log:
        assert ImapFollower(log, parse_imap_address(url), settings).undo() == 1
    assert set(labels()) == {(mails[0][0], "ham")}, imap.log()

    imap.move("INBOX", "Junk", "2")
    assert labels()[-1] == (mails[1][0], "spam"), imap.log()
