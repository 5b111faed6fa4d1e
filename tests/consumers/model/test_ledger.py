"""The ledger: the latest vote not withdrawn is the label, whatever the history; memory is bounded."""

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


def ledger(mails=100, labels=100, seconds=DAY):
    return Ledger(mails, labels, seconds)


def record_label(book, *records):
    for record in records:
        book.put(book.record_label(record, record.timestamp))


def vote(label, source="ann", at=0.0, message="a", forget=False):
    return LabelRecord(message, label, source, at, forget)


@given(st.lists(records, max_size=30))
def test_the_label_is_the_latest_vote_that_was_not_forgotten_and_silence_counts_only_alone(history):
    book = ledger()
    record_label(book, *history)

    for message in ("a", "b"):
        standing: dict[str, str | None] = {}
        for record in (r for r in history if r.id == message):
            standing.pop(record.source, None)
            if not record.forget:
                standing[record.source] = record.label
        said = {source: label for source, label in standing.items() if source != SILENCE} or standing
        expected = list(said.values())[-1] if said else None
        entry = book.entries.get(message)
        assert (entry.label if entry else None) == expected


@given(st.lists(records, max_size=20))
def test_only_the_last_vote_of_each_source_matters(history):
    """Leaving out every vote that its source replaced later changes nothing."""
    last = {(record.id, record.source): i for i, record in enumerate(history)}
    thinned = [r for i, r in enumerate(history) if last[r.id, r.source] == i]
    whole, short = ledger(), ledger()
    record_label(whole, *history)
    record_label(short, *thinned)

    assert {k: e.votes for k, e in whole.entries.items()} == {k: e.votes for k, e in short.entries.items()}


def test_a_label_may_come_before_its_mail():
    book = ledger()
    record_label(book, vote("spam"))
    assert book.entries["a"].awaits_mail

    assert book.record_mail("a", 7)
    book.put(book.record_label(vote("spam", at=1.0), 1.0))

    assert not book.entries["a"].awaits_mail
    assert book.entries["a"].next_offset == 7


def test_a_second_mail_of_the_same_id_is_refused():
    book = ledger()

    assert book.record_mail("a", 1)
    assert not book.record_mail("a", 2)
    assert book.find_mail("a") == 1


def test_a_mail_whose_labels_were_all_withdrawn_after_a_restart_still_counts_as_seen():
    """A ledger that is read anew gets the labels first and then the mails."""
    book = ledger()
    book.restore([Entry("a", 7, 0.0, (LabelVote("ann", "ham", 0.0),))])

    assert not book.record_mail("a", 7)
    record_label(book, vote(None, forget=True))

    assert book.entries == {}
    assert not book.record_mail("a", 12)
    assert book.find_mail("a") == 7


def test_withdrawing_one_vote_makes_another_count_again():
    book = ledger()
    record_label(book, vote("spam", "ann"), vote("ham", "eve"), vote(None, "eve", forget=True))

    assert book.entries["a"].label == "spam"
    assert book.entries["a"].vote.source == "ann"


def test_an_update_is_kept_although_no_vote_is_left():
    """It still has to be reverted."""
    book = ledger()
    update = Update("spam", 256, (), "ann")
    book.put(Entry("a", 1, 0.0, (LabelVote("ann", "spam", 0.0),), update))

    entry = book.record_label(vote(None, forget=True), 0.0)

    assert (entry.label, entry.update) == (None, update)


def test_mails_labels_and_votes_are_bounded():
    book = ledger(mails=3, labels=5)
    for i in range(10):
        book.record_mail(f"m{i}", i + 1)
        record_label(book, vote("spam", message=f"l{i}", at=float(i)))
    record_label(book, *(vote("ham", f"source {i}", at=9.0, message="l9") for i in range(50)))

    gone = book.expired(now=10.0)
    for entry in gone:
        book.evict(entry.id)

    assert [book.find_mail(f"m{i}") for i in (6, 7, 9)] == [0, 8, 10]
    assert [entry.id for entry in gone] == ["l0", "l1", "l2", "l3", "l4"]
    assert len(book.entries) == 5
    assert len(book.entries["l9"].votes) == MAX_VOTES


def test_what_is_too_old_goes_and_takes_its_mail_with_it():
    book = ledger()
    book.record_mail("a", 1)
    record_label(book, vote("spam", at=0.0))
    assert book.expired(now=DAY) == []

    assert [entry.id for entry in book.expired(now=DAY + 1)] == ["a"]
    assert book.evict("a").label == "spam"
    assert book.evict("a") is None
    assert (book.entries, book.find_mail("a")) == ({}, 0)


def test_the_time_that_a_label_claims_does_not_age_it():
    book = ledger()
    book.put(book.record_label(vote("spam", at=0.0), 5 * DAY))

    assert book.expired(now=5 * DAY + 1) == []
