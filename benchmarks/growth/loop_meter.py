"""A server whose event loop records the CPU time of each of its steps: `python -m ... FILE`.

It is the real server in its own process; only the event loop is replaced by one that reads the
clock.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from ptx_ls.server import app

if TYPE_CHECKING:
    from asyncio import Handle, TimerHandle

SHORTEST = 0.002
"""CPU seconds of the shortest step that is recorded."""


class MeteredLoop(asyncio.SelectorEventLoop):
    """Writes when each step of at least `SHORTEST` began, its CPU seconds, and its name."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        super().__init__()

    def call_soon(self, callback: Any, *args: Any, **more: Any) -> Handle:  # type: ignore[override]  # noqa: ANN401  # as they come
        """Schedules a step."""
        return super().call_soon(self._metered(callback), *args, **more)

    def call_soon_threadsafe(self, callback: Any, *args: Any, **more: Any) -> Handle:  # type: ignore[override]  # noqa: ANN401  # as they come
        """Schedules a step from another thread."""
        return super().call_soon_threadsafe(self._metered(callback), *args, **more)

    def call_at(self, when: float, callback: Any, *args: Any, **more: Any) -> TimerHandle:  # type: ignore[override]  # noqa: ANN401  # as they come
        """Schedules a step at a time; `call_later` goes through here."""
        return super().call_at(when, self._metered(callback), *args, **more)

    def add_reader(self, fd: Any, callback: Any, *args: Any) -> None:  # type: ignore[override]  # noqa: ANN401  # as they come
        """Schedules a step for when something can be read."""
        super().add_reader(fd, self._metered(callback), *args)

    def _metered(self, callback: Callable[..., Any]) -> Callable[..., None]:
        def run(*args: Any) -> None:  # noqa: ANN401
            begin, cpu = time.monotonic(), time.thread_time()
            try:
                callback(*args)
            finally:
                cpu = time.thread_time() - cpu
                if cpu >= SHORTEST:
                    self._file.write(f"{begin} {cpu} {_name(callback)}\n")
                    self._file.flush()

        return run


def _name(callback: Callable[..., Any]) -> str:
    owner = getattr(callback, "__self__", callback)
    if isinstance(owner, asyncio.Task):
        return str(getattr(owner.get_coro(), "__qualname__", owner))
    return str(getattr(callback, "__qualname__", type(callback).__qualname__))


class _Policy(asyncio.DefaultEventLoopPolicy):
    def __init__(self, file: TextIO) -> None:
        super().__init__()
        self._file = file

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return MeteredLoop(self._file)


def main() -> int:
    """Serves on stdin and stdout, and records the steps in the file that is named."""
    with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
        asyncio.set_event_loop_policy(_Policy(file))
        return app.serve("stdio")


if __name__ == "__main__":
    sys.exit(main())
