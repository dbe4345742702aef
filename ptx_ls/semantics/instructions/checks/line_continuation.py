"""Finds statements that continue on the next line, but were read as if they ended before it.

A directive without `;` that is complete at the end of a line is read as ending there, as nearly all
do. If the next line continues it, that line begins with a mark that no statement begins with. An
instruction that lacks an operand is read as ending before `ret;`, although `ret` may be a name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.syntax import parser
from ptx_ls.syntax.boundaries import IS_ALONE
from ptx_ls.syntax.offsets import begins_line
from ptx_ls.syntax.record import WITHOUT_STATEMENT, Kind

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Scope

_MARKS: Final = (",", "+", "-")
_OPEN: Final = (Kind.DATA, Kind.LOCATION, Kind.DIRECTIVE, Kind.LINE)


def is_operand(
    text: RegionText, place: FunctionPosition, scope: Scope, module: ModuleFacts, region: int
) -> bool:
    """Whether a line was read as an instruction, although it is a name that is already declared.

    It is the line after `place`, the end of an incomplete statement.
    """
    line = place[0] + 1
    while line < len(text.lines) and text.records[line].kind in WITHOUT_STATEMENT:
        line += 1
    match = IS_ALONE(text.lines[line]) if line < len(text.lines) else None
    if match is None:
        return False
    name, start = match[1], FunctionPosition((line, match.start(1)))
    if scope.lookup(name, start) is not None:
        return True
    return module.lookup(name, region, start) is not None


def goes_on(text: RegionText, place: FunctionPosition, found: str) -> bool:
    """Whether a token continues the directive on the previous line."""
    line, column = place
    if found not in _MARKS or line >= len(text.lines) or not begins_line(text.lines[line], column):
        return False
    before = line - 1
    while before >= 0 and text.records[before].kind in WITHOUT_STATEMENT:
        before -= 1
    if before < 0 or text.records[before].kind not in _OPEN:
        return False
    stop = line + 1
    while stop < len(text.lines) and text.records[stop] is text.records[line]:
        stop += 1
    return any(  # the lines after this one may have been read as parts of its run
        parser.problem_of("".join(text.lines[before:end])) is None for end in (line + 1, stop)
    )
