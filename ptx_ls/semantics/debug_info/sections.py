"""Checks that sections contain only data and labels, and that all data is in sections.

Source: PTX ISA, "Debugging Directives".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.semantics.directives.module_scope import first_line
from ptx_ls.semantics.problems.declarations import BadDirective, DirectiveFault
from ptx_ls.semantics.problems.instructions import Duplicate, MisplacedInstruction
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.names import name_at
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.record import Kind, MultiLine, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Scope

_STRANGERS: Final = frozenset({Kind.INSTRUCTION, Kind.BROKEN, Kind.DECLARATION, Kind.OPEN})
"""Statements that are allowed in functions, but not among data."""
_BODY: Final = "section"


def check_sections(
    text: RegionText, facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[BadDirective | MisplacedInstruction | Duplicate]:
    """Yields the first data outside of sections in each scope, and other statements in sections.

    Also yields repeated labels, as all sections share one scope.
    """
    opened = {found.start for found in text.of_kind(Kind.SECTION)}
    sections = [scope for scope in facts.blocks_in(facts.module_scope) if scope.start in opened]
    seen = set(sections)
    data = _outside(text.lines_of(text.holding(Kind.DATA)), sections)
    for found in text.statements(_starts(text, data)):
        scope = facts.scope_at(found.start)
        if found.record.kind is not Kind.DATA:
            continue
        if scope not in seen:
            seen.add(scope)
            name = found.text.split(maxsplit=1)[0]
            end = along(found.start, len(name))
            yield BadDirective(name, DirectiveFault.SCOPE, (_BODY,), found.start, end)
    for scope in sections:
        yield from _stranger(text, scope)
    if sections and facts.function is None:
        for symbol in facts.symbols:
            is_label = symbol.kind is SymbolKind.LABEL
            if is_label and module.section_labels.get(symbol.name, region) < region:
                yield Duplicate(symbol, symbol, symbol.start, symbol.end, is_near=False)


def _stranger(text: RegionText, scope: Scope) -> Iterator[MisplacedInstruction]:
    """Yields the first statement of a section that is not data."""
    if not any(map(_holds_stranger, text.distinct)):
        return
    stop = scope.end or FunctionPosition((len(text.lines), 0))
    lines = range(first_line(text, scope.start[0]), min(stop[0] + 1, len(text.lines)))
    held = frozenset(text.records[lines.start : lines.stop])
    if not any(map(_holds_stranger, held)):
        return
    for found in text.statements(lines):
        is_word = found.record.kind is not Kind.BROKEN or name_at(found.text) is not None
        if scope.start < found.start < stop and found.record.kind in _STRANGERS and is_word:
            name = found.text.split(maxsplit=1)[0]
            end = along(found.start, len(name.rstrip(";")))
            yield MisplacedInstruction(found.start, end, stop=found.end, in_section=True)
            return


def _holds_stranger(read: Record) -> bool:
    if isinstance(read, MultiLine):
        return any(each.kind in _STRANGERS for each in read.records)
    return read.kind in _STRANGERS


def _outside(lines: list[int], sections: list[Scope]) -> list[int]:
    """Returns which of the given lines are not entirely within a section, in order."""
    left: list[int] = []
    at = 0
    for scope in sections:
        left += lines[at : bisect_right(lines, scope.start[0])]
        at = len(lines) if scope.end is None else bisect_left(lines, scope.end[0])
    return left + lines[at:]


def _starts(text: RegionText, lines: Iterable[int]) -> list[int]:
    """Returns the lines where the runs of the given lines begin."""
    return sorted({first_line(text, line) for line in lines})
