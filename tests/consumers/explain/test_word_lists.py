"""The strongest words of texts and of headers, and the words that become more frequent."""

from __future__ import annotations

from consumers.explain.last_learned import LearnedMail
from consumers.explain.word_lists import word_lists
from stream_nb import MailNB
from stream_nb.types import Mail, Part


def learn(model: MailNB, label: str, timestamp: float, **parts: str) -> LearnedMail:
    mail = Mail(tuple(Part("" if name == "body" else name, text.encode()) for name, text in parts.items()))
    update = model.grade(mail, label)
    model.apply_update(mail, update)
    return LearnedMail(mail, label, update, timestamp)


def test_words_of_subjects_and_hidden_text_are_listed_with_those_of_the_body_not_of_other_headers():
    model = MailNB()
    learn(model, "spam", 0.0, **{"from": "winner", "subject": "free", "body": "money", "hidden": "pills"})
    learn(model, "ham", 1.0, **{"from": "boss", "body": "lunch"})
    lists = word_lists(model, [])

    def texts(kind):
        return {label: {term["text"] for term in terms} for label, terms in lists[kind].items()}

    assert texts("text") == {"ham": {"lunch"}, "spam": {"subject:free", "money", "hidden:pills"}}
    assert texts("headers") == {"ham": {"from:boss"}, "spam": {"from:winner"}}
    assert all(term["weight"] > 0.0 for term in lists["text"]["spam"])


def test_words_that_are_more_frequent_in_the_newer_half_of_the_mails_are_rising():
    model = MailNB()
    mails = [learn(model, "ham", float(n), body="lunch") for n in range(30)]
    mails += [learn(model, "spam", float(n), body="offer lunch") for n in range(30, 60)]
    rising = word_lists(model, mails)["rising"]
    assert [(word["text"], word["before"], word["now"], word["label"]) for word in rising["words"]] == [
        ("offer", 0.0, 1.0, "spam")
    ]
    assert (rising["mails"], rising["since"]) == (30, 30.0)


def test_without_labelled_mails_no_word_is_rising():
    assert word_lists(MailNB(), []) == {"text": {}, "headers": {}, "rising": {"words": [], "mails": 0, "since": None}}
