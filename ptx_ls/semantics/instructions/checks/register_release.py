"""Finds a `setmaxnreg.dec` that keeps more registers than the thread has.

Source: PTX ISA, "setmaxnreg", and error C7406 of ptxas 13.5, which it reports while generating code
if no reachable instruction has raised the number. Here, only a `setmaxnreg.dec` that is certainly
reached is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.calls.call_graph import BUDGET
from ptx_ls.semantics.calls.call_sites import position, statements_with
from ptx_ls.semantics.directives.ignored_directives import register_count
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.semantics.problems.module import ExcessiveRelease
from ptx_ls.syntax import parser
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.parsing import instruction_parts
from ptx_ls.syntax.record import Kind, MultiLine, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.record import Record

_DEC: Final = "setmaxnreg.dec."
_REGISTERS_OF_UNIT: Final = 8
"""Number of registers in a unit of allocation to a thread."""


def check_release(text: RegionText, context: Context) -> Iterator[ExcessiveRelease]:
    """Yields the first `setmaxnreg` of a kernel if it keeps more registers than the thread has."""
    opcodes = text.contents.opcodes.keys()
    found = next(statements_with(text, BUDGET), None)
    if found is None or "call" in opcodes or not _is_reached(text.records[: found.start[0]]):
        return
    is_alone = isinstance(text.records[found.start[0]], Shape)
    kept = _kept(found) if is_alone else None
    if kept is None or any(not _is_release(each) for each in statements_with(text, BUDGET)):
        return
    available = _available(text, context)
    if available is not None and kept > available:
        start = found.text.find(_DEC)
        places = position(found, start), position(found, start + len("setmaxnreg"))
        yield ExcessiveRelease(kept, available, *places)


def _is_reached(before: Sequence[Record]) -> bool:
    """Whether control always reaches the code after these records."""
    return not any(
        isinstance(each, Shape) and each.name in CONTROL
        for record in before
        for each in (record.records if isinstance(record, MultiLine) else (record,))
    )


def _is_release(found: Found) -> bool:
    return isinstance(found.record, Shape) and found.record.opcode.startswith(_DEC)


def _kept(found: Found) -> int | None:
    """Returns the number of registers that a `setmaxnreg.dec` without a guard keeps; else None."""
    if not _is_release(found) or found.text.lstrip().startswith("@"):
        return None
    read, _ = instruction_parts.of_instruction(parser.parse(found.text).tree)
    return integer(read[0].text) if read else None


def _available(text: RegionText, context: Context) -> int | None:
    """Returns a thread's number of registers at the start; None if the head does not set it."""
    head = next(text.of_kind(Kind.FUNCTION), None)
    count = register_count(head.text, context) if head is not None else None
    return count // _REGISTERS_OF_UNIT * _REGISTERS_OF_UNIT if count is not None else None
