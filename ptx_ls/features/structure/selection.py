"""Growing selections: word, operand, operands, statement, block, loop, scope, body, file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features.cursor import cursor
from ptx_ls.flow.graphs import flow_graph
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source import Position, Range
from ptx_ls.source.lines import content_length
from ptx_ls.syntax.parsing.instruction_parts import opcode_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.statement import Statement

_MAX_RANGES: Final = 100
"""Maximum number of ranges around a place, because most readers of JSON limit nesting."""
_MAX_FUNCTION_LINES: Final = 10_000
"""The longest function, in lines, whose blocks and loops are found."""


def selections(analysis: Analysis, position: Position) -> list[Range]:
    """Returns ranges around a position, the smallest first; each contains the one before.

    If there are too many, only the innermost ones and the outermost one are returned.
    """
    position = analysis.document.clamped(position)
    found: list[Range] = []
    for place in _all(analysis, position):
        inner = found[-1] if found else Range(position, position)
        if place.start <= inner.start and inner.end <= place.end and place != inner:
            found.append(place)
    return found if len(found) <= _MAX_RANGES else [*found[: _MAX_RANGES - 1], found[-1]]


def _all(analysis: Analysis, position: Position) -> Iterator[Range]:
    document = analysis.document
    under = cursor(analysis, position)
    if under is not None:
        yield under.range
    statement = statement_at(document, position)
    if statement is not None:
        if statement.is_instruction:
            yield from _in_instruction(statement, position)
        yield Range(statement.start, statement.end)
    yield from sorted(_around(analysis, position), key=_n_lines)
    last = len(document.lines) - 1
    yield Range(Position(0, 0), Position(last, len(document.lines[last])))


def _in_instruction(statement: Statement, position: Position) -> Iterator[Range]:
    parts = opcode_parts(statement.parsed.tree)
    if parts:
        yield statement.range(parts[0][1], parts[-1][2])
    operands, _ = statement.parts()
    yield from _in_operands(statement, operands, position)


def _in_operands(
    statement: Statement, operands: Iterable[OperandSyntax], position: Position
) -> Iterator[Range]:
    """Yields the operand at a position, from its innermost part outwards, then all operands."""
    operands = [it for it in operands if it.start < it.end]
    for operand in operands:
        place = statement.range(operand.start, operand.end)
        if place.start <= position <= place.end:
            paired = (operand.paired,) if operand.paired is not None else ()
            yield from _in_operands(statement, (*operand.elements, *paired), position)
            yield place
    if operands:
        first, last = min(it.start for it in operands), max(it.end for it in operands)
        place = statement.range(first, last)
        if place.start <= position <= place.end:
            yield place


def _around(analysis: Analysis, position: Position) -> Iterator[Range]:
    """Yields the blocks, loops, scopes and the function around a position."""
    document = analysis.document
    located = document.located_at(position)
    body = _body(document, located)
    if located.n_lines <= _MAX_FUNCTION_LINES:
        graph = flow_graph(document, located.number)
        yield from _blocks(document, located, graph, position)
        if body is None and graph.starts:  # the closing brace is missing
            body = located.range(graph.starts[0], graph.stops[-1])
    yield from _scopes(analysis, located, position)
    if body is not None:
        yield from _function(document, located, body)


def _blocks(
    document: Document, located: LocatedFunction, graph: FlowGraph, position: Position
) -> Iterator[Range]:
    """Yields the block around a position, and its loops."""
    block = graph.block_at(located.place(position))
    if block is not None:
        yield _trimmed(document, located.range(block.start, block.stop))
        for loop in graph.loops_around(block.number):
            first, last = loop.ends
            yield _trimmed(document, located.range(graph.starts[first], graph.stops[last]))


def _body(document: Document, located: LocatedFunction) -> Range | None:
    """Returns the range between the braces of the body; None without a body."""
    facts, close = region_facts(located.function), located.close
    if facts.function is None or close is None:
        return None
    head = statement_at(document, located.position(facts.function.start))
    column = document.lines[close].rfind("}")
    if head is None or column < 0:
        return None
    return Range(head.end, Position(close, column))


def _scopes(analysis: Analysis, located: LocatedFunction, position: Position) -> Iterator[Range]:
    """Yields each scope around a position inside the function, without and with its braces."""
    facts = region_facts(located.function)
    scope = analysis.scope_at(position)
    while scope.parent is not None and scope is not facts.scope:
        if scope.end is not None:
            first, last = whole = located.range(scope.start, scope.end)
            yield Range(
                Position(first.line, first.column + 1), Position(last.line, last.column - 1)
            )
            yield whole
        scope = scope.parent


def _function(document: Document, located: LocatedFunction, body: Range) -> Iterator[Range]:
    """Yields the inside of a body, the body with its braces, and these with the function's head."""
    start, stop = body
    yield body
    after, close = stop, located.close
    if close is not None:
        brace = document.lines[close].find("}", stop.column if stop.line == close else 0)
        after = Position(close, brace + 1) if brace >= 0 else stop
    opening = Position(start.line, max(0, start.column - 1))
    yield Range(opening, after)
    head = statement_at(document, opening)
    if head is not None:
        yield Range(head.start, after)


def _trimmed(document: Document, place: Range) -> Range:
    """Returns a range without the white space at its ends."""
    (line, column), (last, end) = place
    while line < last and not document.lines[line][column:].strip():
        line, column = line + 1, 0
    rest = document.lines[line][column:]
    column += len(rest) - len(rest.lstrip())
    while last > line and not document.lines[last][:end].strip():
        last -= 1
        end = content_length(document.lines[last])
    end = len(document.lines[last][:end].rstrip())
    return Range(Position(line, column), Position(last, max(end, column if last == line else 0)))


def _n_lines(place: Range) -> tuple[int, int, int]:
    """Orders nested ranges: by their number of lines, then by where they begin and end."""
    (line, column), (last, end) = place
    return last - line, -column, end
