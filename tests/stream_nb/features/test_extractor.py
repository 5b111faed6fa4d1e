"""Which words and pairs are extracted from text, bytes, mails, tokens and counts."""

import math

import pytest

from stream_nb import Mail, MailNB, MultinomialNB, Part
from stream_nb.mail import read_mail
from tests.support.models import WORD_CLASSES
from tests.support.trained import KEY, trained


def test_a_word_of_a_named_part_is_a_word_of_its_own():
    model = MailNB()
    subject = Mail((Part("subject", b"Free"), Part("", b"lunch")))
    model.learn_one(subject, "ham")
    model.learn_one("other words", "spam")

    assert {term.text for term in model.evidence(subject).terms} == {"subject:free", "lunch", "subject:free lunch"}
    assert model.score("free").known == 0
    assert model.score(Mail((Part("subject", b"FREE"),))).known == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Free MONEY", ["free", "money"]),
        ("a-b  $$$ 10", ["a", "-", "b", "$", "10"]),
        ("!!??!", ["!", "?"]),
        ("naïve Straße", ["naïve", "straße"]),
        ("日本語テスト", ["日本", "本語", "語テ", "テス", "スト"]),
        ("我 ok我们去", ["我", "ok", "我们", "们去"]),
        ("ราคา", ["รา", "าค", "คา"]),
        ("한국어 단어", ["한국어", "단어"]),
        ("𠀀𠀁x", ["𠀀𠀁", "x"]),
        ("", []),
        (" \t\n\0", []),
    ],
)
def test_a_text_is_split_into_lower_case_words_marks_and_character_bigrams(text, words):
    assert [term.text for term in MailNB(pairs=False).evidence(text).terms] == words


@pytest.mark.parametrize("kind", WORD_CLASSES)
def test_a_parsed_mail_is_accepted_as_a_message(kind):
    read = [read_mail(b"Subject: %s\n\nmoney at noon" % word) for word in (b"free", b"lunch")]
    model, same = kind(key=KEY), kind(key=KEY)
    for parsed, label in zip(read, ("spam", "ham"), strict=True):
        model.learn_one(parsed, label)
        same.learn_one(parsed.mail, label)
    assert model == same
    assert [model.score(parsed) for parsed in read] == [same.score(parsed.mail) for parsed in read]
    assert model.evidence(read[0]) == same.evidence(read[0].mail)
    model.unlearn_one(read[0], "spam")
    same.unlearn_one(read[0].mail, "spam")
    model.learn_many(read, ["spam", "ham"])
    same.learn_many([parsed.mail for parsed in read], ["spam", "ham"])
    assert model == same


def test_pairs_are_ordered_and_cross_the_borders_of_parts():
    terms = MailNB().evidence(Mail((Part("", b"a b"), Part("", b"c")))).terms
    assert [term.text for term in terms if term.kind == "pair"] == ["a b", "b c"]
    assert MailNB().evidence(["a b", "c"]).terms[-1].text == "a b c"  # tokens are not split


def test_text_bytes_mail_and_tokens_of_the_same_words_have_the_same_score():
    model = trained(MailNB(), [("win money now", "spam"), ("see you", "ham")])
    score = model.score("win money soon")
    assert score == model.score(b"win money soon") == model.score(["win", "money", "soon"])
    assert score == model.score(Mail((Part("", b"win money soon"),)))
    with pytest.raises(TypeError, match="int"):
        model.score(3)


def test_a_mail_has_at_most_2000_features():
    model = trained(MailNB(), [(" ".join(f"w{i}" for i in range(5000)), "ham")])
    assert model.features == 2000


def test_P3_counted_words_have_no_pairs_and_are_the_same_words_as_in_the_text():
    words = (("free", 100), ("identification", 2), ("lottery", 10), ("money", 10))
    mixed = Mail((Part("subject", b"big win"), Part("", b"free lunch")), (*words, ("naught", 0)))
    model = MailNB(key=KEY, band=math.inf)
    model.learn_one(mixed, "spam")

    texts = {term.text for term in model.evidence(mixed).terms}
    singles = {"subject:big", "subject:win", "free", "lunch", "identification", "lottery", "money"}
    pairs = {"subject:big subject:win", "subject:win free", "free lunch"}
    assert texts == singles | pairs
    assert model.features == len(singles | pairs)
    model.unlearn_one(mixed, "spam")
    assert model.features == 0

    alone = Mail((), words)
    assert trained(MailNB(key=KEY), [(alone, "spam")]) == trained(MailNB(key=KEY), [(dict(words), "spam")])


def test_P3_multinomial_models_add_counted_words_to_those_of_the_text():
    words = (("free", 100), ("money", 10))
    with_text = MultinomialNB(key=KEY)
    with_text.learn_one(Mail((Part("", b"free free now"),), words), "spam")
    counted = MultinomialNB(key=KEY)
    counted.learn_one({"free": 102, "now": 1, "money": 10}, "spam")

    assert with_text.word_probabilities("free") == counted.word_probabilities("free")
    assert with_text.words == counted.words == 3
    with pytest.raises(ValueError, match="the count of 'free' is nan"):
        with_text.learn_one(Mail((), (("free", math.nan),)), "spam")


def test_a_batch_of_mails_with_counted_words_has_the_same_scores_as_single_ones():
    mails = [Mail((Part("", b"win money"),), (("free", 2),)), "lunch at noon", Mail((), (("free", 1), ("lunch", 1)))]
    model = trained(MailNB(key=KEY), zip(mails, ["spam", "ham", "spam"], strict=True))

    assert model.score_many(mails) == [model.score(mail) for mail in mails]


def test_counted_words_count_towards_the_2000_features_of_a_mail():
    model = MailNB(key=KEY)
    model.learn_one(Mail((Part("", b"win money"),), tuple((f"w{i}", 1) for i in range(5000))), "spam")
    assert model.features == 2000


@pytest.mark.parametrize("read", [lambda model, x: model.score(x), lambda model, x: model.learn_many([x], ["ham"])])
def test_a_part_whose_text_is_not_bytes_is_refused(read):
    for model in (MailNB(), MultinomialNB()):
        with pytest.raises(
            TypeError, match=r"the text of a part is 'money': give UTF-8 bytes, as \.encode\(\) returns"
        ):
            read(model, Mail((Part("", b"win"), Part("subject", "money"))))
        assert not model.classes


@pytest.mark.parametrize("read", [lambda model, x: model.score(x), lambda model, x: model.predict_many([x, x])])
@pytest.mark.parametrize("parts", [Part("", b"win"), Part("subject", b"win"), (b"win",), "win", b"win"])
def test_a_mail_whose_parts_are_no_tuple_of_parts_is_refused_with_the_form_to_give(read, parts):
    for model in (MailNB(), MultinomialNB()):
        with pytest.raises(TypeError, match=r"^the parts of a mail are .*: give a tuple .* \(Part\('', b'win'\),\)$"):
            read(trained(model, [("win", "spam"), ("lunch", "ham")]), Mail(parts))
