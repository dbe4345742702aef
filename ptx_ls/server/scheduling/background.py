"""Runs work that would hold up the event loop on a thread, where it can be stopped."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

Result = TypeVar("Result")


async def run(executor: Executor, work: Callable[[Callable[[], bool]], Result]) -> Result:
    """Runs `work(should_stop)` on a thread and returns what it returns.

    When the awaiting task is cancelled, as by `$/cancelRequest`, `should_stop()` becomes true;
    `work` checks it now and then and returns early, with what it has so far. It may use the
    version of a document that it was given, but not an `OpenDocument`, which the loop edits.
    """
    stopped = threading.Event()
    try:
        running = asyncio.get_running_loop().run_in_executor(executor, work, stopped.is_set)
    except RuntimeError as error:  # the session has ended
        raise asyncio.CancelledError from error
    try:
        return await running
    except asyncio.CancelledError:
        stopped.set()
        raise
