"""Loads modules for later requests while the client is silent, so that the first ones are fast.

This is done bit by bit on the event loop, because a thread that loads modules would hold the GIL
just as long.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_DELAY: Final = 0.3
"""Seconds left to the requests that a client sends when a session begins."""
_SILENCE: Final = 0.05
"""Seconds without a message after which a client counts as silent."""

LATE: Final = (
    "decimal",
    "demangle.schemes.itanium",
    "ptx_ls.features.hover.describe_descriptor",
    "ptx_ls.features.hover.numbers.describe_expression",
    "ptx_ls.features.hover.describe_texture",
    "ptx_ls.features.hover.fragment_picture",
    "ptx_ls.features.hover.instructions.describe_modifier",
    "ptx_ls.features.hover.instructions.describe_variant",
    "ptx_ls.features.hover.instructions.headline",
    "ptx_ls.features.hover.instructions.pseudo_code",
    "ptx_ls.features.hover.instructions.pseudo_code_conditions",
    "ptx_ls.features.hover.operand_role",
    "ptx_ls.handbook.reference_body",
    "ptx_ls.handbook.registers",
    "ptx_ls.handbook.wording.sentences",
    "ptx_ls.handbook.targets",
    "ptx_ls.isa.certificate",
    "ptx_ls.isa.notation.reference_reader",
    "ptx_ls.isa.nvvm",
    "ptx_ls.isa.version",
    "ptx_ls.semantics.constants.values",
    "ptx_ls.semantics.directives.syntax_problems",
    "ptx_ls.semantics.instructions.checks.register_release",
)
"""Modules that requests load on first use."""


async def preload(tasks: Iterable[Callable[[], object]], silence: Callable[[], float]) -> None:
    """Runs tasks in order; `silence` returns the seconds since the last message."""
    await asyncio.sleep(_DELAY)
    for task in tasks:
        while (left := _SILENCE - silence()) > 0:  # noqa: ASYNC110  silence is not an event
            await asyncio.sleep(left)
        task()
        await asyncio.sleep(0)
