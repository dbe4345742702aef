"""How a name is used around a place: where a register got its value, who branches to a label.

Looks at a bounded number of lines, so it costs the same in a file of any size.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.source import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis, JudgedInstruction
    from ptx_ls.syntax.document import Statement
    from ptx_ls.syntax.operands import OperandSyntax

_WORD: Final = r"(?<![\w$%]){}(?![\w$])"
_BACK: Final = 1000
"""Lines before a place that are searched for the instruction that wrote a register."""
_TRIES: Final = 12
"""Lines with the name that are looked at closely."""
_LABEL_LINES: Final = 20_000
_MOST: Final = 6


def last_write(analysis: Analysis, name: str, position: Position) -> tuple[int, str] | None:
    """Line and text of the nearest instruction above that may have written a register.

    Nearest in the text: a branch may have come from elsewhere. None if none is found near.
    """
    start = analysis.document.outline.regions[analysis.region_at(position)].start
    above = range(position.line, max(start, position.line - _BACK) - 1, -1)
    for line in islice(_lines_with(analysis, name, above), _TRIES):
        found: Statement | None = None
        for statement in analysis.document.statements(line):
            if statement.start.line <= line <= statement.end.line and statement.end <= position:
                judged = analysis.instruction(statement)
                if judged is not None and _writes(judged, name):
                    found = statement
        if found is not None:
            return found.start.line, " ".join(found.text.split())
    return None


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


def _lines_with(analysis: Analysis, name: str, numbers: range) -> Iterator[int]:
    """Those lines that hold a name outside of line comments."""
    search = re.compile(_WORD.format(re.escape(name)), re.ASCII).search
    lines = analysis.document.lines
    for line in numbers:
        text = lines[line]
        if name in text and search(text.partition("//")[0]):
            yield line


def _writes(judged: JudgedInstruction, name: str) -> bool:
    specs = judged.verdict.operand_specs if judged.verdict else ()
    for operand, spec in zip(judged.operands, specs, strict=False):
        if (
            spec is not None
            and spec.role in ("write", "readwrite")
            and _names(judged, operand, name)
        ):
            return True
    return False


def _names(judged: JudgedInstruction, operand: OperandSyntax, name: str) -> bool:
    if operand.identifier >= 0 and judged.identifiers[operand.identifier].name == name:
        return True
    parts = (*operand.elements, *([operand.paired] if operand.paired else []))
    return any(_names(judged, part, name) for part in parts)
