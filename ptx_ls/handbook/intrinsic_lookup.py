"""Finds the PTX that an intrinsic of LLVM becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.nvvm import IntrinsicPattern

_SLOT = re.compile(r"\{([^{}]*)\}")


def ptx_of(database: Database, name: str) -> tuple[str, ...]:
    """Returns the PTX of an intrinsic: `shfl.sync.idx.b32`, `%tid.x`; nothing if it is unknown."""
    found: dict[str, None] = {}
    table = database.nvvm
    for opcode in sorted(table.opcodes):
        for pattern in table.patterns(opcode):
            found.update(dict.fromkeys(opcode + text for text in _spellings(pattern, name)))
    for pattern in table.register_patterns:
        found.update(dict.fromkeys(_spellings(pattern, name)))
    return tuple(found)


def _spellings(pattern: IntrinsicPattern, name: str) -> Iterator[str]:
    """Yields the spellings in PTX for which an entry of the data gives this name."""
    if any(_fits(pattern, target.name, name) for target in pattern.targets):
        for text, intrinsics in pattern.expand():
            if any(each.name == name for each in intrinsics):
                yield text


def _fits(pattern: IntrinsicPattern, target: str, name: str) -> bool:
    """Whether the fixed parts of the target are in the name: a quick test."""
    pieces = _SLOT.split(target)
    expression = "".join(
        f"(?:{'|'.join(map(re.escape, set(pattern.slots[piece].values())))})"
        if number % 2
        else re.escape(piece)
        for number, piece in enumerate(pieces)
    )
    return re.fullmatch(expression, name) is not None
