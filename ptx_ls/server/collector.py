"""Keeps Python's garbage collector away from large documents, and from requests.

A collection looks at everything that is known of them, and no hover is answered meanwhile. Little
of it is ever garbage before the document is closed. What an answer needs to be made is looked at
when the client has been silent for a while.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

_THRESHOLDS: Final = (300_000, 10, 50)
"""Of new objects, until a request has to wait for a collection after all; see `gc`."""
_SILENCE: Final = 1.0
"""Seconds without a message after which nobody waits."""
_WORTH: Final = 10_000
"""New objects below which nothing is collected."""
_N_YOUNG: Final = 20
"""Collections of young objects until one of all."""


def start() -> None:
    """To be called when the server is loaded: what there is lives for ever."""
    gc.enable()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def pause() -> None:
    """To be called before a large document is read, and followed by `spare`."""
    gc.disable()


def spare() -> None:
    """To be called when a large document was read and checked: leaves alone what there is now."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def forget() -> None:
    """To be called when a large document was closed: takes back what it needed."""
    gc.unfreeze()
    gc.enable()
    gc.collect()
    gc.freeze()


class Pauses:
    """Collects garbage in the pauses of a client. For the thread of the event loop alone."""

    def __init__(self) -> None:
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def end(self) -> None:
        """To be called when a message came."""
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(_SILENCE, self._look)

    def silence(self) -> float:
        """Seconds since the last message."""
        return asyncio.get_running_loop().time() - self._last

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        left = self._last + _SILENCE - loop.time()
        if left > 0:
            self._timer = loop.call_later(left, self._look)
        elif gc.isenabled():
            n_new, _, n_young = gc.get_count()
            if n_new > _WORTH:
                gc.collect(1 if n_young < _N_YOUNG else 2)
