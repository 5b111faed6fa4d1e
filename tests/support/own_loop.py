"""Runs coroutines of tests in other threads, because Playwright leaves a running loop in the main thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def refuse_main_thread() -> None:
    """Let `asyncio.run` fail in the main thread, as it does there after the first test with a browser."""
    run = asyncio.run

    def run_elsewhere(main: Coroutine[Any, Any, T], **options: Any) -> T:
        if threading.current_thread() is threading.main_thread():
            main.close()
            raise RuntimeError("asyncio.run() in the main thread of tests; tests/support/own_loop.py says why")
        return run(main, **options)

    asyncio.run = run_elsewhere


def run_coroutine(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine; raises its exceptions."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
