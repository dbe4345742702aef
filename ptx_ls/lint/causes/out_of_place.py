"""Problems that follow from a statement, brace or directive that is out of place."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.causes.relation import Relation
from ptx_ls.lint.causes.unreadable import is_cut_data
from ptx_ls.lint.causes.within_statement import end_of_piece, lacks_body
from ptx_ls.semantics.problems.declarations import (
    BadDirective,
    BadHeader,
    DirectiveFault,
    HeaderFault,
)
from ptx_ls.semantics.problems.instructions import BadSyntax, LooseBrace, MisplacedInstruction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText

_MODULE: Final = ("module",)


def _cut_starts(causes: Iterable[Mismatch]) -> set[FunctionPosition]:
    """Returns where a wrong token seems to begin a statement but continues the previous one."""
    return {
        cause.start
        for cause in causes
        if isinstance(cause, BadSyntax)
        and cause.problem.found
        and ".version" not in cause.problem.expected
    }


def _is_cut(causes: Sequence[BadSyntax], _: CheckInput) -> Follows:
    starts = _cut_starts(causes)
    return lambda effect: effect.start in starts


def _in_misplaced(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects other problems of misplaced statements."""
    headless = {m.start for m in causes if lacks_body(m)}
    data = (m for m in causes if is_cut_data(m) and m.start not in headless)
    wrong = [(m.start, _end(m, function.text)) for m in data]
    wrong = sorted([*wrong, *((m.start, m.stop) for m in _misplaced(causes))])
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
            # The end counts: its `;` may be missing there, or an unreadable statement may begin.
            return effect.start <= stops[index] or starts[index] == effect.statement[0]
        return effect.start < stops[index]

    return follows


def _end(data: Mismatch, text: RegionText) -> FunctionPosition:
    line, column = data.start
    return FunctionPosition((line, end_of_piece(text.lines[line], column)))


def _pushed(causes: Sequence[Mismatch], _: CheckInput) -> Follows | None:
    """Selects directives of the header that an instruction before them puts out of place."""
    start = min((cause.start for cause in _misplaced(causes)), default=None)
    if start is None:
        return None
    return lambda effect: is_late(effect) and effect.start > start


def _after_error(causes: Sequence[Mismatch], _: CheckInput) -> Follows | None:
    """Selects directives of the header that are in unreadable text, or misplaced after it."""
    misplaced = {cause.start for cause in _misplaced(causes)}
    errors = (cause for cause in causes if isinstance(cause, BadSyntax))
    starts = [error.start for error in errors if error.statement[0] not in misplaced]
    if not starts:
        return None
    line, column = min(starts)
    faults = HeaderFault.MISSING, HeaderFault.MISPLACED
    return lambda effect: effect.fault in faults and min((line, column), (line, 0)) <= effect.start


def _misplaced(causes: Sequence[Mismatch]) -> list[MisplacedInstruction]:
    """Returns the misplaced statements, except those that are the rest of another one."""
    cut = _cut_starts(causes)
    return [m for m in causes if isinstance(m, MisplacedInstruction) and m.start not in cut]


def is_late(header: BadHeader) -> bool:
    """Whether a directive of the header comes too late, perhaps between a head and its body."""
    return header.fault is HeaderFault.MISPLACED


def _after_brace(causes: Sequence[LooseBrace], _: CheckInput) -> Follows:
    """Selects the absence of debug data, which may follow the missing brace."""
    is_open = any(cause.is_opening and cause.ends_file for cause in causes)
    return lambda effect: is_open and effect.fault is HeaderFault.DEBUG


def is_mark(error: BadSyntax) -> bool:
    """Whether an error is a token that begins no statement, and may be a mistyped brace."""
    found, expected = error.problem.found, error.problem.expected
    return ".version" in expected and not found.startswith((".", ";", "}"))


def _is_of_module(directive: BadDirective) -> bool:
    """Whether a directive is allowed only outside of functions."""
    return directive.fault is DirectiveFault.SCOPE and directive.others == _MODULE


def _in_body(causes: Sequence[BadDirective], _: CheckInput) -> Follows | None:
    """Selects further directives of the module in a body that is never closed."""
    late = [cause.start for cause in causes if _is_of_module(cause)]
    if not late:
        return None
    first = min(late)
    return lambda effect: _is_of_module(effect) and effect.start != first


def _opened(causes: Sequence[Mismatch], _: CheckInput) -> Follows:
    """Selects unclosed braces, if an earlier problem shows the cause."""
    is_late = any(isinstance(m, BadDirective) and _is_of_module(m) for m in causes)
    opened = {cause.start for cause in _misplaced(causes)}
    marks = [m.start for m in causes if isinstance(m, BadSyntax) and is_mark(m)]

    def follows(effect: LooseBrace) -> bool:
        if not effect.is_opening:
            return False
        if is_late or any(start in opened for start, _ in effect.opened):
            return True
        return any(effect.opened[0][0] < start for start in marks)

    return follows


RELATIONS: Final = (
    Relation((MisplacedInstruction,), (BadSyntax,), _is_cut),
    Relation((), (MisplacedInstruction, BadDirective, BadSyntax), _in_misplaced),
    Relation((BadHeader,), (MisplacedInstruction, BadSyntax), _pushed),
    Relation((BadHeader,), (BadSyntax, MisplacedInstruction), _after_error),
    Relation((BadHeader,), (LooseBrace,), _after_brace),
    Relation((BadDirective,), (BadDirective,), _in_body),
    Relation((LooseBrace,), (BadDirective, BadSyntax, MisplacedInstruction), _opened),
)
