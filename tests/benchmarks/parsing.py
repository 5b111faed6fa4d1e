"""The cost of parsing a mail compared with the MIME parser alone, on the same mails; and the cost of hostile mail.

    python -m tests.benchmarks.parsing PATH      PATH is anything `stream-nb feed` reads
    python -m tests.benchmarks.parsing --hostile

CPU time, the minimum of several interleaved passes: only the ratios are meaningful.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial

from fast_mail_parser import ParseError, parse_email

from consumers.ingest.formats import open_source
from stream_nb.errors import MailError
from stream_nb.mail import read_mail
from stream_nb.mail.headers import KeptFields
from stream_nb.mail.html import html_text
from stream_nb.mail.limits import guarded
from stream_nb.mail.parser import KEEP
from tests.stream_nb.mail.hostile import MAILS

PASSES = 5


def parse_alone(raw: bytes) -> None:
    try:
        parse_email(raw, mode="lazy")
    except ParseError:
        pass


def ignoring_refusals(call: Callable[[bytes], object]) -> Callable[[bytes], object]:
    def run(raw: bytes) -> None:
        try:
            call(raw)
        except MailError:
            pass

    return run


def left_to_parser(raws: Sequence[bytes], kept: KeptFields) -> list[bytes]:
    """The mails as the parser gets them."""
    left = []
    for raw in raws:
        try:
            safe, header = guarded(raw, kept)
            left.append(header.left + safe[header.end :])
        except MailError:
            pass
    return left


def html_bodies(raws: Sequence[bytes]) -> list[bytes]:
    bodies = []
    for raw in raws:
        try:
            bodies += [html.encode() for html in parse_email(guarded(raw)[0], mode="lazy").text_html]
        except (ParseError, MailError):
            pass
    return bodies


def compare(raws: Sequence[bytes]) -> None:
    kept = KeptFields(KEEP)
    stages = {
        "fast-mail-parser alone": (parse_alone, raws),
        "guards and header fields": (ignoring_refusals(partial(guarded, kept=kept)), raws),
        "parser on what is left": (parse_alone, left_to_parser(raws, kept)),
        "HTML to text": (html_text, html_bodies(raws)),
        "read_mail": (ignoring_refusals(partial(read_mail, headers="keep")), raws),
        "read_mail, safe headers": (ignoring_refusals(read_mail), raws),
    }
    best = dict.fromkeys(stages, float("inf"))
    read_mail(b"Content-Type: text/html\n\n")  # compiles
    for _ in range(PASSES):
        for name, (call, inputs) in stages.items():
            best[name] = min(best[name], seconds(call, inputs))
    floor = best["fast-mail-parser alone"]
    print(f"{len(raws)} mails, {sum(map(len, raws)) / len(raws):.0f} bytes on average")
    print(f"{'':26}{'us a mail':>12}{'of the parser':>16}")
    for name, cost in best.items():
        print(f"{name:26}{cost / len(raws) * 1e6:12.1f}{cost / floor:16.2f}")
    print(f"the parser alone is {floor / best['read_mail']:.2f} of read_mail")


def hostile() -> None:
    read_mail(b"Content-Type: text/html\n\n")  # compiles
    print(f"{'':40}{'bytes':>10}{'seconds':>10}")
    for name, build in MAILS.items():
        raw = build()
        print(f"{name:40}{len(raw):10}{seconds(read_mail, [raw]):10.3f}")


def seconds(call: Callable[[bytes], object], inputs: Sequence[bytes]) -> float:
    started = time.process_time()
    for value in inputs:
        call(value)
    return time.process_time() - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("path", nargs="?")
    options.add_argument("--hostile", action="store_true")
    options = options.parse_args()
    if options.path is not None:
        compare([item.value for item in open_source(options.path)])
    if options.hostile or options.path is None:
        hostile()


if __name__ == "__main__":
    main()
