"""Records of several topics are merged in order of time, and wait while an older one may still come."""

from hypothesis import given
from hypothesis import strategies as st

from consumers.log.base import Record, TopicPartition
from consumers.log.read_size import MOST_READ_BYTES
from consumers.log.time_merge import TimeMerge

EMAILS, LABELS = "emails", "labels"


def record(topic, offset, timestamp, partition=0):
    return Record(topic, partition, offset, b"k", b"v", timestamp)


def merge_of(lag):
    merge = TimeMerge((EMAILS, LABELS), lag)
    merge.assign([TopicPartition(EMAILS, 0), TopicPartition(LABELS, 0)])
    return merge


def test_records_are_merged_by_time_and_a_mail_precedes_a_label_of_the_same_time():
    merge = merge_of(lambda place: 0)
    merge.add([record(EMAILS, 0, 1.0), record(EMAILS, 1, 2.0), record(LABELS, 0, 1.5), record(LABELS, 1, 2.0)])

    order = [(r.topic, r.offset) for _, r in merge.ready()]

    assert order == [(EMAILS, 0), (LABELS, 0), (EMAILS, 1), (LABELS, 1)]


def test_records_of_the_same_time_come_in_the_order_in_which_the_topics_were_given():
    merge = TimeMerge((LABELS, EMAILS), lambda place: 0)
    merge.assign([TopicPartition(EMAILS, 0), TopicPartition(LABELS, 0)])
    merge.add([record(EMAILS, 0, 1.0), record(LABELS, 0, 1.0)])

    assert [place.topic for place, _ in merge.ready()] == [LABELS, EMAILS]


def test_after_a_mail_dated_in_the_future_labels_still_follow_their_mails():
    merge = merge_of(lambda place: 0)
    merge.add([record(EMAILS, 0, 1000.0)])
    assert len(list(merge.ready())) == 1

    merge.add([record(EMAILS, 1, 2.0), record(LABELS, 0, 3.0)])

    assert [place.topic for place, _ in merge.ready()] == [EMAILS, LABELS]


def test_records_wait_while_another_topic_is_not_read_to_its_end():
    unread = {LABELS: None}
    merge = merge_of(lambda place: unread.get(place.topic, 0))
    merge.add([record(EMAILS, 0, 1.0), record(EMAILS, 1, 3.0)])
    assert list(merge.ready()) == []

    unread[LABELS] = 5
    assert list(merge.ready()) == []

    merge.add([record(LABELS, 0, 2.0)])
    assert [(r.topic, r.offset) for _, r in merge.ready()] == [(EMAILS, 0), (LABELS, 0)]
    assert merge.waiting == 1

    unread[LABELS] = 0
    assert [(r.topic, r.offset) for _, r in merge.ready()] == [(EMAILS, 1)]


def test_the_partitions_of_a_set_come_in_the_same_order_in_every_process():
    merge = TimeMerge((EMAILS, LABELS), lambda place: 0)
    merge.assign(TopicPartition(topic, partition) for topic in (LABELS, EMAILS) for partition in (2, 0, 1))
    merge.add([record(EMAILS, 0, 1.0, partition) for partition in (1, 2, 0)])
    assert [place.partition for place, _ in merge.ready()] == [0, 1, 2]


def test_how_far_a_partition_is_read_is_asked_only_where_records_wait():
    """A worker may have hundreds of partitions, and makes hundreds of steps a second."""
    asked: list[TopicPartition] = []
    merge = TimeMerge((EMAILS, LABELS), lambda place: asked.append(place) or 0)
    merge.assign([TopicPartition(topic, partition) for topic in (EMAILS, LABELS) for partition in range(3)])
    merge.add([record(EMAILS, 0, 1.0, partition=1)])

    assert len(list(merge.ready())) == 1
    assert {place.partition for place in asked} == {1}


def test_partitions_with_as_many_waiting_records_as_given_are_full():
    merge = merge_of(lambda place: None)
    merge.add([record(EMAILS, 0, 1.0), record(EMAILS, 1, 2.0)])
    assert (merge.full(3), merge.full(2)) == ([], [TopicPartition(EMAILS, 0)])

    merge.add([record(LABELS, 0, 1.5)])
    assert merge.full(1) == [TopicPartition(EMAILS, 0), TopicPartition(LABELS, 0)]
    assert len(list(merge.ready())) == 2
    assert merge.full(1) == [TopicPartition(EMAILS, 0)]


def test_partitions_with_as_many_waiting_bytes_as_one_read_are_full():
    """Mails may be a megabyte in size, and thousands of them may wait for older labels."""
    merge = merge_of(lambda place: None)
    merge.add([Record(EMAILS, 0, n, b"k", bytes(MOST_READ_BYTES // 2), 1.0) for n in range(2)])
    merge.add([Record(LABELS, 0, 0, b"k", None, 0.0)])

    assert merge.full(1_000) == [TopicPartition(EMAILS, 0)]


def test_a_new_assignment_clears_the_buffer():
    merge = merge_of(lambda place: None)
    merge.add([record(EMAILS, 0, 1.0)])

    merge.assign([TopicPartition(EMAILS, 0)])

    assert merge.waiting == 0


@given(
    mails=st.lists(st.integers(0, 20), max_size=15),
    labels=st.lists(st.integers(0, 20), max_size=15),
    cuts=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=20),
)
def test_the_order_does_not_depend_on_the_sizes_of_polls(mails, labels, cuts):
    """Any split into polls gives the order of a single poll, and each topic keeps its own order."""
    streams = {
        EMAILS: [record(EMAILS, i, float(second)) for i, second in enumerate(mails)],
        LABELS: [record(LABELS, i, float(second)) for i, second in enumerate(labels)],
    }

    def run(steps):
        left = {topic: list(records) for topic, records in streams.items()}
        merge = merge_of(lambda place: len(left[place.topic]))
        out = []
        for sizes in steps:
            for topic, size in zip((EMAILS, LABELS), sizes, strict=True):
                merge.add(left[topic][:size])
                del left[topic][:size]
            out += [r for _, r in merge.ready()]
        return out

    whole = run([(99, 99)])

    assert run([*cuts, (99, 99)]) == whole
    for topic in streams:
        assert [r for r in whole if r.topic == topic] == streams[topic]


def test_all_partitions_together_are_merged_by_time():
    unread = {}
    merge = TimeMerge((EMAILS, LABELS), lambda place: unread.get(place, 0), together=True)
    places = [TopicPartition(topic, partition) for topic in (EMAILS, LABELS) for partition in (0, 1)]
    merge.assign(places)
    merge.add([record(EMAILS, 0, 1.0), record(EMAILS, 1, 4.0), record(EMAILS, 0, 2.0, 1), record(LABELS, 0, 3.0, 1)])
    assert [(r.partition, r.timestamp) for _, r in merge.ready()] == [(0, 1.0), (1, 2.0), (1, 3.0), (0, 4.0)]

    unread[TopicPartition(EMAILS, 1)] = 1
    merge.add([record(EMAILS, 2, 6.0)])
    assert list(merge.ready()) == []
    assert [merge.waiting_in(place) for place in places] == [1, 0, 0, 0]

    merge.add([record(EMAILS, 1, 5.0, 1)])
    assert [r.timestamp for _, r in merge.ready()] == [5.0]
