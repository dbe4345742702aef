"""Runs programs beside an event loop, and ends them when no task waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Output(NamedTuple):
    """The result of a program. A negative `status` is the signal that ended it."""

    status: int
    printed: str
    complained: str


async def output_of(command: Sequence[str], patience: float) -> Output:
    """Runs a program to its end. When the awaiting task is cancelled, the program is also ended.

    Raises OSError when it cannot be started, TimeoutError after `patience` seconds.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    # In a session of its own, so that the processes it starts can be ended with it.
    process = await asyncio.create_subprocess_exec(
        *command, stdin=nothing, stdout=pipe, stderr=pipe, start_new_session=True
    )
    try:
        printed, complained = await asyncio.wait_for(process.communicate(), patience)
    finally:
        if process.returncode is None:
            _end(process)
            await asyncio.shield(process.wait())
    assert process.returncode is not None  # noqa: S101  it has ended
    return Output(
        process.returncode, printed.decode(errors="replace"), complained.decode(errors="replace")
    )


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):  # it may end by itself meanwhile
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
