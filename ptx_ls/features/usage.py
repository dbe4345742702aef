"""Who names a label.

Looks at a bounded number of lines, so it costs the same in a file of any size.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source import Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.analysis import Analysis

_WORD: Final = r"(?<![\w$%]){}(?![\w$])"
_LABEL_LINES: Final = 20_000
_MOST: Final = 6


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
