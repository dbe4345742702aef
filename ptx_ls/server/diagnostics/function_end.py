"""The end of a function that is being written.

Each result is unused until a later line reads it, and the last line ends without a `ret` until it
is one. While the user adds lines at the end of a function, such diagnostics would come with each
line and go with the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.results.known_diagnostics import KnownDiagnostics
from ptx_ls.lint.results.result import Result
from ptx_ls.source import Position
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.document.document import Document
    from ptx_ls.server.diagnostics.typed_lines import TypedLines
    from ptx_ls.source import Diagnostic

_NO_RETURN: Final = "missing-return"
_UNUSED: Final = frozenset(
    {"unused-label", "unused-parameter", "unused-register", "unused-result", "unused-variable"}
)
"""Rules that a later line of the function can satisfy."""
_MAX_LINES: Final = 100
"""Maximum number of lines between the added lines and the end of the function."""
_FURTHER: Final = frozenset({Kind.INSTRUCTION, Kind.FUNCTION, Kind.BROKEN})
"""Kinds of lines that are not between the added lines and the end of their function."""


def without_premature(
    known: KnownDiagnostics, document: Document, added: TypedLines
) -> KnownDiagnostics:
    """Returns diagnostics without those that lines after `added` are about to satisfy.

    Returns `known` itself if the added lines are not the last ones of a function without `ret`.
    """
    end = _end(known, document, added.last)
    if end is None:
        return known

    def is_shown(one: Diagnostic) -> bool:
        line = one.range.start.line
        if one.rule in _UNUSED:
            return not added.first <= line <= added.last
        return one.rule != _NO_RETURN or line != end

    results: list[tuple[Position, Result]] = []
    for start, result in known.results:
        rules = {one.rule for one in result.diagnostics}
        if start.line > end or rules.isdisjoint(_UNUSED | {_NO_RETURN}):
            results.append((start, result))
            continue
        found = result.at(start, known.header, known.declared)
        shown = [one for one in found if is_shown(one)]
        if len(shown) == len(found):
            results.append((start, result))
        elif shown:
            results.append((Position(0, 0), Result(shown)))
    return KnownDiagnostics(tuple(results), known.header, known.declared)


def _end(known: KnownDiagnostics, document: Document, last: int) -> int | None:
    """Returns the line where a function ends without `ret`, if only blank lines lead to it."""
    stop = min(last + _MAX_LINES, document.n_lines)
    first = document.located_on(last).start
    ends = {
        one.range.start.line
        for start, result in known.results
        if (first <= start or start == Position(0, 0))
        and start.line < stop
        and any(each.rule == _NO_RETURN for each in result.diagnostics)
        for one in result.at(start, known.header, known.declared)
        if one.rule == _NO_RETURN and last <= one.range.start.line < stop
    }
    end = min(ends, default=None)
    if end is None:
        return None
    between = document.records[last + 1 : end]
    return None if any(each.kind in _FURTHER for each in between) else end
