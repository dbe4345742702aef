"""Loads what requests will need while the client is silent, so that the first of them are fast.

Modules are loaded one by one on the loop, for a thread that loads them would hold Python's lock
just as long.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_START: Final = 0.3
"""Seconds that a client is given for what it asks when a session begins."""
_SILENCE: Final = 0.05
"""Seconds without a message after which the next one is loaded."""


async def warm(modules: Iterable[str], silence: Callable[[], float]) -> None:
    """Loads modules by name, in their order; `silence` tells for how many seconds nothing came."""
    await asyncio.sleep(_START)
    for module in modules:
        while (left := _SILENCE - silence()) > 0:  # noqa: ASYNC110  silence is no event
            await asyncio.sleep(left)
        importlib.import_module(module)
        await asyncio.sleep(0)
