"""Removes `.loc`: which line of the source an instruction comes from.

Source: PTX ISA, "Debugging Directives".
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.features.actions.action import Action, ActionKind, Steps
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.syntax.literals import INTEGER, integer
from ptx_ls.syntax.names import NAME_ENDS
from ptx_ls.syntax.offsets import slice_lines
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_LOC: Final = ".loc"
_FILE: Final = ".file"
_LOCATIONS: Final = (_LOC, ".loc_intermediate")
_KINDS: Final = (Kind.DIRECTIVE, Kind.LOCATION)
_NAMING: Final = ("_section", "@@DWARF")
"""What begins, beside sections, data that may name files by their numbers."""
_HAS_LOCATION: Final = re.compile(rf"\.loc(?:_intermediate)?{NAME_ENDS}", re.ASCII).search
_BEGIN: Final = re.compile(rf"\s*+(\.file|\.loc)(?:_intermediate)?{NAME_ENDS}", re.ASCII).match
_PLACE: Final = re.compile(
    rf"(?:\.loc(?:_intermediate)?|inlined_at)\s++({INTEGER})\s++({INTEGER})\s++({INTEGER})",
    re.ASCII,
)
_MAX_LINES_OF_STEP: Final = 1000
"""Lines that are looked at in one step."""


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """What can be removed where the cursor is at a `.loc` or `.file`, or in the selection."""
    document = analysis.document
    first, last = selection.start.line, selection.end.line
    name = _directive(document, first)
    if last > first:
        if any(map(_HAS_LOCATION, document.lines[first : last + 1])):
            work = partial(_of_selection, document, first, last + 1)
            yield _action("Remove `.loc` from the selection", work)
    elif name == _LOC:
        index = analysis.region_at(selection.start)
        function = region_facts(document.leaf(index)).function
        if function is not None:
            located = document.functions[index]
            work = partial(_removals, document, located.first_line, located.stop_line)
            yield _action(f"Remove `.loc` from `{function.name}`", work)
    if name in (_LOC, _FILE):
        yield _action("Remove `.loc` and `.file` from the file", partial(_of_file, document))


def _action(title: str, start: Callable[[], Generator[None, None, list[TextEdit]]]) -> Action:
    return Action(title, ActionKind.REWRITE, Steps(start), is_costly=True)


def _directive(document: Document, line: int) -> str:
    text = document.lines[line] if line < len(document.lines) else ""
    found = _BEGIN(text)
    return found[1] if found is not None else ""


def _of_file(document: Document) -> Generator[None, None, list[TextEdit]]:
    """Debugging data may name files, so these stay where there is any."""
    keeps_files = any(function.head is Kind.SECTION for function in document.leaves())
    for first in range(0, len(document.lines), _MAX_LINES_OF_STEP):
        text = "".join(document.lines[first : first + _MAX_LINES_OF_STEP])
        keeps_files = keeps_files or any(name in text for name in _NAMING)
        yield
    wanted = _LOCATIONS if keeps_files else (*_LOCATIONS, _FILE)
    return (yield from _removals(document, 0, len(document.lines), wanted))


def _of_selection(
    document: Document, first: int, stop: int
) -> Generator[None, None, list[TextEdit]]:
    """Calls that are inlined after the selection name places in it, so these stay.

    A location that stays may itself name one before it.
    """
    edits = yield from _removals(document, first, stop)
    start = max([Position(stop, 0), *(edit.range.end for edit in edits)])
    end = Position(document.located_on(stop - 1).stop_line, 0)
    named = _named(_text(document, Range(start, end)) if start < end else "")
    yield
    removed = []
    for edit in reversed(edits):
        text = _text(document, edit.range)
        own = _PLACE.search(text)
        if own is not None and _numbers(own) in named:
            named |= _named(text)
        else:
            removed.append(edit)
    return removed[::-1]


def _named(text: str) -> set[tuple[int | None, ...]]:
    """The places that inlined calls name."""
    return {_numbers(it) for it in _PLACE.finditer(text) if it[0].startswith("inlined_at")}


def _numbers(place: re.Match[str]) -> tuple[int | None, ...]:
    """File, line and column."""
    return tuple(map(integer, place.groups()))


def _text(document: Document, area: Range) -> str:
    lines = [*document.lines[area.start.line : area.end.line + 1], ""]
    return slice_lines(
        lines, (0, area.start.column), (area.end.line - area.start.line, area.end.column)
    )


def _removals(
    document: Document, first: int, stop: int, wanted: tuple[str, ...] = _LOCATIONS
) -> Generator[None, None, list[TextEdit]]:
    found: list[TextEdit] = []
    done: Position | None = None
    for line in range(first, stop):
        if not line % _MAX_LINES_OF_STEP:
            yield
        text = document.lines[line]
        if _LOC not in text and _FILE not in text:
            continue
        if document.records[line].kind is Kind.LOCATION and line + 1 < len(document.lines):
            found.append(TextEdit(Range(Position(line, 0), Position(line + 1, 0)), ""))
            continue
        for statement in statements_on(document, line):
            if done is not None and statement.start < done:
                continue
            is_own = statement.record.kind in _KINDS and first <= statement.start.line < stop
            if is_own and statement.text.split(None, 1)[0] in wanted:
                found.append(TextEdit(_whole(document, statement), ""))
                done = statement.end
    return found


def _whole(document: Document, statement: Statement) -> Range:
    """The statement; with its lines where nothing but a comment on it shares them."""
    lines = document.lines
    first, last = statement.start.line, statement.end.line
    before = lines[first][: statement.start.column]
    behind = lines[last][statement.end.column :].strip()
    is_comment = not behind or behind.startswith("//")
    if not before.strip() and is_comment and last + 1 < len(lines):
        return Range(Position(first, 0), Position(last + 1, 0))
    start = len(before.rstrip()) if not behind else len(before)
    return Range(Position(first, start), statement.end)
