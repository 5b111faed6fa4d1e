"""Mails of three people sorted into three folders, with all spam in a fourth: the accuracy of each model.

    python -m tests.benchmarks.routing

The ham of enron1, 2 and 3 are the folders. The three streams are interleaved, each at its own rate.
"""

from __future__ import annotations

import math

from stream_nb import MailNB, MultinomialNB
from tests.benchmarks.streams import enron

MODELS = {
    "MailNB": MailNB(),
    "MailNB, train on everything": MailNB(band=math.inf),
    "MailNB, plain ratios": MailNB(shape=1.0, damping=0.7, band=3.0),
    "Boolean multinomial, lambda 0.1": MultinomialNB(smoothing=0.1, presence=True),
    "multinomial, lambda 1": MultinomialNB(),
}


def routed() -> list[tuple[bytes, str]]:
    mails = []
    for name in ("enron1", "enron2", "enron3"):
        stream = enron(name)
        for number, (text, label) in enumerate(stream):
            mails.append(((number + 0.5) / len(stream), name, text, name if label == "ham" else label))
    mails.sort(key=lambda mail: mail[:2])
    return [(text, folder) for _, _, text, folder in mails]


def main() -> None:
    stream = routed()
    print(f"{'':34}{'accuracy %':>11}{'second half %':>15}")
    for name, model in MODELS.items():
        right = []
        for text, folder in stream:
            right.append(model.predict_one(text) == folder)
            model.learn_one(text, folder)
        late = right[len(right) // 2 :]
        print(f"{name:34}{100 * sum(right) / len(right):>11.2f}{100 * sum(late) / len(late):>15.2f}", flush=True)


if __name__ == "__main__":
    main()
