"""Loads what requests will need while the client is silent, so that the first of them are fast.

Modules are loaded one by one on the loop, for a thread that loads them would hold Python's lock
just as long.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Final

from ptx_ls.server.steps import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_START: Final = 0.3
"""Seconds that a client is given for what it asks when a session begins."""


async def warm(modules: Iterable[str], silence: Callable[[], float]) -> None:
    """Loads modules by name, in their order; `silence` tells for how many seconds nothing came."""
    await asyncio.sleep(_START)
    for module in modules:
        await silent(silence)
        importlib.import_module(module)
        await asyncio.sleep(0)
