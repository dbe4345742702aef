"""Cooperative work on an open document: a few steps at a time, so that other tasks have turns."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from pygls.exceptions import JsonRpcContentModified

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ptx_ls.server.documents.open_documents import OpenDocument

Result = TypeVar("Result")

_TURN: Final = 0.004
"""Seconds of work before requests that arrived meanwhile are answered."""
_SHORT_TURN: Final = 0.001
"""The same for work that no request waits for."""
_MAX_TRIES: Final = 4
_SILENCE: Final = 0.05
"""Seconds without a message after which a client counts as silent."""


async def in_steps(
    opened: OpenDocument, start: Callable[[], Generator[None, None, Result]]
) -> Result:
    """Runs a generator of `start` to its end and returns its result, a few steps at a time.

    An edit of the document between two steps restarts it. Cancelling ends it. It
    begins once the client has read most of what it was sent (see `back_pressure.py`).

    Raises:
        JsonRpcContentModified: if edits come faster than an answer can be made.
    """
    async with opened.pressure.turn():
        for _ in range(_MAX_TRIES):
            revision, steps = opened.revision, start()
            while opened.revision == revision:
                ended = one_turn(steps)
                if ended is not None:
                    return ended[0]
                await asyncio.sleep(0)
    raise JsonRpcContentModified


def one_turn(steps: Generator[None, None, Result]) -> tuple[Result] | None:
    """Runs a generator for one turn; returns its result in a tuple if it ended, else None.

    A caller that gets None continues with the same generator in its next turn.
    """
    stop = perf_counter() + _TURN
    try:
        while perf_counter() < stop:
            next(steps)
    except StopIteration as done:
        return (done.value,)
    return None


async def in_silence(
    opened: OpenDocument,
    start: Callable[[], Generator[None, None, None]],
    silence: Callable[[], float],
) -> None:
    """Runs a generator of `start` to its end while the client is silent, a step at a time.

    An edit of the document restarts it. `silence` returns the seconds since the last message.
    """
    revision, steps = opened.revision, start()
    while True:
        await silent(silence)
        if opened.revision != revision:
            revision, steps = opened.revision, start()
        stop = perf_counter() + _SHORT_TURN
        for _ in steps:
            if perf_counter() >= stop:
                break
        else:
            return
        await asyncio.sleep(0)


async def silent(silence: Callable[[], float]) -> None:
    """Waits until the client is silent; see `in_silence`."""
    while (left := _SILENCE - silence()) > 0:  # noqa: ASYNC110  silence is not an event
        await asyncio.sleep(left)
