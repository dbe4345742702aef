"""Who names a label, and who calls a function.

Looks at a bounded number of lines, so it costs the same in a file of any size.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source import Position
from ptx_ls.syntax.operands import opcode_parts
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis

_WORD: Final = r"(?<![\w$%]){}(?![\w$])"
_LABEL_LINES: Final = 20_000
_CALL_LINES: Final = 20_000
_MOST: Final = 6
_CALL: Final = "call"
_INSTRUCTIONS: Final = (Kind.INSTRUCTION, Kind.BROKEN)


def branches(analysis: Analysis, name: str, position: Position) -> list[int]:
    """Lines of the function that name a label, but for its own; the first few."""
    outline = analysis.document.outline
    index = outline.region_at(position.line)
    start, stop = outline.regions[index].start, outline.stop(index)
    start = max(start, position.line - _LABEL_LINES)
    stop = min(stop, position.line + _LABEL_LINES)
    found = []
    for line in _lines_with(analysis, name, range(start, stop)):
        if line != position.line:
            found.append(line)
            if len(found) > _MOST:
                break
    return found


def callers(analysis: Analysis, name: str, position: Position) -> tuple[dict[str, list[int]], bool]:
    """The functions that call one by its name, with the lines of the first few calls.

    The second result: whether those are all, as the whole document was looked through.
    """
    last = len(analysis.document.lines)
    start, stop = max(0, position.line - _CALL_LINES), min(last, position.line + _CALL_LINES)
    found: dict[str, list[int]] = {}
    n_found = 0
    for line in _lines_with(analysis, name, range(start, stop)):
        column = analysis.document.lines[line].index(name)
        statement = analysis.document.statement_at(Position(line, column))
        if statement is None or statement.record.kind not in _INSTRUCTIONS:
            continue
        parts = opcode_parts(statement.parsed.tree)
        caller = analysis.function_at(statement.start)
        if not parts or parts[0][0] != _CALL or caller is None:
            continue
        if n_found == _MOST:
            return found, False
        n_found += 1
        lines = found.setdefault(caller.symbol.name, [])
        if statement.start.line not in lines:
            lines.append(statement.start.line)
    return found, (start, stop) == (0, last)


def _lines_with(analysis: Analysis, name: str, numbers: range) -> Iterator[int]:
    """Those lines that hold a name outside of line comments."""
    search = re.compile(_WORD.format(re.escape(name)), re.ASCII).search
    lines = analysis.document.lines
    for line in numbers:
        text = lines[line]
        if name in text and search(text.partition("//")[0]):
            yield line
