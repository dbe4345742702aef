"""Removes `.loc`: which line of the source an instruction comes from.

Source: PTX ISA, "Debugging Directives".
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.features.actions.action import Action, ActionKind
from ptx_ls.semantics.module import region_facts
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.document import Document, Statement

_LOC: Final = ".loc"
_FILE: Final = ".file"
_KINDS: Final = (Kind.DIRECTIVE, Kind.LOCATION)


def actions(analysis: Analysis, selection: Range) -> Iterator[Action]:
    """What can be removed where the cursor is at a `.loc` or `.file`, or in the selection."""
    document = analysis.document
    first, last = selection.start.line, selection.end.line
    name = _directive(document, first)
    if last > first:
        if any(_LOC in line for line in document.lines[first : last + 1]):
            work = partial(_removals, document, first, last + 1, (_LOC,))
            yield Action(
                "Remove `.loc` from the selection", ActionKind.REWRITE, work, is_costly=True
            )
    elif name == _LOC:
        index = analysis.region_at(selection.start)
        function = region_facts(document, index).function
        if function is not None:
            start, stop = document.outline.regions[index].start, document.outline.stop(index)
            work = partial(_removals, document, start, stop, (_LOC,))
            title = f"Remove `.loc` from `{function.name}`"
            yield Action(title, ActionKind.REWRITE, work, is_costly=True)
    if name in (_LOC, _FILE):
        work = partial(_of_file, document)
        yield Action(
            "Remove `.loc` and `.file` from the file", ActionKind.REWRITE, work, is_costly=True
        )


def _directive(document: Document, line: int) -> str:
    text = document.lines[line] if line < len(document.lines) else ""
    return next((name for name in (_LOC, _FILE) if text.lstrip().startswith(name)), "")


def _of_file(document: Document) -> list[TextEdit]:
    """Sections of debugging data may name files, so these stay where there are any."""
    has_section = any(region.kind is Kind.SECTION for region in document.outline.regions)
    wanted = (_LOC,) if has_section else (_LOC, _FILE)
    return _removals(document, 0, len(document.lines), wanted)


def _removals(document: Document, first: int, stop: int, wanted: tuple[str, ...]) -> list[TextEdit]:
    found: list[TextEdit] = []
    done: Position | None = None
    for line in range(first, stop):
        text = document.lines[line]
        if not any(name in text for name in wanted):
            continue
        for statement in document.statements(line):
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
