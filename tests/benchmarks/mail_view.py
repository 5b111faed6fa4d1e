"""The benefit of each part of the mail view: test-then-train figures with the view and with one change at a time.

    python -m tests.benchmarks.mail_view [--shuffle SEED] [--headers keep] PATH...

PATH is anything `stream-nb feed` reads, with labels. Prints one line per path: accuracy % / (1-AUC)% of each view.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from consumers.evaluation.report import RunningReport
from consumers.ingest.formats import open_source
from stream_nb import MailNB
from stream_nb.errors import MailError
from stream_nb.mail import read_mail
from stream_nb.types import Mail, Part


def as_it_is(parts: list[Part]) -> list[Part]:
    return parts


def subject_not_in_body(parts: list[Part]) -> list[Part]:
    subject = next((part.text for part in parts if part.name == "subject"), None)
    return [
        Part("", part.text[len(subject) + 1 :]) if part.name == "" and subject is not None else part for part in parts
    ]


def subject_in_body_only(parts: list[Part]) -> list[Part]:
    return [part for part in parts if part.name != "subject"]


def no_header_names(parts: list[Part]) -> list[Part]:
    return [part for part in parts if part.name != "header-names"]


def hidden_in_body(parts: list[Part]) -> list[Part]:
    return [Part("", part.text) if part.name == "hidden" else part for part in parts]


def hidden_dropped(parts: list[Part]) -> list[Part]:
    return [part for part in parts if part.name != "hidden"]


VIEWS = (
    as_it_is,
    subject_not_in_body,
    subject_in_body_only,
    no_header_names,
    hidden_in_body,
    hidden_dropped,
)


def figures(items: list[tuple[list[Part], str]], view: Callable[[list[Part]], list[Part]]) -> str:
    model, found = MailNB(key=b"the same key for every run"), RunningReport("spam")
    for parts, label in items:
        mail = Mail(tuple(view(parts)))
        score = model.score(mail)
        found.update(label, score.label, score.log_odds)
        model.learn_one(mail, label)
    report = found.report()
    return f"{100 * report.accuracy:.2f} / {report.one_minus_auc_pct:.4f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("paths", nargs="+")
    options.add_argument("--shuffle", type=int)
    options.add_argument("--headers", default="safe")
    options = options.parse_args()
    for path in options.paths:
        items = []
        for item in open_source(path, shuffle=options.shuffle):
            try:
                items.append((list(read_mail(item.value, options.headers).mail.parts), item.label))
            except MailError as error:
                print(f"{path}: {item.id}: {error}")
        print(path, len(items))
        for view in VIEWS:
            print(f"    {view.__name__.replace('_', ' '):24} {figures(items, view)}", flush=True)


if __name__ == "__main__":
    main()
