"""What a statement that cannot be read leaves behind: told once, where it first goes wrong."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.document.coordinates import FunctionPosition, on_row
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    DeclarationFault,
    Inconsistent,
)
from ptx_ls.semantics.problems.instructions import (
    BadSyntax,
    Duplicate,
    LooseBrace,
    MisplacedInstruction,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.syntax.names import OF_NAMES
from ptx_ls.syntax.offsets import NEAR, slice_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.symbols.region_text import RegionText

_STATEMENT: Final = ".version"
"""Expected only where a statement begins."""
_TYPE_ALONE: Final = (";",)
"""Expected behind a type where a statement begins: half a declaration has a name there."""
_NOTHING: Final = re.compile(r"(?:\s|//[^\n]*)*").fullmatch
_CLOSED: Final = re.compile(r"(?:[\s}]|//[^\n]*)*").fullmatch
_NEXT: Final = re.compile(rf"\s*+([.%@]?[{OF_NAMES}]++|\S)", re.ASCII).match
_FURTHEST: Final = 20
"""Lines between two statements that are looked at."""


class _Broken(NamedTuple):
    """A statement and what is wrong with it, in order; its range may end before an error does."""

    start: FunctionPosition
    end: FunctionPosition
    errors: list[BadSyntax | BadDeclaration]

    @property
    def first(self) -> BadSyntax | BadDeclaration:
        return self.errors[0]


def lacks_semicolon(error: Mismatch) -> bool:
    """Whether nothing but the `;` of a statement is missing."""
    return (
        isinstance(error, BadSyntax)
        and not error.problem.found
        and ";" in error.problem.expected
        and _STATEMENT not in error.problem.expected
    )


def is_cut_data(mismatch: Mismatch) -> bool:
    """Whether it is a type where a statement begins: data for a debugger, or half a declaration."""
    return isinstance(mismatch, BadDirective) and mismatch.others == ("section",)


def is_odd_name(mismatch: Mismatch) -> bool:
    """Whether a declaration has a name with a dot, which may be half of another statement."""
    return isinstance(mismatch, BadDeclaration) and mismatch.fault is DeclarationFault.NAME


def without_remnants(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Leaves out what else is wrong in a broken statement, and in what is left of it behind."""
    errors = [m for m in mismatches if isinstance(m, BadSyntax | BadDeclaration) and _breaks(m)]
    if not errors:
        return mismatches
    broken = _statements(sorted(errors, key=_start), text)
    dropped: set[int] = set()
    changed: dict[int, Mismatch] = {}
    for number, each in enumerate(broken):
        before = broken[number - 1] if number else None
        if before is not None and _is_left_of(before, each, text):
            dropped.update(map(id, each.errors))
            if lacks_semicolon(before.first):
                changed[id(before.first)] = _at_rest(before.first, text)
        dropped.update(id(error) for error in each.errors[1:] if not _is_apart(error, each.first))
    mismatches = [changed.get(id(m), m) for m in mismatches if id(m) not in dropped]
    kept = [m for m in mismatches if not _is_in(m, broken)]
    kept = [m for m in kept if not (is_cut_data(m) and _is_cut_off(m, broken, text))]
    return _with_end(kept, text)


def _breaks(mismatch: Mismatch) -> bool:
    return isinstance(mismatch, BadSyntax) or is_odd_name(mismatch)


def _statements(errors: Sequence[BadSyntax | BadDeclaration], text: RegionText) -> list[_Broken]:
    """The statements that the errors are in, in order."""
    faulty = text.lines_of({read for read in text.distinct if read.problems})
    lines = {error.start[0] for error in errors if not isinstance(error, BadSyntax)}
    found = [(each.start, each.end) for each in text.statements(sorted({*faulty, *lines}))]
    starts = [start for start, _ in found]
    broken: list[_Broken] = []
    for error in errors:
        is_end = isinstance(error, BadSyntax) and not error.problem.found
        search = bisect_left if is_end else bisect_right
        index = search(starts, error.start) - 1
        start, end = found[index] if index >= 0 else (error.start, error.end)
        if broken and broken[-1].start == start:
            broken[-1].errors.append(error)
        else:
            broken.append(_Broken(start, end, [error]))
    return broken


def _is_left_of(before: _Broken, each: _Broken, text: RegionText) -> bool:
    """Whether a broken statement is but the rest of the broken one before it."""
    cause, error = before.first, each.first
    gap = _between(before.end, each.start, text)
    if gap is None or _CLOSED(gap) is None or not isinstance(error, BadSyntax):
        return False
    if begins_nothing(error) and not _is_whole(before, each, text):
        return True
    if not isinstance(cause, BadSyntax) or each.start[0] != cause.end[0] or "}" in gap:
        return False
    return cause.problem.found == ";" or lacks_semicolon(cause)


def _is_whole(before: _Broken, each: _Broken, text: RegionText) -> bool:
    """Whether a statement ends as it should on a line before the other one begins."""
    line, column = before.end
    ends = line < len(text.lines) and text.lines[line].endswith(";", 0, column)
    return ends and each.start[0] > line


def _is_apart(error: Mismatch, first: Mismatch) -> bool:
    """Whether neither of two errors in a statement keeps the rest of it from being read."""
    return is_odd_name(error) and is_odd_name(first)


def _at_rest(error: Mismatch, text: RegionText) -> Mismatch:
    """Tells a `;` that is missing at what stands behind it, where that is no statement."""
    line, column = error.start
    match = _NEXT(text.lines[line], column)
    if match is None or not isinstance(error, BadSyntax):
        return error
    problem = error.problem._replace(found=match[1], expected=(",", ";"))
    return BadSyntax(problem, *on_row(line, *match.span(1)), text.lines[line])


def begins_nothing(error: BadSyntax) -> bool:
    """Whether no statement begins so."""
    found, expected = error.problem.found, error.problem.expected
    if expected == _TYPE_ALONE:
        return True
    is_odd = _STATEMENT in expected or (found == ";" and not expected)
    return is_odd and not found.startswith(".")


def _is_in(mismatch: Mismatch, broken: Sequence[_Broken]) -> bool:
    """Whether a mismatch is in a statement that cannot be read, or about a name of one."""
    if isinstance(mismatch, BadSyntax | LooseBrace | MisplacedInstruction) or _breaks(mismatch):
        return False
    if _holder(mismatch.start, broken) is not None:
        return True
    if not isinstance(mismatch, Duplicate | Inconsistent) or not mismatch.is_near:
        return False
    return _holder(mismatch.first.start, broken) is not None


def _holder(place: FunctionPosition, broken: Sequence[_Broken]) -> _Broken | None:
    """The broken statement around a place, unless it lacks its `;` only."""
    index = bisect_right(broken, place, key=_begin) - 1
    if index < 0 or not broken[index].start <= place < broken[index].end:
        return None
    return None if lacks_semicolon(broken[index].first) else broken[index]


def _is_cut_off(mismatch: Mismatch, broken: Sequence[_Broken], text: RegionText) -> bool:
    """Whether a mismatch begins right behind a broken statement."""
    index = bisect_left(broken, mismatch.start, key=_begin) - 1
    if index < 0:
        return False
    gap = _between(broken[index].end, mismatch.start, text)
    return gap is not None and _NOTHING(gap.replace(";", "", 1)) is not None


def _with_end(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Where a broken statement and a brace that is missing meet, one of them.

    A file may end within a statement, and another mark may stand where the brace belongs.
    """
    brace = next((m for m in mismatches if isinstance(m, LooseBrace) and m.is_opening), None)
    errors = [m for m in mismatches if isinstance(m, BadSyntax)]
    if brace is None or not errors:
        return mismatches
    last = max(errors, key=_start)
    gap = _between(last.end, brace.start, text)
    if gap is None or _NOTHING(gap) is None:
        return mismatches
    if brace.ends_file and not last.problem.found:
        within = brace._replace(in_statement=True)
        return [within if m is brace else m for m in mismatches if m is not last]
    if begins_nothing(last):
        return [m for m in mismatches if m is not brace]
    return mismatches


def _between(start: FunctionPosition, end: FunctionPosition, text: RegionText) -> str | None:
    """The text between two places; None if they are far apart, "" if the first is behind."""
    if end[0] - start[0] > _FURTHEST:
        return None
    if start >= end:
        return ""
    last = len(text.lines) - 1
    end = end if end[0] <= last else FunctionPosition((last, len(text.lines[last])))
    if end[0] == start[0] and end[1] - start[1] > NEAR:
        return None
    return slice_lines(text.lines, start, end)


def _begin(broken: _Broken) -> FunctionPosition:
    return broken.start


def _start(mismatch: Mismatch) -> FunctionPosition:
    return mismatch.start
