import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ptx_ls.server.scheduling import background


def check_run(work: Callable[[Callable[[], bool]], str], *, cancel_when: threading.Event) -> str:
    """Runs work and cancels it once `cancel_when` is set; returns what it returned."""

    async def main() -> str:
        with ThreadPoolExecutor(2) as executor:
            task = asyncio.ensure_future(background.run(executor, work))
            while not (task.done() or cancel_when.is_set()):  # noqa: ASYNC110  # a thread sets it
                await asyncio.sleep(0)
            if not task.done():
                task.cancel()
            return await task

    return asyncio.run(main())


def test_work_returns_its_result() -> None:
    assert check_run(lambda should_stop: f"{should_stop()}", cancel_when=threading.Event()) == (
        "False"
    )


def test_cancelled_work_is_told_to_stop() -> None:
    started, ended = threading.Event(), threading.Event()

    def work(should_stop: Callable[[], bool]) -> str:
        started.set()
        while not should_stop():
            pass
        ended.set()
        return "stopped"

    with pytest.raises(asyncio.CancelledError):
        check_run(work, cancel_when=started)
    assert ended.wait(10)
