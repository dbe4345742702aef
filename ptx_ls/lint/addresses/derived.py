"""Finds the accesses to memory whose addresses are computed from variables of the function.

In the text of a compiler, hardly any of thousands of accesses can be wrong, and most of them are to
global memory through parameters. So only those are examined that may be based on something of which
more is known, or that access a small state space through an address from elsewhere.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.pointer_parameters import loaded_name, narrow_loads
from ptx_ls.lint.addresses.sources import NAMING, naming_shapes, small_accesses, stated_pointers
from ptx_ls.semantics.instructions.memory_operands import ACCESSING
from ptx_ls.syntax.record import MultiLine, Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.syntax.record import Record

_PASSING: Final = frozenset(
    {*NAMING, "add", "sub", "mad", "fma", "or", "xor", "and", "cvt", "selp", "lop3", "bfi"}
)
"""Opcodes whose result may be an address if one of their operands is."""
_CONVERTING: Final = frozenset({"cvta", "mapa"})
_ACCESSES: Final = frozenset(ACCESSING)
_MAX_ORIGINS: Final = 256
"""Number of registers that are traced back."""
_EXAMINED: Final = 1
"""The role of an instruction that accesses memory, or converts an address."""
_PASSES: Final = 2
"""The role of an instruction whose result may be an address, too."""
_SEVERAL: Final = 4
"""The role of a line whose statements have roles of their own."""


def derived_rows(seen: CheckInput, flow: FunctionFlow) -> tuple[list[int], set[int]]:
    """Returns the lines with accesses through addresses of which more may be known.

    Returns the registers with these addresses, too.
    """
    known, rows = {*_sources(seen, flow)}, set[int]()
    waiting = [*known]
    index, roles = flow.index, flow.text.flags(_role_of)
    codes, ways, row_of = flow.uses.codes, flow.uses.ways, flow.uses.rows
    while waiting:
        for use in index.of(waiting.pop()):
            role = roles[row_of[use]]
            if not role or ways[use] & (READS | GUARDS) != READS:
                continue
            if role == _SEVERAL:
                role = _role_of(flow.statement(use).record)
            if role & _EXAMINED:
                rows.add(row_of[use])
            if role & _PASSES:
                for each in index.statement(use):
                    if ways[each] & WRITES and codes[each] not in known:
                        known.add(codes[each])
                        waiting.append(codes[each])
    others = [row for row in _small_rows(seen) if row not in rows]
    return sorted({*rows, *others}), known | _origins(flow, others)


def _small_rows(seen: CheckInput) -> Sequence[int]:
    """Returns the lines with accesses to small state spaces whose addresses are in registers."""
    return seen.text.lines_of(seen.text.with_shapes(small_accesses(seen)))


def _origins(flow: FunctionFlow, rows: Iterable[int]) -> set[int]:
    """Returns the registers from which the addresses in some lines may be computed."""
    codes, ways, rows_of = flow.uses.codes, flow.uses.ways, flow.uses.rows
    waiting = [
        use for row in rows for use in range(bisect_left(rows_of, row), bisect_right(rows_of, row))
    ]
    found = set[int]()
    while waiting and len(found) < _MAX_ORIGINS:
        use = waiting.pop()
        code = codes[use]
        if not ways[use] & READS or code in found:
            continue
        found.add(code)
        for write in flow.index.of(code):
            if ways[write] & WRITES and _role_of(flow.statement(write).record) & _PASSES:
                waiting += flow.index.statement(write)
    return found


@lru_cache(maxsize=1 << 12)
def _role_of(record: Record) -> int:
    """Returns what an instruction, or a line with several, does with an address that it reads."""
    if not isinstance(record, Shape):
        return _SEVERAL if isinstance(record, MultiLine) else 0
    is_examined = record.name in _ACCESSES or record.name in _CONVERTING
    return _EXAMINED * is_examined | _PASSES * (record.name in _PASSING)


def _sources(seen: CheckInput, flow: FunctionFlow) -> Iterator[int]:
    """Yields the registers to which such addresses are written."""
    shapes, stated = naming_shapes(seen), stated_pointers(seen)
    loading = {it for it in seen.text.shapes_of(("ld",)) if stated and ".param" in it.opcode}
    uses, text = flow.uses, flow.text
    narrow = {*narrow_loads(seen)}
    rows = {*text.lines_of(text.with_shapes(shapes | loading)), *narrow}
    for row, line, record in text.rows(sorted(rows)):
        if record in loading and row not in narrow and loaded_name(line) not in stated:
            continue
        for use in range(bisect_left(uses.rows, row), bisect_right(uses.rows, row)):
            if uses.ways[use] & WRITES:
                yield uses.codes[use]
