"""Value flow: the instructions that the values of registers come from, and those that read them.

An editor shows it as a call hierarchy: an instruction "calls" those that may read what it writes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at, statements_on
from ptx_ls.features.cursor import At, cursor
from ptx_ls.flow.dataflow import reached_uses, reaching_definitions
from ptx_ls.semantics.instructions.accesses import named_accesses
from ptx_ls.source import Position, Range
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_MAX_TEXT: Final = 120
_MAX_STEPS: Final = 500
"""Maximum number of instructions on one side of another one."""
_MAX_MOVED: Final = 1000
"""How many lines before and after its former place an instruction is searched for."""


class FlowStatement(NamedTuple):
    """An instruction through which values flow.

    Attributes:
        text: it, on one line.
        range: where it is.
        selection: its first line.
    """

    text: str
    range: Range
    selection: Range


@dataclass(slots=True)
class FlowStep:
    """An instruction next to another one, and the places of the registers between them in it.

    Those of a reader are not in the other instruction, as the places of calls are, because some
    editors go there when the user selects the reader.
    """

    statement: FlowStatement
    places: list[Range] = field(default_factory=list)


def prepare(analysis: Analysis, position: Position) -> list[FlowStatement]:
    """Returns the instructions that may have written the register at a position, or write it.

    For an opcode, and for a register that no instruction has written, that is the instruction at
    the position.
    """
    under = cursor(analysis, position)
    if under is None or under.statement.record.kind is not Kind.INSTRUCTION:
        return []
    own = _flow_statement(under.statement)
    if under.at is At.OPCODE:
        return [own] if any(_registers(analysis, under.statement)) else []
    declared = analysis.lookup(under.text, position) if under.at is At.NAME else None
    if declared is None or declared.symbol.space != ".reg":
        return []
    writes = _registers(analysis, under.statement, is_write=True)
    if any(place.start <= position <= place.end for _, place in writes):
        return [own]
    found = reaching_definitions(analysis, under.text, under.statement.start).definitions
    return [*map(_flow_statement, _statements(analysis, found[:_MAX_STEPS]))] or [own]


def found_again(analysis: Analysis, position: Position, text: str) -> Position | None:
    """Returns where an instruction is now that was at a position and had a text; None if gone."""
    document = analysis.document
    for line in _around(position.line, document.n_lines):
        found = [it.start for it in statements_on(document, line) if _shown(it) == text]
        if found:
            return min(found, key=lambda start: abs(start.column - position.column))
    return None


def _around(line: int, n_lines: int) -> Iterator[int]:
    """Yields the numbers of a line and of those near it, the nearest first."""
    for distance in range(_MAX_MOVED + 1):
        for each in dict.fromkeys((line - distance, line + distance)):
            if 0 <= each < n_lines:
                yield each


def sources(analysis: Analysis, position: Position) -> list[FlowStep]:
    """Returns what may have written the registers that the instruction at a position reads."""
    statement = statement_at(analysis.document, position)
    found: dict[Range, FlowStep] = {}
    names = () if statement is None else _registers(analysis, statement, is_write=False)
    for name in dict.fromkeys(name for name, _ in names):
        for place in reaching_definitions(analysis, name, position).definitions:
            (source,) = _statements(analysis, (place,))
            step = _step(found, source)
            if step is not None:
                writes = _registers(analysis, source, is_write=True)
                step.places += [written for other, written in writes if other == name]
    return [*found.values()]


def readers(analysis: Analysis, position: Position) -> list[FlowStep]:
    """Returns what may read the registers that the instruction at a position writes."""
    statement = statement_at(analysis.document, position)
    found: dict[Range, FlowStep] = {}
    names = () if statement is None else _registers(analysis, statement, is_write=True)
    for name in dict.fromkeys(name for name, _ in names):
        for reader in _statements(analysis, reached_uses(analysis, name, position)):
            step = _step(found, reader)
            if step is not None:
                reads = _registers(analysis, reader, is_write=False)
                step.places += [place for other, place in reads if other == name]
    return sorted(found.values(), key=lambda step: step.statement.range)


def _step(found: dict[Range, FlowStep], statement: Statement) -> FlowStep | None:
    """Returns the step to a statement, perhaps a new one; None if there are too many."""
    place = Range(statement.start, statement.end)
    if place not in found and len(found) < _MAX_STEPS:
        found[place] = FlowStep(_flow_statement(statement))
    return found.get(place)


def _registers(
    analysis: Analysis, statement: Statement, *, is_write: bool | None = None
) -> Iterator[tuple[str, Range]]:
    """Yields the registers in an instruction with their places: all, those written, or read."""
    for identifier, access in named_accesses(statement.record, statement.text):
        start = statement.position(identifier.start)
        declared = analysis.lookup(access.name, start)
        if declared is None or declared.symbol.space != ".reg":
            continue
        kinds = {True: access.access.is_write, False: access.access.is_read, None: True}
        if kinds[is_write]:
            yield access.name, Range(start, Position(start.line, start.column + len(access.name)))


def _statements(analysis: Analysis, places: tuple[Range, ...]) -> list[Statement]:
    found = (statement_at(analysis.document, place.start) for place in places)
    return [each for each in found if each is not None]


def _flow_statement(statement: Statement) -> FlowStatement:
    start, first_line = statement.start, statement.text.split("\n", 1)[0].rstrip()
    selection = Range(start, Position(start.line, start.column + len(first_line)))
    return FlowStatement(_shown(statement), Range(start, statement.end), selection)


def _shown(statement: Statement) -> str:
    text = " ".join(statement.text.split()).rstrip("; ")
    return f"{text[:_MAX_TEXT]} ..." if len(text) > _MAX_TEXT else text
