"""From an intrinsic of LLVM back to the PTX that it becomes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.isa.database import Database
    from ptx_ls.isa.nvvm import IntrinsicPattern

_SLOT = re.compile(r"\{([^{}]*)\}")


def ptx_of(database: Database, name: str) -> tuple[str, ...]:
    """What an intrinsic becomes: `shfl.sync.idx.b32`, `%tid.x`; nothing for an unknown one."""
    found: dict[str, None] = {}
    table = database.nvvm
    for opcode in sorted(table.opcodes):
        for pattern in table.patterns(opcode):
            found.update(dict.fromkeys(opcode + text for text in _spellings(pattern, name)))
    for pattern in table.register_patterns:
        found.update(dict.fromkeys(_spellings(pattern, name)))
    return tuple(found)


def _spellings(pattern: IntrinsicPattern, name: str) -> Iterator[str]:
    """What PTX writes where an entry of the data gives this name."""
    if any(_fits(pattern, target.name, name) for target in pattern.targets):
        for text, intrinsics in pattern.expand():
            if any(each.name == name for each in intrinsics):
                yield text


def _fits(pattern: IntrinsicPattern, target: str, name: str) -> bool:
    """A quick test: what is fixed in the target is in the name."""
    pieces = _SLOT.split(target)
    expression = "".join(
        f"(?:{'|'.join(map(re.escape, set(pattern.slots[piece].values())))})"
        if number % 2
        else re.escape(piece)
        for number, piece in enumerate(pieces)
    )
    return re.fullmatch(expression, name) is not None
