"""Character n-grams equal those that regular expressions find, and models with n-grams stay exact."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb import Mail, MailNB, Part, SnapshotError, Update
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.features.gram_layout import GRAM, MOST_GRAMS
from stream_nb.mail_nb.vocabulary import strongest, weight_course, word_weights

ALONE = "中文字"


def grams_of(mail: Mail) -> list[str]:
    """The texts of the n-grams that the extractor finds."""
    extractor = Extractor(STUDY_KEY, True, 2000, counted=False, grams=True)
    extractor.extract(mail)
    return [extractor.text_of(i) for i in range(extractor.n) if extractor.token_spans[i, 2] >= GRAM]


def expected_grams(mail: Mail) -> list[str]:
    """The n-grams of a mail, found by regular expressions."""
    grams: dict[str, None] = {}
    for name, text in mail.parts:
        prefix = f"~{name}:" if name else "~"
        pieces = re.split(f"([{ALONE}])", text.decode())
        for at, piece in enumerate(pieces):
            if piece in ALONE and piece:
                grams[prefix + piece] = None
                continue
            folded = "".join(
                c if ord(c) < 0x10000 else "\ufffd" for c in re.sub("[A-Z]", lambda c: c[0].lower(), piece)
            )
            spaced = re.sub(r"[\x00-\x20\x7f]+", " ", f" {folded}{' ' if at == len(pieces) - 1 else ''}")
            grams.update({prefix + spaced[i : i + 4]: None for i in range(len(spaced) - 3)})
    return list(grams)[:MOST_GRAMS]


TEXT = st.text(st.sampled_from("abCD  é\t!~пр" + ALONE + "😀\u2028"), max_size=30)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_n_grams_are_four_characters_or_one_of_a_script_without_spaces(subject: str, body: str):
    mail = Mail((Part("subject", subject.encode()), Part("", body.encode())))
    assert grams_of(mail) == expected_grams(mail)


def test_an_invalid_byte_sequence_is_one_character():
    for text in (b"ab\xff\xe4cd", b"ab\xc3", b"ab\xed\xa0\x80cd", b"\xf0\x9f", b"\xe0\x80\x80abc"):
        assert all(len(gram) == 5 for gram in grams_of(Mail((Part("", text),))))


def test_the_number_of_n_grams_of_a_mail_is_limited():
    text = "".join(random.Random(1).choices("abcdefgh", k=9000))
    assert grams_of(Mail((Part("", text.encode()),))) == expected_grams(Mail((Part("", text.encode()),)))


def test_n_grams_are_extracted_only_from_short_mails():
    words = [f"w{number}" for number in range(200)]
    assert len(grams_of(Mail((Part("", " ".join(words[:100]).encode()),)))) == MOST_GRAMS  # 199 words and pairs
    assert grams_of(Mail((Part("", " ".join(words[:101]).encode()),))) == []


def test_n_grams_weigh_less_in_longer_mails_and_beside_unknown_words():
    model = MailNB(grams=True)
    long = " ".join(f"w{number}" for number in range(80))
    model.learn_many(["free money", "lunch at noon", long[:200], long], ["spam", "ham", "ham", "ham"])

    def share_of_grams(text: str) -> float:
        """The share of n-grams in the sum of absolute weights."""
        weights = {kind: 0.0 for kind in ("word", "pair", "gram")}
        for term in model.evidence(text).terms:
            weights[term.kind] += abs(term.weight)
        return weights["gram"] / sum(weights.values())

    assert share_of_grams("free money") > share_of_grams("free money qqq xxx zzz") > 0.0
    assert share_of_grams(long[:100]) > share_of_grams(long) > 0.0


def test_lookups_of_words_do_not_return_n_grams():
    model = MailNB(grams=True)
    model.learn_many(["free money", "lunch at noon"], ["spam", "ham"])
    found = model.statistics.find("free monney", pairs=False)
    assert [model.statistics.text(row) for row in found] == ["free"]
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


def learn_mails(seed: int) -> tuple[MailNB, list[tuple[Mail, Update]]]:
    model = MailNB(grams=True)
    updates: list[tuple[Mail, Update]] = []
    for i, mail in enumerate(mails(seed, 60)):
        updates.append((mail, model.grade(mail, "ham" if i % 3 else "spam")))
        model.apply_update(*updates[-1])
    return model, updates


def test_models_with_n_grams_are_merged_saved_and_unlearned_bit_for_bit():
    model, updates = learn_mails(1)
    other, other_updates = learn_mails(2)
    both = model.copy()
    both.merge(other)
    assert MailNB.from_bytes(both.to_bytes()).to_bytes() == both.to_bytes()
    assert MailNB.from_bytes(both.to_bytes()).grams
    for mail, update in updates:
        both.revert_update(mail, update)
    assert both.same_counts(other)
    random.Random(3).shuffle(other_updates)
    for mail, update in other_updates:
        both.revert_update(mail, update)
    assert both == MailNB(grams=True)


def test_single_batch_and_recorded_learning_with_n_grams_give_the_same_model():
    messages = mails(4, 50)
    labels = ["ham" if i % 2 else "spam" for i in range(50)]
    model, batch, follower = (MailNB(grams=True) for _ in range(3))
    recorder, total = model.recorder(), model.update_sum()
    log_odds: list[float] = []
    for mail, label in zip(messages, labels, strict=True):
        log_odds.append(model.score(mail).log_odds)
        recorder.learn(mail, label)
        total.add(recorder.take())
    assert batch.score_then_learn(messages, labels) == log_odds
    follower.apply_changes(total.take())
    assert model.to_bytes() == batch.to_bytes() == follower.to_bytes()
    assert [score.log_odds for score in follower.score_many(messages)] == [
        model.score(mail).log_odds for mail in messages
    ]


def test_evidence_with_n_grams_adds_up_and_lists_them_but_vocabularies_do_not():
    model = MailNB(grams=True)
    for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")] * 9:
        model.learn_one(text, label)
    evidence = model.evidence("monney")
    assert sum(term.weight for term in evidence.terms) + evidence.bias == pytest.approx(evidence.log_odds, abs=1e-12)
    for_spam = {term.text: term.kind for term in evidence.terms if term.weight > 0}
    assert for_spam["~ mon"] == "gram" and for_spam["~ney "] == "gram"
    assert model.score("monney").log_odds > MailNB.score(model_without_grams(), "monney").log_odds
    assert not any("~" in term.text for term in (*strongest(model, "spam"), *word_weights(model, "spam")))


def model_without_grams() -> MailNB:
    model = MailNB()
    for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")] * 9:
        model.learn_one(text, label)
    return model


def test_max_features_includes_n_grams():
    model = MailNB(grams=True, max_features=2000)
    for i in range(400):
        model.learn_one(f"word{i} {i * 7919} {random.Random(i).random()}", "ham" if i % 2 else "spam")
    assert 1000 < model.features <= 2000


def test_changes_of_a_model_without_n_grams_are_refused():
    recorder = MailNB().recorder()
    recorder.learn("free money", "spam")
    with pytest.raises(SnapshotError, match="n-grams"):
        MailNB(grams=True).apply_changes(recorder.take())
