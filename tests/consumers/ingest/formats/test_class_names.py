import pytest

from consumers.errors import UserError
from consumers.ingest.formats.class_names import class_labels, class_names


@pytest.mark.parametrize(
    ("folders", "rules", "named"),
    [
        (["easy-ham-1", "hard-ham-1", "spam-2"], None, ["ham", "ham", "spam"]),
        (["HAM", "Spam"], None, ["ham", "spam"]),
        (["ham", "spam", "other"], None, ["ham", "spam", "other"]),
        (["ham-and-spam", "spam"], None, ["ham-and-spam", "spam"]),
        (["work", "travel"], None, ["work", "travel"]),
        (["INBOX", ".Junk", "Spam", "BULK"], None, ["ham", "spam", "spam", "spam"]),
        (["work", "INBOX.Junk", "imap/[Gmail]/Spam"], None, ["ham", "spam", "spam"]),
        (["easy_ham", "ham", "Junk"], None, ["ham", "ham", "spam"]),
        (["work", "Junk", "oldSPAM"], None, ["ham", "spam", "oldSPAM"]),
        (["Inbox", "Sent", "Junk"], None, ["ham", "ham", "spam"]),
        (["INBOX", "Courrier ind&AOk-sirable", "Amis"], None, ["ham", "spam", "ham"]),
        (["受信トレイ", "迷惑メール"], None, ["ham", "spam"]),
        (["Posteingang", "Unerwu\u0308nscht"], None, ["ham", "spam"]),  # decomposed, as macOS writes file names
        (["Gescha\u0308ft", "Reise"], None, ["Gesch\u00e4ft", "Reise"]),  # composed, as people type labels
        (["Gescha\u0308ft"], "Gesch\u00e4*=work", ["work"]),
        (["Gesch\u00e4ft"], "Gescha\u0308*=a\u0308", ["\u00e4"]),
        (["ham", "Junk"], None, ["ham", "spam"]),
        (["Junk", "Inbox"], "*=mine", ["mine", "mine"]),
        (["junkyard", "not-spammy"], None, ["junkyard", "not-spammy"]),
        (["INBOX", "Junk"], "Junk=spam,*=ham", ["ham", "spam"]),
        (["spam-old", "spam-new"], "spam-old = a, spam* = b", ["a", "b"]),
        (["work", "Trash", "INBOX.Junk", "Spam/2024", "a*"], "Trash=none,*=*", ["work", None, "spam", "spam", "a*"]),
        ([], None, []),
    ],
)
def test_folders_become_classes(folders, rules, named):
    assert class_names(folders, rules) == dict(zip(folders, named, strict=True))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("spam=spam", "no rule matches 'work'; add one, for example 'work=work'"),
        ("spam", "'spam' is not of the form pattern=class"),
        ("=spam", "not of the form"),
        ("spam=", "not of the form"),
        ("", "not of the form"),
        ("*=" + "x" * 101, "is not 1 to 100 printable characters"),
    ],
)
def test_bad_rules_are_refused(rules, message):
    with pytest.raises(UserError, match=message):
        class_names(["work"], rules)


def test_a_folder_name_that_cannot_be_a_label_is_refused():
    with pytest.raises(UserError, match=r"near the threshold\); rename the folder, or name its class with --classes"):
        class_names(["a\x07b"], None)


def test_folders_that_are_ham_because_of_a_spam_folder_are_reported():
    said: list[str] = []

    named = class_labels(["spam", "travel", "work"], None, said.append)
    assert named == {"spam": "spam", "travel": "ham", "work": "ham"}
    hint = "give each its own class with --classes '*=*', or other classes"
    assert said == [f"travel, work are ham, because there is a spam folder; {hint}"]
    class_labels(["spam", "travel", "work"], "spam=spam,*=ham", said.append)
    class_labels(["spam", "work"], None, said.append)
    class_labels(["INBOX", "Junk", "work"], None, said.append)
    class_labels(["work", "Junk", "easy_ham"], None, said.append)
    assert len(said) == 1


def test_trash_has_no_class_in_any_language():
    folders = ["INBOX", "[Gmail]/Papierkorb", "Gel&APY-schte Elemente", "[Gmail]/Spam"]

    assert list(class_labels(folders, None).values()) == ["ham", None, None, "spam"]


def test_if_there_is_a_spam_folder_sent_mail_and_drafts_have_no_class():
    said: list[str] = []

    named = class_labels(["INBOX", "Sent", "Borradores", "Junk"], None, said.append)

    assert named == {"INBOX": "ham", "Sent": None, "Borradores": None, "Junk": "spam"}
    assert said[0] == "the mails in Sent have no label; name its class with --classes if they should have one"
    assert class_labels(["INBOX", "Sent", "Junk"], "Junk=spam,*=ham")["Sent"] == "ham"
    assert class_labels(["work", "templates"], None) == {"work": "work", "templates": "templates"}
    assert class_labels(["ham", "spam", "templates"], None)["templates"] == "templates"


def test_the_folders_of_claws_mail():
    named = class_labels(["draft", "inbox", "junk", "queue", "sent", "trash"], None)

    assert [folder for folder, label in named.items() if label is not None] == ["inbox", "junk"]


def test_folders_below_one_for_spam_are_spam_too():
    said: list[str] = []

    named = class_labels(["INBOX", "Junk", "Junk/2024", "Junk.2023", "Junk/Trash", "Work/Spam/old"], None, said.append)

    assert {named["Junk/2024"], named["Junk.2023"], named["Work/Spam/old"]} == {"spam"} and named["Junk/Trash"] is None
    assert "Junk/2024, Junk.2023, Work/Spam/old are spam, because they are below a spam folder" in said[1]
    assert class_labels(["INBOX", "Junk/2024"], None) == {"INBOX": "ham", "Junk/2024": "spam"}
    assert class_labels(["INBOX", "Junk", "Junk/ham"], None)["Junk/ham"] == "ham"


def test_a_name_that_only_contains_the_letters_of_ham_is_no_class_of_its_own():
    named = class_labels(["INBOX", "Junk", "Birmingham", "Junk/Hamburg", "easy_ham"], None)

    assert named == {"INBOX": "ham", "Junk": "spam", "Birmingham": "ham", "Junk/Hamburg": "spam", "easy_ham": "ham"}
