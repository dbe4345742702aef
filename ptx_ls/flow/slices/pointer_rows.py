"""Finds the lines that may use an address which begins at a certain variable or parameter.

Values are followed from register to register, whatever the control flow, so this takes little time
and leaves no such line out.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import record_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.record_lines import run_start, run_stop
from ptx_ls.syntax.register_events import READS, WRITES

if TYPE_CHECKING:
    from ptx_ls.flow.function_flow import FunctionFlow

_LOADING: Final = frozenset(("ld", "ldu", "atom", "tex", "tld4", "suld"))
"""Opcodes whose results are read from memory."""
_PARAMETER: Final = ".param"


def pointer_rows(flow: FunctionFlow, name: str) -> frozenset[int]:
    """Returns the lines that name a symbol, or use a value that may be computed from its name.

    Of a statement over several lines, this is the first line.
    """
    uses, index, records = flow.uses, flow.index, flow.text.records
    rows = {run_start(records, row) for row in flow.text.lines_with(name, flow.text.distinct)}
    known = {
        uses.codes[use]
        for row in rows
        for use in range(
            bisect_left(uses.rows, row), bisect_left(uses.rows, run_stop(records, row))
        )
        if uses.ways[use] & WRITES
    }
    waiting = [*known]
    while waiting:
        for use in index.of(waiting.pop()):
            if not uses.ways[use] & READS:
                continue
            rows.add(run_start(records, uses.rows[use]))
            if not _loads(flow, use):
                new = {*flow.written_by(use)} - known
                known |= new
                waiting += new
    return frozenset(rows)


def _loads(flow: FunctionFlow, use: int) -> bool:
    """Whether the result of an instruction is read from memory, and not from a parameter."""
    record = record_of(flow, use)
    return isinstance(record, Shape) and record.name in _LOADING and _PARAMETER not in record.opcode
