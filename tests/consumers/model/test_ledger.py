"""The ledger: a mail's label is the latest vote that was not withdrawn, and memory is bounded."""

from hypothesis import given
from hypothesis import strategies as st

from consumers.model.ledger import MAX_VOTES, Entry, LabelVote, Ledger
from consumers.records.schemas import SILENCE, LabelRecord
from stream_nb.types import Update

DAY = 86_400.0
records = st.builds(
    LabelRecord,
    id=st.sampled_from(["a", "b"]),
    label=st.sampled_from(["ham", "spam", None]),
    source=st.sampled_from(["ann", "bob", SILENCE]),
    timestamp=st.just(0.0),
    forget=st.booleans(),
)


def new_ledger(mails=100, labels=100):
    return Ledger(mails, labels, DAY)


def record_labels(ledger, *records):
    for record in records:
        ledger.put(ledger.record_label(record, record.timestamp))


def vote(label, source="ann", at=0.0, message="a", forget=False):
    return LabelRecord(message, label, source, at, forget)


@given(st.lists(records, max_size=30))
def test_the_label_is_the_latest_vote_not_withdrawn_and_silence_counts_only_alone(history):
    ledger = new_ledger()
    record_labels(ledger, *history)

    for message in ("a", "b"):
        votes: dict[str, str | None] = {}
        for record in (r for r in history if r.id == message):
            votes.pop(record.source, None)
            if not record.forget:
                votes[record.source] = record.label
        counting_votes = {source: label for source, label in votes.items() if source != SILENCE} or votes
        expected = list(counting_votes.values())[-1] if counting_votes else None
        entry = ledger.entries.get(message)
        assert (entry.label if entry else None) == expected


def test_a_label_without_a_timestamp_was_given_when_its_record_was_appended():
    ledger = new_ledger()

    ann, bob = LabelRecord("a", "spam", "ann"), vote("spam", "bob", at=3.0)
    for record in (ann, bob):
        ledger.put(ledger.record_label(record, timestamp=7.0))

    assert ledger.entries["a"].votes == (LabelVote("ann", "spam", 7.0), LabelVote("bob", "spam", 3.0))


@given(st.lists(records, max_size=20))
def test_votes_replaced_by_their_source_have_no_effect(history):
    """A history without them gives the same votes."""
    last = {(record.id, record.source): i for i, record in enumerate(history)}
    shortened = [r for i, r in enumerate(history) if last[r.id, r.source] == i]
    full_ledger, short_ledger = new_ledger(), new_ledger()
    record_labels(full_ledger, *history)
    record_labels(short_ledger, *shortened)

    assert {k: e.votes for k, e in full_ledger.entries.items()} == {k: e.votes for k, e in short_ledger.entries.items()}


def test_a_label_before_its_mail_waits_for_it():
    ledger = new_ledger()
    record_labels(ledger, vote("spam"))
    assert ledger.entries["a"].awaits_mail

    assert ledger.record_mail("a", 7)
    ledger.put(ledger.record_label(vote("spam", at=1.0), 1.0))

    assert not ledger.entries["a"].awaits_mail
    assert ledger.entries["a"].next_offset == 7
    record_labels(ledger, vote(None, message="b"))
    assert not ledger.entries["b"].awaits_mail  # "no label" is a vote, but no label that waits


def test_a_second_mail_with_the_same_id_is_not_recorded():
    ledger = new_ledger()

    assert ledger.record_mail("a", 1)
    assert not ledger.record_mail("a", 2)
    assert ledger.find_mail("a") == 1


def test_a_mail_whose_labels_were_withdrawn_after_a_restart_is_still_known():
    """A ledger that is restored gets the labels first and then the mails."""
    ledger = new_ledger()
    ledger.restore([Entry("a", 7, 0.0, (LabelVote("ann", "ham", 0.0),))])

    assert not ledger.record_mail("a", 7)
    record_labels(ledger, vote(None, forget=True))

    assert ledger.entries == {}
    assert not ledger.record_mail("a", 12)
    assert ledger.find_mail("a") == 7


def test_withdrawing_the_latest_vote_makes_the_one_before_it_count_again():
    ledger = new_ledger()
    record_labels(ledger, vote("spam", "ann"), vote("ham", "eve"), vote(None, "eve", forget=True))

    assert ledger.entries["a"].label == "spam"
    assert ledger.entries["a"].vote.source == "ann"


def test_the_update_of_an_entry_is_kept_when_its_last_vote_is_withdrawn():
    """The worker still has to revert it."""
    ledger = new_ledger()
    update = Update("spam", 256, (), "ann")
    ledger.put(Entry("a", 1, 0.0, (LabelVote("ann", "spam", 0.0),), update))

    entry = ledger.record_label(vote(None, forget=True), 0.0)

    assert (entry.label, entry.update) == (None, update)


def test_the_numbers_of_mails_labels_and_votes_are_bounded():
    ledger = new_ledger(mails=3, labels=5)
    for i in range(10):
        ledger.record_mail(f"m{i}", i + 1)
        record_labels(ledger, vote("spam", message=f"l{i}", at=float(i)))
    record_labels(ledger, *(vote("ham", f"source {i}", at=9.0, message="l9") for i in range(50)))

    expired = ledger.expired(now=10.0)
    assert ledger.expired(now=10.0, most=2) == expired[:2]
    for entry in expired:
        ledger.evict(entry.id)

    assert [ledger.find_mail(f"m{i}") for i in (6, 7, 9)] == [0, 8, 10]
    assert [entry.id for entry in expired] == ["l0", "l1", "l2", "l3", "l4"]
    assert len(ledger.entries) == 5
    assert len(ledger.entries["l9"].votes) == MAX_VOTES


def test_an_expired_label_is_evicted_together_with_its_mail():
    ledger = new_ledger()
    ledger.record_mail("a", 1)
    record_labels(ledger, vote("spam", at=0.0))
    assert ledger.expired(now=DAY) == []

    assert [entry.id for entry in ledger.expired(now=DAY + 1)] == ["a"]
    assert ledger.evict("a").label == "spam"
    assert ledger.evict("a") is None
    assert (ledger.entries, ledger.find_mail("a")) == ({}, 0)


def test_a_label_expires_by_the_time_it_was_recorded_not_by_the_time_it_claims():
    ledger = new_ledger()
    ledger.put(ledger.record_label(vote("spam", at=0.0), 5 * DAY))

    assert ledger.expired(now=5 * DAY + 1) == []


def test_an_update_teaches_unless_the_cap_of_its_source_emptied_it():
    """One of a mail that was scored well has no weight, but counts in the totals."""
    updates = (
        Update("spam", 256, (0, 0), "ann"),
        Update("spam", 0, (1, 0), "ann"),
        Update("spam", 0, (0, 0), "ann"),
        None,
    )

    assert [Entry("a", 1, 0.0, (), update).teaches for update in updates] == [True, True, False, False]


def test_a_label_above_the_cap_of_its_source_is_told_from_one_that_was_learned():
    learned, capped = (Entry("a", 1, 0.0, (), Update("spam", 0, (counted,), "ann")) for counted in (256, 0))
    assert learned.learned_at(7.0) == ("a", "spam", 7.0, False)
    assert capped.learned_at(7.0) == ("a", "spam", 7.0, True)
    assert Entry("a", 1, 0.0).learned_at(7.0) == ("a", None, 7.0, False)
