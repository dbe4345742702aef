"""Problems of a statement that follow from another problem of the same statement."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.checking.verdict import GATES
from ptx_ls.lint.causes.relation import Relation
from ptx_ls.semantics.declarations.array_index import BadIndex
from ptx_ls.semantics.declarations.signature_check import BadSignature, SignatureFault
from ptx_ls.semantics.instructions.checks.parameter_access import BadAccess
from ptx_ls.semantics.problems.declarations import BadDirective, BadHeader, DirectiveFault
from ptx_ls.semantics.problems.instructions import BadSyntax, InstructionMismatch, Undeclared
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import MAX_EXAMINED, after, along

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.lint.causes.relation import Follows
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.region_text import RegionText

_CALL: Final = "call"
_OF_SHORT: Final = frozenset(
    {
        ViolationKind.OPERAND_COUNT,
        ViolationKind.MISSING_MODIFIER,
        ViolationKind.UNKNOWN_MODIFIER,
        ViolationKind.ILLEGAL_MODIFIER,
    }
)
"""Violations of an instruction that ends too early."""
_GUESSED: Final = (_CALL, "st")


class _Span(NamedTuple):
    """A span in which all problems, or only undeclared names, follow from another problem."""

    start: FunctionPosition
    end: FunctionPosition
    is_any: bool = False


def _at_index(causes: Sequence[BadIndex], _: CheckInput) -> Follows:
    starts = {cause.start for cause in causes}
    return lambda effect: effect.start in starts


def lacks_body(mismatch: Mismatch) -> bool:
    """Whether the head of a kernel has no body."""
    return isinstance(mismatch, BadDirective) and mismatch.fault is DirectiveFault.NO_BODY


def _at_head(causes: Sequence[BadDirective], _: CheckInput) -> Follows:
    """Selects other problems of a head that has no body."""
    starts = {cause.start for cause in causes if lacks_body(cause)}
    return lambda effect: effect.start in starts and not lacks_body(effect)


def _prototype(causes: Sequence[BadDirective], _: CheckInput) -> Follows | None:
    """Selects the fault of a prototype that is actually a kernel whose body is missing."""
    if not any(map(lacks_body, causes)):
        return None
    return lambda effect: effect.fault is SignatureFault.PROTOTYPE


def _gate_of_guess(causes: Sequence[Mismatch], function: CheckInput) -> Follows | None:
    """Selects the missing version or target of an instruction that is probably not meant.

    It is a call of something that cannot be called, or a store to something that is read-only.
    """
    places = sorted(m.start for m in causes if _is_uncallable(m) or isinstance(m, BadAccess))
    if not places:
        return None

    def follows(effect: InstructionMismatch) -> bool:
        if not effect.opcode.startswith(_GUESSED) or effect.violation.kind not in GATES:
            return False
        index = bisect_right(places, effect.start)
        end = end_of_statement(effect.start, function.text)
        return index < len(places) and places[index] < end

    return follows


def _is_uncallable(mismatch: Mismatch) -> bool:
    if isinstance(mismatch, Undeclared):
        return mismatch.attempt is not None and mismatch.attempt.opcode.startswith(_CALL)
    if not isinstance(mismatch, InstructionMismatch) or not mismatch.opcode.startswith(_CALL):
        return False
    return mismatch.violation.kind is ViolationKind.OPERAND_KIND


def _in_span(
    causes: Sequence[BadValue | InstructionMismatch], function: CheckInput
) -> Follows | None:
    """Selects names in operands that are misread."""
    found = (_span(cause, function.text) for cause in causes)
    spans = sorted(span for span in found if span is not None)
    if not spans:
        return None

    def follows(effect: Mismatch) -> bool:
        index = bisect_right(spans, effect.start, key=attrgetter("start")) - 1
        if index < 0 or effect.start >= spans[index].end:
            return False
        is_cause = isinstance(effect, InstructionMismatch)
        is_name = isinstance(effect, Undeclared | BadIndex)
        return is_name or (spans[index].is_any and not is_cause)

    return follows


def _span(cause: BadValue | InstructionMismatch, text: RegionText) -> _Span | None:
    if isinstance(cause, BadValue):
        if cause.fault is not ValueFault.NO_LABEL:
            return None
        return _Span(cause.end, end_of_statement(cause.end, text))
    kind, note = cause.violation.kind, cause.violation.note
    if kind is ViolationKind.OPERAND_COUNT:
        # A missing `,` joins two names into one; an extra operand may not be an operand at all.
        begin = cause.start if cause.start != cause.opcode_start else cause.opcode_end
        return _Span(begin, end_of_statement(begin, text))
    if kind is ViolationKind.OPERAND_KIND and note.endswith("are swapped"):
        return _Span(cause.opcode_end, end_of_statement(cause.opcode_end, text), is_any=True)
    if kind is ViolationKind.OPERAND_KIND and note:
        return _Span(along(cause.start, 1), cause.end)
    return None


def _cut_short(causes: Sequence[BadSyntax], function: CheckInput) -> Follows | None:
    """Selects violations of an instruction whose `;` is too early: the rest begins no statement."""
    rests = {cause.start for cause in causes if cause.begins_nothing}
    text = function.text
    if not rests:
        return None

    def follows(effect: InstructionMismatch) -> bool:
        if effect.violation.kind not in _OF_SHORT:
            return False
        line, column = end_of_statement(effect.start, text)
        if line >= len(text.lines):
            return False
        following = after(text.lines[line], column + 1)
        return (line, column + 1 + len(following) - len(following.lstrip())) in rests

    return follows


def end_of_statement(start: FunctionPosition, text: RegionText) -> FunctionPosition:
    """Returns the end of the statement around a place: the next `;`."""
    line, column = start
    while line < len(text.lines):
        found = text.lines[line].find(";", column)
        if found >= 0:
            return FunctionPosition((line, found))
        line, column = line + 1, 0
    return FunctionPosition((line, 0))


def end_of_piece(line: str, column: int) -> int:
    """Returns the column of the next mark that may end a statement, within `MAX_EXAMINED`."""
    stop = min(column + MAX_EXAMINED, len(line))
    found = (line.find(mark, column, stop) for mark in ";{}")
    return min((at for at in found if at >= 0), default=stop)


RELATIONS: Final = (
    Relation((InstructionMismatch,), (BadIndex,), _at_index),
    Relation((BadHeader, BadDirective), (BadDirective,), _at_head),
    Relation((BadSignature,), (BadDirective,), _prototype),
    Relation((InstructionMismatch,), (Undeclared, InstructionMismatch, BadAccess), _gate_of_guess),
    Relation((), (BadValue, InstructionMismatch), _in_span),
    Relation((InstructionMismatch,), (BadSyntax,), _cut_short),
)
