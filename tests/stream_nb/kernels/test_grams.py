"""Character n-grams are those that a plain reading of the text gives, and models with them stay exact."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb import Mail, MailNB, Part, SnapshotError, Update
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.gram_layout import GRAM, MOST_GRAMS
from stream_nb.mail_nb.vocabulary import strongest, weight_course, word_weights

ALONE = "中文字"


def grams_of(mail: Mail) -> list[str]:
    """The texts of the n-grams that the extractor finds."""
    extractor = Extractor(STUDY_KEY, True, 2000, counted=False, grams=True)
    extractor.extract(mail)
    return [extractor.text_of(i) for i in range(extractor.n) if extractor.token_spans[i, 2] >= GRAM]


def expected(mail: Mail) -> list[str]:
    """The same by regular expressions."""
    found: dict[str, None] = {}
    for name, text in mail.parts:
        prefix = f"~{name}:" if name else "~"
        pieces = re.split(f"([{ALONE}])", text.decode())
        for at, piece in enumerate(pieces):
            if piece in ALONE and piece:
                found[prefix + piece] = None
                continue
            folded = "".join(
                c if ord(c) < 0x10000 else "\ufffd" for c in re.sub("[A-Z]", lambda c: c[0].lower(), piece)
            )
            spaced = re.sub(r"[\x00-\x20\x7f]+", " ", f" {folded}{' ' if at == len(pieces) - 1 else ''}")
            found.update({prefix + spaced[i : i + 4]: None for i in range(len(spaced) - 3)})
    return list(found)[:MOST_GRAMS]


TEXT = st.text(st.sampled_from("abCD  é\t!~пр" + ALONE + "😀\u2028"), max_size=30)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_every_four_characters_in_a_row_and_each_of_a_script_without_spaces(subject: str, body: str):
    mail = Mail((Part("subject", subject.encode()), Part("", body.encode())))
    assert grams_of(mail) == expected(mail)


def test_bytes_that_are_no_text_are_one_character():
    for text in (b"ab\xff\xe4cd", b"ab\xc3", b"ab\xed\xa0\x80cd", b"\xf0\x9f", b"\xe0\x80\x80abc"):
        assert all(len(gram) == 5 for gram in grams_of(Mail((Part("", text),))))


def test_a_long_mail_has_no_more_than_it_may():
    text = "".join(random.Random(1).choices("abcdefgh", k=9000))
    assert grams_of(Mail((Part("", text.encode()),))) == expected(Mail((Part("", text.encode()),)))


def test_grams_are_of_short_mails():
    words = [f"w{number}" for number in range(200)]
    assert len(grams_of(Mail((Part("", " ".join(words[:100]).encode()),)))) == MOST_GRAMS  # 199 words and pairs
    assert grams_of(Mail((Part("", " ".join(words[:101]).encode()),))) == []


def test_the_longer_a_mail_and_the_fewer_are_known_the_less_its_grams_say():
    model = MailNB(grams=True)
    long = " ".join(f"w{number}" for number in range(80))
    model.learn_many(["free money", "lunch at noon", long[:200], long], ["spam", "ham", "ham", "ham"])

    def of_grams(text: str) -> float:
        """Their share in all that is said, for either class."""
        weights = {kind: 0.0 for kind in ("word", "pair", "gram")}
        for term in model.evidence(text).terms:
            weights[term.kind] += abs(term.weight)
        return weights["gram"] / sum(weights.values())

    assert of_grams("free money") > of_grams("free money qqq xxx zzz") > 0.0
    assert of_grams(long[:100]) > of_grams(long) > 0.0


def test_words_alone_are_found_without_grams():
    model = MailNB(grams=True)
    model.learn_many(["free money", "lunch at noon"], ["spam", "ham"])
    found = model.statistics.find("free monney", pairs=False)
    assert [model.statistics.text(number) for number in found] == ["free"]
    updates = [(0.0, "free money", model.grade("free money", "spam"))]
    assert weight_course(model, "monney", "spam", updates) == []


def mails(seed: int, n: int) -> list[Mail]:
    rng = random.Random(seed)
    return [
        Mail(
            (
                Part("subject", rng.choice([b"Free", b"free~", b"lunch"])),
                Part("", bytes(rng.choices(b"abcA \xd0", k=40))),
            )
        )
        for _ in range(n)
    ]


def learned(seed: int) -> tuple[MailNB, list[tuple[Mail, Update]]]:
    model = MailNB(grams=True)
    updates: list[tuple[Mail, Update]] = []
    for i, mail in enumerate(mails(seed, 60)):
        updates.append((mail, model.grade(mail, "ham" if i % 3 else "spam")))
        model.apply_update(*updates[-1])
    return model, updates


def test_learning_is_undone_merged_copied_and_saved_to_the_bit():
    model, updates = learned(1)
    other, more = learned(2)
    both = model.copy()
    both.merge(other)
    assert MailNB.from_bytes(both.to_bytes()).to_bytes() == both.to_bytes()
    assert MailNB.from_bytes(both.to_bytes()).grams
    for mail, update in updates:
        both.revert_update(mail, update)
    assert both.same_counts(other)
    random.Random(3).shuffle(more)
    for mail, update in more:
        both.revert_update(mail, update)
    assert both == MailNB(grams=True)


def test_all_ways_to_learn_give_the_same_bits():
    given_mails = mails(4, 50)
    labels = ["ham" if i % 2 else "spam" for i in range(50)]
    one, many, told = (MailNB(grams=True) for _ in range(3))
    recorder, total = one.recorder(), one.update_sum()
    log_odds: list[float] = []
    for mail, label in zip(given_mails, labels, strict=True):
        log_odds.append(one.score(mail).log_odds)
        recorder.learn(mail, label)
        total.add(recorder.take())
    assert many.score_then_learn(given_mails, labels) == log_odds
    told.apply_changes(total.take())
    assert one.to_bytes() == many.to_bytes() == told.to_bytes()
    assert [score.log_odds for score in told.score_many(given_mails)] == [
        one.score(mail).log_odds for mail in given_mails
    ]


def test_what_is_said_of_a_mail_adds_up_and_names_its_grams():
    model = MailNB(grams=True)
    for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")] * 9:
        model.learn_one(text, label)
    evidence = model.evidence("monney")
    assert sum(term.weight for term in evidence.terms) + evidence.bias == pytest.approx(evidence.log_odds, abs=1e-12)
    for_spam = {term.text: term.kind for term in evidence.terms if term.weight > 0}
    assert for_spam["~ mon"] == "gram" and for_spam["~ney "] == "gram"
    assert model.score("monney").log_odds > MailNB.score(_without(), "monney").log_odds
    assert not any("~" in term.text for term in (*strongest(model, "spam"), *word_weights(model, "spam")))


def _without() -> MailNB:
    model = MailNB()
    for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")] * 9:
        model.learn_one(text, label)
    return model


def test_max_features_bounds_them_too():
    model = MailNB(grams=True, max_features=2000)
    for i in range(400):
        model.learn_one(f"word{i} {i * 7919} {random.Random(i).random()}", "ham" if i % 2 else "spam")
    assert 1000 < model.features <= 2000


def test_changes_of_a_model_without_are_refused():
    recorder = MailNB().recorder()
    recorder.learn("free money", "spam")
    with pytest.raises(SnapshotError, match="n-grams"):
        MailNB(grams=True).apply_changes(recorder.take())
