"""What follows from a statement, brace or head that is out of place."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.causes.relation import Relation
from ptx_ls.lint.causes.unreadable import is_cut_data
from ptx_ls.lint.causes.within_statement import lacks_body
from ptx_ls.semantics.problems.declarations import BadDirective, BadHeader, HeaderFault
from ptx_ls.semantics.problems.instructions import BadSyntax, LooseBrace, MisplacedInstruction
from ptx_ls.syntax.offsets import NEAR

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.lint.causes.relation import FaultyFunction, Follows
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText

_END_OF_DATA: Final = re.compile(r"[;{}]").search


def _cut_starts(causes: Iterable[Mismatch]) -> set[FunctionPosition]:
    """Where a token is wrong that may begin a statement, but goes on with the one before it."""
    return {
        cause.start
        for cause in causes
        if isinstance(cause, BadSyntax)
        and cause.problem.found
        and ".version" not in cause.problem.expected
    }


def _is_cut(causes: Sequence[BadSyntax], _: FaultyFunction) -> Follows:
    starts = _cut_starts(causes)
    return lambda effect: effect.start in starts


def _in_misplaced(causes: Sequence[Mismatch], function: FaultyFunction) -> Follows | None:
    """What else is wrong with a statement where none of its kind may be."""
    cut, headless = _cut_starts(causes), {m.start for m in causes if lacks_body(m)}
    wrong = sorted(
        (m.start, m.stop if isinstance(m, MisplacedInstruction) else _end(m, function.text))
        for m in causes
        if (isinstance(m, MisplacedInstruction) and m.start not in cut)
        or (is_cut_data(m) and m.start not in headless)
    )
    if not wrong:
        return None
    starts = [start for start, _ in wrong]
    stops = list(accumulate((stop for _, stop in wrong), max))

    def follows(effect: Mismatch) -> bool:
        if isinstance(effect, MisplacedInstruction | BadDirective):
            return False
        index = bisect_right(starts, effect.start) - 1
        if index < 0:
            return False
        if isinstance(effect, BadSyntax):
            # Where the statement ends, its terminator may be missing, or another one begins.
            return effect.start <= stops[index] or starts[index] == effect.statement[0]
        return effect.start < stops[index]

    return follows


def _end(data: Mismatch, text: RegionText) -> FunctionPosition:
    line, column = data.start
    match = _END_OF_DATA(text.lines[line], column, column + NEAR)
    end = match.start() if match else min(column + NEAR, len(text.lines[line]))
    return FunctionPosition((line, end))


def _pushed(causes: Sequence[Mismatch], _: FaultyFunction) -> Follows | None:
    """Directives of the header that the first of them, or a statement before it, puts after it."""
    late = [m.start for m in causes if isinstance(m, BadHeader) and _is_late(m)]
    if not late:
        return None
    first, cut = min(late), _cut_starts(causes)
    before = (m.start for m in causes if isinstance(m, MisplacedInstruction) and m.start not in cut)
    is_pushed = any(start < first for start in before)
    return lambda effect: _is_late(effect) and (is_pushed or effect.start != first)


def _is_late(mismatch: BadHeader) -> bool:
    return mismatch.fault is HeaderFault.MISPLACED


def _after_brace(causes: Sequence[LooseBrace], _: FaultyFunction) -> Follows:
    """Debugging data that the header promises, and that may come after the missing brace."""
    is_open = any(cause.is_opening and cause.ends_file for cause in causes)
    return lambda effect: is_open and effect.fault is HeaderFault.DEBUG


RELATIONS: Final = (
    Relation((MisplacedInstruction,), (BadSyntax,), _is_cut),
    Relation((), (MisplacedInstruction, BadDirective, BadSyntax), _in_misplaced),
    Relation((BadHeader,), (BadHeader, MisplacedInstruction, BadSyntax), _pushed),
    Relation((BadHeader,), (LooseBrace,), _after_brace),
)
