"""Real archives: the streams can be reproduced, and all of their mails can be read."""

import random

from consumers.ingest.formats import open_source
from stream_nb.mail import mime, read_mail


def test_spamassassin_is_in_the_order_of_the_published_figures(real_mail, monkeypatch):
    folder = real_mail("spamassassin")
    paths = [path for part in sorted(folder.iterdir()) for path in sorted(part.iterdir())]
    random.Random(0).shuffle(paths)
    slow = []
    monkeypatch.setattr(mime, "parse_slowly", lambda raw, call=mime.parse_slowly: slow.append(raw) or call(raw))

    items = list(open_source(folder, shuffle=0))

    assert [item.value for item in items] == [path.read_bytes() for path in paths]
    assert [item.label for item in items] == ["spam" if "spam" in path.parent.name else "ham" for path in paths]
    assert len({item.id for item in items}) == len(items) == 6046
    for item in items:
        parsed = read_mail(item.value)
        assert dict(parsed.mail.parts)[""].strip() and parsed.message_id == item.id
    assert 0 < len(slow) < 20  # headers of enclosed mails included


def test_enron_is_in_order_of_arrival(real_mail):
    folder = real_mail("enron1")
    paths = [path for part in ("ham", "spam") for path in (folder / part).iterdir()]
    paths.sort(key=lambda path: (int(path.name.split(".")[0]), path.name))

    items = list(open_source(folder))

    assert [item.value for item in items] == [path.read_bytes() for path in paths]
    assert [item.label for item in items] == [path.parent.name for path in paths]
    for item in items[:200]:
        parsed = read_mail(item.value)
        line, _, text = item.value.removeprefix(b"Subject:").partition(b"\n")
        assert dict(parsed.mail.parts)["subject"] == line.strip()
        assert text.strip()[:20] in dict(parsed.mail.parts)[""]
