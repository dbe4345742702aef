"""The roles of the operands of an instruction by their positions, if all its forms agree."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.model import Form, Instruction

_MAX_OPCODES: Final = 256
"""Number of opcodes whose roles are kept: more than there are."""


@lru_cache(maxsize=_MAX_OPCODES)
def roles_by_position(instruction: Instruction) -> tuple[str, ...] | None:
    """Returns the role of each operand of an instruction; None if its forms differ.

    Most instructions have the same roles in all forms, so what they read and write is known without
    finding out which form they have.
    """
    found: list[str] = []
    for form in instruction.forms:
        for roles in _variants(form):
            for position, role in enumerate(roles):
                if position == len(found):
                    found.append(role)
                elif found[position] != role:
                    return None
    return tuple(found)


def _variants(form: Form) -> Iterator[list[str]]:
    """Yields the roles of a form with each choice of its optional operands."""
    rows = form.row.operands
    optional = [number for number, row in enumerate(rows) if row.optional]
    for count in range(len(optional) + 1):
        for left_out in combinations(optional, count):
            yield [_role(row.role) for number, row in enumerate(rows) if number not in left_out]


def _role(role: str) -> str:
    """Returns `read` for an address, too, whose registers are read."""
    return "read" if role == "address" else role
