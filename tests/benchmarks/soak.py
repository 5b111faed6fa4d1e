"""Two million generated mails with ever-new words: resident memory stays flat under a budget of features.

python -m tests.benchmarks.soak [mails, default 2000000]
"""

from __future__ import annotations

import sys
import time

from stream_nb import MailNB


def resident_mb() -> float:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096 / 1e6


def main(mails: int) -> None:
    model = MailNB(max_features=200_000, band=float("inf"))
    started = time.process_time()
    print(f"{'mails':>10}{'resident MB':>13}{'features':>10}{'evicted':>12}{'us/mail':>9}")
    for number in range(mails):
        topic = "win money free offer" if number % 2 else "lunch noon see you"
        text = f"{topic} n{number} m{number * 7919} k{number % 1000}"
        model.score(text)
        model.learn_one(text, "spam" if number % 2 else "ham")
        if (number + 1) % (mails // 10) == 0:
            us = 1e6 * (time.process_time() - started) / (number + 1)
            print(
                f"{number + 1:>10}{resident_mb():>13.0f}{model.features:>10}{model.evicted:>12}{us:>9.1f}", flush=True
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000_000)
