"""Keeps Python's garbage collector away from large documents, and from requests.

A collection examines all objects made for a document, and no hover can be answered until it ends.
Few of them become garbage before the document is closed. Temporary objects of answers are collected
when the client has been silent for a while.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_THRESHOLDS: Final = (10_000, 1, 9_000)
"""Thresholds of `gc` for collections that do not wait for a pause. Each examines 10,000 new objects
in 1 to 3 ms, and every other one also objects that survived one. Almost none examine all objects.
"""
_SILENCE: Final = 1.0
"""Seconds without a message before new objects are collected."""
_LONG_SILENCE: Final = 10.0
"""Seconds without a message before older objects are collected, which takes 0.1 s."""
_MIN_NEW_OBJECTS: Final = 10_000
"""Minimum number of new objects for which a collection runs."""
_N_MIDDLE: Final = 180
"""Collections of objects that survived one, before a collection of all."""


def start() -> None:
    """Exempts all current objects, and sets the thresholds. Call this once the server is loaded."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def pause() -> None:
    """Stops collections. Call this before a large document is read, and `spare` afterwards."""
    gc.disable()


def spare() -> None:
    """Exempts all current objects. Call this after a large document has been read and checked."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
        give_back()


def forget() -> None:
    """Frees the memory of a large document. Call this after it has been closed."""
    gc.unfreeze()
    gc.enable()
    gc.collect()
    gc.freeze()
    give_back()


def give_back() -> None:
    """Returns memory that is free to the system, which takes a millisecond.

    glibc keeps all that the check of a large document needed for a while: half the size of the
    document. Other C libraries have no function for that.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  only for large documents

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


class Pauses:
    """Collects garbage in the pauses of a client. Use it on the event loop only."""

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        """`is_busy`: whether a request is being answered."""
        self._is_busy = is_busy
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_long = False

    def end(self) -> None:
        """Notes that a message has arrived, which ends a pause."""
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        if self._timer is None or self._is_long:
            self._look_after(_SILENCE, is_long=False)

    def silence(self) -> float:
        """Returns the seconds since the last message."""
        return asyncio.get_running_loop().time() - self._last

    def _look_after(self, delay: float, *, is_long: bool) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(delay, self._look)
        self._is_long = is_long

    def _look(self) -> None:
        self._timer = None
        left = (_LONG_SILENCE if self._is_long else _SILENCE) - self.silence()
        if left > 0:
            self._look_after(left, is_long=self._is_long)
            return
        n_new, n_young_collections, n_middle_collections = gc.get_count()
        if not gc.isenabled():
            return
        if not self._is_long:
            if n_new > _MIN_NEW_OBJECTS:
                gc.collect(0)
            self._look_after(_LONG_SILENCE - _SILENCE, is_long=True)
        elif self._is_busy():
            self._look_after(_SILENCE, is_long=True)
        elif n_young_collections:  # else nothing is older than the last collection
            gc.collect(1 if n_middle_collections < _N_MIDDLE else 2)
