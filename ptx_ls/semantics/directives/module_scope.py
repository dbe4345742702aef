"""Finds instructions, labels and blocks outside of functions.

Source: PTX ISA, "PTX Statements"; only directives are allowed there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.semantics.problems.instructions import MisplacedInstruction
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.names import name_at
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Kind, MultiLine
from ptx_ls.syntax.record_lines import filled, run_start
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_INNER: Final = (Kind.INSTRUCTION, Kind.BROKEN, Kind.LABEL, Kind.OPEN)
_SEEN: Final = (*_INNER, Kind.DIRECTIVE)
_LABELLED: Final = (".branchtargets", ".calltargets", ".callprototype")
"""Directives that a label names; another check reports those outside of functions."""


def check_outside(text: RegionText, facts: RegionFacts) -> Iterator[MisplacedInstruction]:
    """Yields, for each piece of text outside of bodies, the first statement that needs a body."""
    for begin, end in _pieces(text, facts):
        if begin == (0, 0) and facts.function is not None:
            continue  # its head
        lines = (
            index
            for index in filled(text.records, first_line(text, begin[0]), end[0] + 1)
            if text.records[index].kind in _SEEN or isinstance(text.records[index], MultiLine)
        )
        first = _first(text.statements(lines, since=begin), begin, end, facts)
        if first is not None:
            brace = _brace(text, begin)
            yield MisplacedInstruction(first.start, _end_of_name(first), brace, first.end)


def _first(
    statements: Iterable[Found], begin: FunctionPosition, end: FunctionPosition, facts: RegionFacts
) -> Found | None:
    """Returns a piece's first statement that belongs in a function; skips labels of directives."""
    label: Found | None = None
    for found in statements:
        if found.start >= end:
            break
        if found.start < begin:
            continue
        if label is not None and not found.text.startswith(_LABELLED):
            return label
        label = None
        if _is_inner(found, facts):
            if found.record.kind is not Kind.LABEL:
                return found
            label = found
    return label


def _pieces(text: RegionText, facts: RegionFacts) -> Iterator[FunctionSpan]:
    """Yields the start and end of each piece of text at module scope."""
    begin: FunctionPosition | None = FUNCTION_START
    for event, scope in zip(facts.events, facts.scopes, strict=True):
        if scope is facts.module_scope:
            begin = event if begin is None else begin
        elif begin is not None:
            yield begin, along(event, 1)
            begin = None
    if begin is not None:
        yield begin, FunctionPosition((len(text.records), 0))


def first_line(text: RegionText, index: int) -> int:
    """Returns the line where the run of a given line begins."""
    return run_start(text.records, index) if index < len(text.records) else index


def _is_inner(found: Found, facts: RegionFacts) -> bool:
    kind = found.record.kind
    if kind is Kind.OPEN:
        scope = facts.scope_at(found.start)
        return scope.start == found.start and scope.parent is facts.module_scope
    if kind is Kind.BROKEN and name_at(found.text) is None:
        is_guarded = found.text.startswith("@") and not found.text.startswith("@@")
        return is_guarded and facts.scope_at(found.start) is facts.module_scope
    return kind in _INNER and facts.scope_at(found.start) is facts.module_scope


def _end_of_name(found: Found) -> FunctionPosition:
    """Returns the end of the first word of a statement, which may be its guard."""
    guard = guard_of(found.text)
    length = len(next(tokenize(found.text)).string) if guard is None else guard.end
    return along(found.start, length)


def _brace(text: RegionText, begin: FunctionPosition) -> FunctionSpan | None:
    """Returns the range of the `}` directly before a place, if there is one."""
    line, column = begin
    if not column or line >= len(text.lines) or text.lines[line][column - 1] != "}":
        return None
    return along(begin, -1), begin
