"""Finds out what is known of the value that a register has at a place."""

from __future__ import annotations

import threading
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statement_at
from ptx_ls.features import markup
from ptx_ls.features.cursor import At, cursor
from ptx_ls.features.hover import describe_value
from ptx_ls.flow.function_flow import FunctionFlow
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.values.function_values import FunctionValues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.function import Function
    from ptx_ls.features.markup import Markdown
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.source import Position
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.values.abstract_value import AbstractValue

_WITH_DESCRIPTORS: Final = frozenset({"wgmma", "tcgen05"})
"""Opcodes with descriptors of matrices or instructions as operands."""
_MAX_LINES: Final = 20_000
"""The longest function, in lines, whose values are evaluated for a hover."""
_MAX_QUICK_LINES: Final = 500
"""The longest one whose values are evaluated at once, in about 2 ms."""
_MAX_NEW_LINES: Final = 20_000
"""The longest document whose module is read at once, if it was not read before."""


class _RecentValues(NamedTuple):
    function: Function
    module: ModuleFacts
    values: FunctionValues


_recent = threading.local()
"""The values of the last function on each thread: those of the linter change on another one."""


class NamedRegister(NamedTuple):
    """A register that is named in a statement.

    Attributes:
        name: its name.
        position: the place of the name.
        type: its declared type, such as `.f32`.
    """

    name: str
    position: Position
    type: str


def register_at(analysis: Analysis, position: Position) -> NamedRegister | None:
    """Returns the register that is named at a position."""
    under = cursor(analysis, position)
    if under is None or under.at is not At.NAME:
        return None
    declared = analysis.lookup(under.text, position)
    if declared is None or declared.symbol.space != ".reg":
        return None
    return NamedRegister(under.text, under.range.start, declared.symbol.written_type)


def takes_long(analysis: Analysis, position: Position) -> bool:
    """Whether evaluating the registers at a position may take more than some milliseconds."""
    document = analysis.document
    if document.n_lines > _MAX_NEW_LINES and not module_facts.is_near(document):
        return True
    n_lines = document.functions[analysis.region_at(position)].n_lines
    return _MAX_QUICK_LINES < n_lines <= _MAX_LINES


def register_value(analysis: Analysis, register: NamedRegister) -> Markdown:
    """Describes the value of a register as it is read or written where it is named.

    Empty if nothing is known, if it is not used there, or if the function is too long.
    """
    document, (name, position, type_) = analysis.document, register
    located = document.functions[analysis.region_at(position)]
    statement = statement_at(document, position)
    if statement is None or located.n_lines > _MAX_LINES:
        return markup.NOTHING
    values = _values(located.function, module_facts(document))
    place, start = located.place(position), located.place(statement.start)
    found = None
    for use in _uses_in(values.flow, name, start):
        way = values.flow.uses.ways[use]
        if way & WRITES and name_span(values.flow, use)[0][0] == place:
            found = values.written(use)
            break
        if way & READS:
            found = values.read(use)
    if found is None:
        return markup.NOTHING
    descriptor = _descriptor(analysis, statement, position, found)
    if descriptor and found.constant is None:
        return descriptor  # its sum and its range say less
    return markup.paragraphs(describe_value.value(name, type_, found), descriptor)


def _descriptor(
    analysis: Analysis, statement: Statement, position: Position, found: AbstractValue
) -> Markdown:
    """Describes the fields of a descriptor that are known; "" for another operand."""
    shape = statement.record
    if not isinstance(shape, Shape) or shape.name not in _WITH_DESCRIPTORS:
        return markup.NOTHING
    from ptx_ls.features.hover import describe_descriptor
    from ptx_ls.features.hover.operand_role import operand_at

    operand = operand_at(analysis, statement, position)
    return describe_descriptor.descriptor(shape, operand, *found.bits)


def _values(function: Function, module: ModuleFacts) -> FunctionValues:
    known: _RecentValues | None = getattr(_recent, "known", None)
    if known is not None and known.function is function and known.module is module:
        return known.values
    made = FunctionValues(FunctionFlow(function, module.never_returning), module)
    _recent.known = _RecentValues(function, module, made)
    return made


def _uses_in(flow: FunctionFlow, name: str, start: FunctionPosition) -> Iterator[int]:
    """Yields the uses of a register in the statement that begins at a place."""
    rows = flow.uses.rows
    use = bisect_left(rows, start[0])
    while use < len(rows) and rows[use] == start[0]:
        if flow.name_of(use) == name and flow.statement(use).start == start:
            yield use
        use += 1
