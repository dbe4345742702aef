"""Where a declaration is wrong: at the word that does not fit, rather than at the name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.semantics.problems.declarations import BadDeclaration, DeclarationFault
from ptx_ls.syntax.offsets import NEAR, before

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import RegionText

_MAX_LINES_BEFORE: Final = 4
"""How many lines before its name a declaration is looked for."""
_SPACE: Final = r"\.(?:reg|sreg|param|global|shared|local|const|tex|surf|generic)\b"
_VECTOR: Final = r"\.v\d+\b"
_TYPE: Final = r"\.(?!v\d|align|ptr)[a-z]+\d+\w*\b|\.pred\b|\.\w+ref\b"
_LINKAGE: Final = r"\.(?:extern|visible|weak|common)\b"
_BEFORE: Final = {
    DeclarationFault.ALIGNMENT: r"(?<=\.align)\s+\w+",
    DeclarationFault.PREDICATE_IN_MEMORY: rf"{_SPACE}[^;{{}}(,]*\.pred\b",
    DeclarationFault.PREDICATE_VECTOR: rf"{_VECTOR}\s*\.pred\b",
    DeclarationFault.VECTOR_TOO_LARGE: rf"{_VECTOR}\s*\.\w+",
    DeclarationFault.OPAQUE_VECTOR: rf"{_VECTOR}\s*\.\w+",
    DeclarationFault.PARAMETER_VECTOR: _VECTOR,
    DeclarationFault.TYPE_VECTOR: rf"{_VECTOR}\s*\.\w+",
    DeclarationFault.KERNEL_SPACE: _SPACE,
    DeclarationFault.FUNCTION_SPACE: _SPACE,
    DeclarationFault.RESERVED_SPACE: _SPACE,
    DeclarationFault.OPAQUE_SPACE: rf"{_SPACE}[^;{{}}(,]*\.\w+ref\b",
    DeclarationFault.RESULTS: _SPACE,
    DeclarationFault.TYPE: _TYPE,
    DeclarationFault.TYPE_PARAMETER: _TYPE,
    DeclarationFault.LOCAL_LINKAGE: _LINKAGE,
    DeclarationFault.COMMON: _LINKAGE,
    DeclarationFault.KERNEL_RESULT: r"(?<=\.entry)\s*\(\s*\)",
    DeclarationFault.POINTER: r"\.ptr\b",
    DeclarationFault.LATE_ALIGNMENT: r"\.align\b",
    DeclarationFault.POINTED: r"(?<=\.ptr)\s+(?:(?!\.align)\.\w+|(?:\.align\s+)?\w+)",
}
"""What is looked for between the beginning of a declaration and its name; the last one counts."""
_BEHIND: Final = {
    DeclarationFault.COUNT: r"\s*<\s*(\w+)",
    DeclarationFault.REGISTER_ARRAY: r"\s*(\[[^\]]*\])",
    DeclarationFault.NEGATIVE_SIZE: r"\s*(?:\[[^\]]*\])*?\[\s*(-\s*\w+)",
    DeclarationFault.NO_SIZE: r"\s*(\[[^\]]*\])",
    DeclarationFault.KERNEL_ARRAY: r"\s*(\[[^\]]*\])",
    DeclarationFault.INITIALIZED: r"[^=;,]*(=)",
}
"""What is looked for behind the name."""


def pinpointed(found: Iterable[BadDeclaration], text: RegionText) -> Iterator[BadDeclaration]:
    """The mismatches at the words that do not fit; unchanged where none is found.

    Names of one statement may be wrong because of the same word: the first of them counts, and the
    first that is wrong with a name.
    """
    wrong: set[object] = set()
    for bad in found:
        place = _place(bad, text)
        placed = bad if place is None else bad._replace(start=place[0], end=place[1])
        keys = {(placed.start, bad.fault), bad.symbol.start}
        if wrong.isdisjoint(keys):
            yield placed
        wrong.update(keys)


def _place(bad: BadDeclaration, text: RegionText) -> FunctionSpan | None:
    line, column = bad.start
    if bad.fault in _BEHIND:
        end = bad.end[1]
        match = re.compile(_BEHIND[bad.fault], re.ASCII).match(text.lines[line], end, end + NEAR)
        return on_row(line, *match.span(1)) if match is not None else None
    pattern = _BEFORE.get(bad.fault, _TYPE if bad.start == bad.end else "")
    if not pattern:
        return None
    wanted = re.compile(pattern, re.ASCII)
    for row in range(line, max(line - _MAX_LINES_BEFORE, -1), -1):
        stop = column if row == line else len(text.lines[row])
        near = before(text.lines[row], stop)
        first = stop - len(near)
        if row != line:
            near = near.partition("//")[0]
        begin = max(map(near.rfind, ";{}")) + 1
        for match in reversed(list(wanted.finditer(near, begin))):
            start = match.end() - len(match[0].lstrip())
            return on_row(row, first + start, first + match.end())
        if begin:
            return None
    return None
