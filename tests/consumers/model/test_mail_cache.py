"""Mails are read from memory while they are cached, else from the log."""

import tracemalloc

import pytest

from consumers.errors import BadRecord
from consumers.model import mail_cache
from consumers.model.mail_cache import MailCache
from stream_nb.types import Mail, Part
from tests.support.memory_log import new_log
from tests.support.worker_run import short_mail


@pytest.fixture
def log(monkeypatch):
    """A log with the mails m0 to m9, which keeps the offsets that are read."""
    log = new_log()
    log.append([short_mail(f"m{number}", "words") for number in range(10)])
    log.reads = []
    read_at = log.read_at

    def recording_read_at(place, offset):
        log.reads.append(offset)
        return read_at(place, offset)

    monkeypatch.setattr(log, "read_at", recording_read_at)
    return log


def mail_of_size(size):
    return Mail((Part("", b"x" * size),))


def test_the_latest_mails_are_cached_and_older_ones_are_read_from_the_log(log, monkeypatch):
    monkeypatch.setattr(mail_cache, "CACHE_BYTES", 10_000)
    cache = MailCache(log, 0, "safe")
    for number in range(3):
        cache.put(number + 1, mail_of_size(4_000), 4_000)

    assert cache.get("m2", 3) == cache.get("m1", 2) == mail_of_size(4_000)
    assert log.reads == []
    assert Part("subject", b"m0") in cache.get("m0", 1).parts
    assert log.reads == [0]


def test_many_caches_share_their_memory(log, monkeypatch):
    monkeypatch.setattr(mail_cache, "ALL_BYTES", 50_000)
    for caches, read in ((1, []), (10, [0])):
        cache = MailCache(log, 0, "safe", caches)
        for number in range(2):
            cache.put(number + 1, mail_of_size(4_000), 4_000)
        cache.get("m0", 1)
        assert log.reads == read


def test_a_mail_put_repeatedly_uses_its_memory_once(log, monkeypatch):
    monkeypatch.setattr(mail_cache, "CACHE_BYTES", 10_000)
    cache = MailCache(log, 0, "safe")
    for _ in range(10):
        cache.put(1, mail_of_size(4_000), 4_000)
    cache.put(2, mail_of_size(4_000), 4_000)

    assert (cache.get("m0", 1), cache.get("m1", 2)) == (mail_of_size(4_000), mail_of_size(4_000))
    assert log.reads == []


def test_many_short_mails_stay_within_the_memory_of_the_cache(log, monkeypatch):
    monkeypatch.setattr(mail_cache, "CACHE_BYTES", 1_000_000)
    cache = MailCache(log, 0, "safe")
    tracemalloc.start()
    for number in range(20_000):
        cache.put(number + 1, Mail((Part("subject", b"%d" % number), Part("", b"see you %d" % number))), 20)
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 300_000 < used < 1_500_000


def test_a_mail_that_has_left_the_log_raises_bad_record(log):
    with pytest.raises(BadRecord, match=r"emails\[0\]@10 of 'm10' is no longer kept"):
        MailCache(log, 0, "safe").get("m10", 11)


def test_another_mail_at_the_place_of_a_learned_one_raises_bad_record(log):
    """As after the topic was deleted and created again; its words must not be unlearned instead."""
    with pytest.raises(BadRecord, match=r"emails\[0\]@1 of 'm0' is another mail now"):
        MailCache(log, 0, "safe").get("m0", 2)
