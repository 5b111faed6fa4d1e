"""A source may teach no more than its share in an hour."""

import msgspec

from consumers.evaluation.verify import verify
from consumers.settings import WorkerSettings
from tests.support.few_mails import TEXTS, learn_in_memory, mail, work
from tests.support.worker_run import EVERYTHING, label


def test_a_source_above_its_cap_teaches_nothing_more(log):
    capped = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, source_cap_per_hour=2))
    records = [mail(i) for i in TEXTS] + [label(i, "spam", "eve") for i in TEXTS] + [label("d", "ham", "ann")]

    model = work(log, capped, records)

    assert model.labels_learned == 3
    assert model == learn_in_memory(log, {"a": ("spam", "eve"), "b": ("spam", "eve"), "d": ("ham", "ann")})
    assert verify(log, capped).differences == ()
