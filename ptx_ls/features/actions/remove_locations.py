"""Removes `.loc` directives, which say where in the source an instruction comes from.

Source: PTX ISA, "Debugging Directives".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.features.actions.action import Action, ActionKind, removal
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.names import has_name
from ptx_ls.syntax.offsets import slice_lines
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.written.source_locations import locations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.features.actions.action import Edits
    from ptx_ls.semantics.analysis import Analysis

_LOC: Final = ".loc"
_FILE: Final = ".file"
_LOCATIONS: Final = (_LOC, ".loc_intermediate")
_KINDS: Final = (Kind.DIRECTIVE, Kind.LOCATION)
_DATA_WITH_FILES: Final = ("_section", "@@DWARF")
"""Words in data that, like sections, may name files by their numbers."""


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """Yields the removals that are offered at a `.loc` or `.file`, or for the selection."""
    document = analysis.document
    first, last = selection.start.line, selection.end.line
    if last > first:
        lines = document.lines[first : last + 1]
        if any(has_name(text, name) for text in lines if _LOC in text for name in _LOCATIONS):
            work = partial(_of_selection, document, first, last + 1)
            yield _action("Remove `.loc` from the selection", work)
    name = opcode_of(document.lines[first]) if first < len(document.lines) else ""
    if last == first and name in _LOCATIONS:
        index = analysis.region_at(selection.start)
        function = region_facts(document.leaf(index)).function
        if function is not None:
            located = document.functions[index]
            work = partial(_removals, document, located.first_line, located.stop_line)
            yield _action(f"Remove `.loc` from `{function.name}`", work)
    if name in (*_LOCATIONS, _FILE):
        yield _action("Remove `.loc` and `.file` from the file", partial(_of_file, document))


def _action(title: str, work: Edits) -> Action:
    return Action(title, ActionKind.REWRITE, work, is_costly=True)


def _of_file(document: Document) -> list[TextEdit]:
    """Removes locations from the whole file, and `.file` unless debug data may name files."""
    keeps_files = any(function.head is Kind.SECTION for function in document.leaves())
    keeps_files = keeps_files or any(
        name in function.text for function in document.leaves() for name in _DATA_WITH_FILES
    )
    wanted = _LOCATIONS if keeps_files else (*_LOCATIONS, _FILE)
    return _removals(document, 0, len(document.lines), wanted)


def _of_selection(document: Document, first: int, stop: int) -> list[TextEdit]:
    """Removes locations from a selection, except those that a later `inlined_at` names.

    A location that stays may itself name an earlier one.
    """
    edits = _removals(document, first, stop)
    start = max([Position(stop, 0), *(edit.range.end for edit in edits)])
    end = Position(document.located_on(stop - 1).stop_line, 0)
    named = _named(_text(document, Range(start, end)) if start < end else "")
    removed = []
    for edit in reversed(edits):
        text = _text(document, edit.range)
        own = next(locations(text), None)
        if own is not None and own[:3] in named:
            named |= _named(text)
        else:
            removed.append(edit)
    return removed[::-1]


def _named(text: str) -> set[tuple[int, int, int]]:
    """Returns the file, line and column after each `inlined_at`."""
    found = ((part, next(locations(part), None)) for part in text.split("inlined_at")[1:])
    return {
        (at.file, at.line, at.column)
        for part, at in found
        if at is not None and not part[: at.start].strip()
    }


def _text(document: Document, area: Range) -> str:
    lines = [*document.lines[area.start.line : area.end.line + 1], ""]
    return slice_lines(
        lines, (0, area.start.column), (area.end.line - area.start.line, area.end.column)
    )


def _removals(
    document: Document, first: int, stop: int, wanted: tuple[str, ...] = _LOCATIONS
) -> list[TextEdit]:
    found: list[TextEdit] = []
    done: Position | None = None
    for line in range(first, stop):
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
                found.append(TextEdit(removal(document, statement, with_comment=True), ""))
                done = statement.end
    return found
