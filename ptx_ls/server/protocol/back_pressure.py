"""Suspends work for a client that is not reading, as its unsent output would fill the memory.

The transport calls `hold` if there is too much unsent output, and `release` when the client has
read most of it. In between, no message of the client is read, no long answer is begun, and only the
last list of diagnostics of each document is kept.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from ptx_ls.server.protocol.encoding import Encoded


MAX_UNSENT: Final = 8_000_000
"""Number of unsent bytes above which work is held."""
MAX_UNSENT_TO_RESUME: Final = 1_000_000
"""Number of unsent bytes at or below which work continues."""
MAX_AT_ONCE: Final = 8
"""Maximum number of long answers to make at a time, as all of them may have to be kept."""


class BackPressure:
    """The state of the work for a client: held or not. Use it on the event loop only."""

    def __init__(self) -> None:
        self._room = asyncio.Event()
        self._room.set()
        self._turns = asyncio.Semaphore(MAX_AT_ONCE)
        self._on_release: list[Callable[[], None]] = []

    @property
    def is_held(self) -> bool:
        """Whether there is too much unsent output."""
        return not self._room.is_set()

    def hold(self) -> None:
        """Records that there is too much unsent output."""
        self._room.clear()

    def release(self) -> None:
        """Records that there is room again."""
        self._room.set()
        for callback in self._on_release:
            callback()

    def when_released(self, callback: Callable[[], None]) -> None:
        """Registers `callback`, which is called whenever there is room again."""
        self._on_release.append(callback)

    async def room(self) -> None:
        """Waits until there is room."""
        await self._room.wait()

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Returns a context for making a long answer; entering it waits until there is room."""
        async with self._turns:
            await self._room.wait()
            yield
            await asyncio.sleep(0)  # so that this answer can be sent before others begin


class Publications:
    """Sends diagnostics; while work is held, keeps the last of each document instead."""

    def __init__(self, pressure: BackPressure, send: Callable[[Encoded], None]) -> None:
        self._pressure, self._send = pressure, send
        self._kept: dict[str, Encoded] = {}
        pressure.when_released(self._send_kept)

    def publish(self, uri: str, params: Encoded) -> None:
        """Sends the parameters of `textDocument/publishDiagnostics`, now or later."""
        if self._pressure.is_held:
            self._kept[uri] = params
        else:
            self._send(params)

    def _send_kept(self) -> None:
        while self._kept and not self._pressure.is_held:
            self._send(self._kept.pop(next(iter(self._kept))))
