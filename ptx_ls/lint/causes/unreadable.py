"""Problems that follow from a statement that cannot be read, in it and right after it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.causes.relation import Relation
from ptx_ls.lint.causes.within_statement import end_of_piece
from ptx_ls.semantics.directives.unreadable_statements import are_adjacent, ends_before
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
    UnknownOpcode,
)
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText


class UnreadableStatement(NamedTuple):
    """A statement that cannot be read, and its first error."""

    start: FunctionPosition
    end: FunctionPosition
    first: BadSyntax | BadDeclaration


def is_cut_data(mismatch: Mismatch) -> bool:
    """Whether a type begins a statement: data for a debugger, or half a declaration."""
    return isinstance(mismatch, BadDirective) and mismatch.others == ("section",)


def is_odd_name(mismatch: Mismatch) -> bool:
    """Whether a declared name contains a dot, so that it may be half of another statement."""
    return isinstance(mismatch, BadDeclaration) and mismatch.fault is DeclarationFault.NAME


def _is_rest(_: Sequence[BadSyntax], __: CheckInput) -> Follows:
    return lambda effect: effect.is_rest


def _unreadable(causes: Iterable[Mismatch], text: RegionText) -> list[UnreadableStatement]:
    """Returns the statements that cannot be read, or that declare an odd name, in order."""
    odd = {m.start: m for m in causes if isinstance(m, BadDeclaration) and is_odd_name(m)}
    first: dict[FunctionPosition, UnreadableStatement] = {}
    errors = [m for m in causes if isinstance(m, BadSyntax)]
    found = [UnreadableStatement(*error.statement, error) for error in errors]
    if odd:
        names = sorted(odd)
        for each in text.statements(sorted({line for line, _ in odd})):
            index = bisect_left(names, each.start)
            if index < len(names) and names[index] < each.end:
                found.append(UnreadableStatement(each.start, each.end, odd[names[index]]))
    for one in sorted(found, key=attrgetter("first.start")):
        first.setdefault(one.start, one)
    return sorted(first.values(), key=attrgetter("start"))


def _after_odd_name(causes: Sequence[BadDeclaration], function: CheckInput) -> Follows | None:
    """Selects syntax errors after an odd name, in its statement or in the text right after it."""
    text = function.text
    odd = _unreadable(causes, text)
    if not odd:
        return None

    def follows(effect: BadSyntax) -> bool:
        start = effect.statement[0]
        index = bisect_right(odd, start, key=attrgetter("start")) - 1
        if index < 0:
            return False
        before = odd[index]
        if before.start == start:
            return before.first.start < effect.start
        is_rest = effect.begins_nothing and not ends_before(before.end, start, text)
        return is_rest and are_adjacent(before.end, start, text)

    return follows


def _in_statement(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects other problems of unreadable statements, and of the names that they declare."""
    unreadable = _unreadable(causes, function.text)
    if not unreadable:
        return None

    def follows(effect: Mismatch) -> bool:
        if isinstance(effect, BadSyntax | LooseBrace | MisplacedInstruction | UnknownOpcode):
            return False
        if is_odd_name(effect):
            holder = _holder(effect.start, unreadable)
            return holder is not None and isinstance(holder.first, BadSyntax)
        if is_cut_data(effect):
            holder = _holder(effect.start, unreadable)
            return holder is not None and holder.first.start < effect.start
        if _is_within(effect.start, unreadable):
            return True
        if not isinstance(effect, Duplicate | Inconsistent) or not effect.is_near:
            return False
        return _is_within(effect.first.start, unreadable)

    return follows


def _is_within(place: FunctionPosition, unreadable: Sequence[UnreadableStatement]) -> bool:
    """Whether a place is in a statement that lacks more than its `;`."""
    holder = _holder(place, unreadable)
    if holder is None:
        return False
    return not (isinstance(holder.first, BadSyntax) and holder.first.lacks_semicolon)


def _holder(
    place: FunctionPosition, unreadable: Sequence[UnreadableStatement]
) -> UnreadableStatement | None:
    index = bisect_right(unreadable, place, key=attrgetter("start")) - 1
    if index < 0 or not unreadable[index].start <= place < unreadable[index].end:
        return None
    return unreadable[index]


def _on_line(causes: Sequence[BadSyntax], function: CheckInput) -> Follows | None:
    """Selects other problems on the line of a syntax error, up to the end of the statement."""
    ends: dict[int, tuple[FunctionPosition, FunctionPosition]] = {}
    lines = function.text.lines
    for error in sorted(causes, key=attrgetter("start")):
        line, column = error.start
        if not error.is_rest and not error.lacks_semicolon and line < len(lines):
            stop = end_of_piece(lines[line], column)
            ends[line] = error.start, along(error.start, stop - column)
    if not ends:
        return None

    def follows(effect: Mismatch) -> bool:
        span = ends.get(effect.start[0])
        is_brace = isinstance(effect, LooseBrace) and effect.in_statement
        if span is None or is_brace or isinstance(effect, BadSyntax):
            return False
        return span[0] < effect.start <= span[1]

    return follows


def _cut_off(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects the second half of a declaration right after an unreadable statement."""
    text, unreadable = function.text, _unreadable(causes, function.text)
    if not unreadable:
        return None

    def follows(effect: BadDirective) -> bool:
        index = bisect_left(unreadable, effect.start, key=attrgetter("start")) - 1
        if index < 0 or not is_cut_data(effect):
            return False
        return are_adjacent(unreadable[index].end, effect.start, text, ";")

    return follows


def _before_end(causes: Sequence[LooseBrace], function: CheckInput) -> Follows | None:
    """Selects a statement that the end of the file cuts off, if a brace is also missing there."""
    brace = next((cause for cause in causes if cause.in_statement), None)
    return None if brace is None else lambda effect: _is_at(brace, effect, function.text)


def _for_brace(causes: Sequence[BadSyntax], function: CheckInput) -> Follows:
    """Selects a missing brace, if a character in its place may be a mistyped brace."""
    marks = [cause for cause in causes if cause.begins_nothing and not cause.is_rest]
    last = max(marks, key=attrgetter("start"), default=None)
    return lambda effect: (
        effect.is_opening
        and not effect.in_statement
        and last is not None
        and _is_at(effect, last, function.text)
    )


def _is_at(brace: LooseBrace, error: BadSyntax | UnknownOpcode, text: RegionText) -> bool:
    """Whether only white space separates a syntax error from the place of a missing brace."""
    return are_adjacent(error.end, brace.start, text, "")


RELATIONS: Final = (
    Relation((BadSyntax,), (BadSyntax,), _is_rest),
    Relation((BadSyntax,), (BadDeclaration,), _after_odd_name),
    Relation((), (BadSyntax, BadDeclaration), _in_statement),
    Relation((), (BadSyntax,), _on_line),
    Relation((BadDirective,), (BadSyntax, BadDeclaration), _cut_off),
    Relation((BadSyntax, UnknownOpcode), (LooseBrace,), _before_end),
    Relation((LooseBrace,), (BadSyntax,), _for_brace),
)
