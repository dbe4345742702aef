"""Finds the instructions of a block that its control flow and diagnostics are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.syntax.record import INSTRUCTIONS, MultiLine, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.symbols.region_text import Found, RegionText


def last_instruction(text: RegionText, graph: FlowGraph, number: int) -> Found | None:
    """Returns the last instruction of a block; None if it has none."""
    (first, _), (last, _) = graph.starts[number], graph.stops[number]
    for row in range(min(last, len(text.records) - 1), first - 1, -1):
        if _may_have_instruction(text.records[row]):
            found = [*_within(text, graph, number, row, row + 1)]
            if found:
                return found[-1]
    return None


def instructions(text: RegionText, graph: FlowGraph, number: int) -> Iterator[Found]:
    """Yields the instructions of a block in order."""
    first, last = graph.starts[number][0], graph.stops[number][0]
    return _within(text, graph, number, first, min(last + 1, len(text.records)))


def _within(
    text: RegionText, graph: FlowGraph, number: int, first: int, stop: int
) -> Iterator[Found]:
    """Yields the instructions of a block on rows [first, stop)."""
    start, end = graph.starts[number], graph.stops[number]
    rows = [row for row in range(first, stop) if _may_have_instruction(text.records[row])]
    for found in text.statements(rows, since=start):
        if found.start >= end:
            return
        if found.record.kind in INSTRUCTIONS and start <= found.start and found.end <= end:
            yield found


def _may_have_instruction(record: Record) -> bool:
    return record.kind in INSTRUCTIONS or isinstance(record, MultiLine)
