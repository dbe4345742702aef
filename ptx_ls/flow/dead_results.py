"""Finds the instructions that only write registers, of which nothing reads the new values."""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING

from ptx_ls.semantics.instructions.effects import is_for_result, reads_clock, special_registers
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import KILLS, READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found


class DeadResult(NamedTuple):
    """An instruction without use.

    Attributes:
        found: the instruction.
        opcode: its opcode with modifiers.
        write: the use that is its first result.
        is_set_up: whether it only loads a parameter, converts its address, or reads a special
            register, as kernels often begin, whatever they need; and what replaces its result, if
            anything does, is something else.
        replaced: the use that writes the register again before anything reads it, in the same
            block; None if there is none.
    """

    found: Found
    opcode: str
    write: int
    is_set_up: bool
    replaced: int | None


def dead_results(flow: FunctionFlow) -> Iterator[DeadResult]:
    """Yields the reachable instructions whose results nothing reads, in order."""
    uses, index, registers = flow.uses, flow.index, flow.registers
    reachable = flow.reachable
    for first, dead in groupby(sorted(flow.trace.dead), index.first):
        codes = {uses.codes[use] for use in dead}
        written = [use for use in index.statement(first) if uses.ways[use] & WRITES]
        if not codes.issuperset(uses.codes[use] for use in written):
            continue
        if not codes.isdisjoint(registers.results) or index.block_of(first) not in reachable:
            continue
        found = flow.statement(first)
        record = found.record
        if (
            isinstance(record, Shape)
            and is_for_result(record)
            and not reads_clock(record, found.text)
        ):
            replaced = _replacing(written, flow)
            is_set_up = _is_set_up(found) and not (
                replaced is not None and _is_set_up(flow.statement(replaced))
            )
            yield DeadResult(found, record.opcode, written[0], is_set_up, replaced)


def _is_set_up(found: Found) -> bool:
    record = found.record
    if not isinstance(record, Shape):
        return False
    if record.name == "mov":
        return any(special_registers(record, found.text))
    return record.name == "cvta" or record.opcode.startswith("ld.param")


def _replacing(written: list[int], flow: FunctionFlow) -> int | None:
    """Returns the next use of the only register that an instruction writes, if that replaces it."""
    uses, index = flow.uses, flow.index
    if len(written) > 1:
        return None
    write = written[0]
    own = index.of(uses.codes[write])
    number = bisect_right(own, write)
    if number == len(own) or index.block_of(own[number]) != index.block_of(write):
        return None
    after = own[number]
    ways = [
        uses.ways[each] for each in index.statement(after) if uses.codes[each] == uses.codes[write]
    ]
    is_replaced = any(way & KILLS for way in ways) and not any(way & READS for way in ways)
    return after if is_replaced else None
