"""What else is wrong in a statement for the same reason: told once."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START, FunctionPosition
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.cascades.remnants import begins_nothing
from ptx_ls.lint.suggestions import near_modifiers, unused_modifiers
from ptx_ls.semantics.declarations.array_index import BadIndex
from ptx_ls.semantics.declarations.signature_check import BadSignature, SignatureFault
from ptx_ls.semantics.instructions.parameter_access import BadAccess
from ptx_ls.semantics.problems.calls import BadCall, CallFault
from ptx_ls.semantics.problems.declarations import (
    BadDeclaration,
    BadDirective,
    BadHeader,
    DirectiveFault,
)
from ptx_ls.semantics.problems.instructions import (
    BadGuard,
    BadSyntax,
    Duplicate,
    InstructionMismatch,
    Undeclared,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.offsets import along

if TYPE_CHECKING:
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
"""What may be wrong with an instruction that ends too early."""
_NEXT: Final = re.compile(r";\s*+").match
_COUNTS: Final = (CallFault.RESULTS, CallFault.ARGUMENTS, CallFault.AT_LEAST)
_GUESSED: Final = (_CALL, "st")
_GATES: Final = frozenset({ViolationKind.VERSION, ViolationKind.TARGET})


class _Span(NamedTuple):
    """Where mismatches follow from another one: of undeclared names, or any."""

    start: FunctionPosition
    end: FunctionPosition
    is_any: bool = False


def disentangled(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Leaves out what follows from another mismatch of the same statement."""
    mismatches = _one_at_each_place(_without_guesses(mismatches, text))
    found = (_span(m, text) for m in mismatches)
    spans = sorted(span for span in found if span is not None)
    if spans:
        mismatches = [m for m in mismatches if not _is_in(m, spans)]
    mismatches = _with_calls_together(_without_cut_short(mismatches, text), text)
    return _with_duplicates_together(_with_modifiers_together(mismatches), text)


def _one_at_each_place(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Of two mismatches at one place, the one that the other follows from."""
    undeclared = {m.start for m in mismatches if isinstance(m, Undeclared)}
    indices = {m.start for m in mismatches if isinstance(m, BadIndex)}
    headless = {m.start for m in mismatches if lacks_body(m)}
    declared: set[object] = set()

    def follows(mismatch: Mismatch) -> bool:
        match mismatch:
            case BadGuard():
                return mismatch.start in undeclared
            case InstructionMismatch():
                return mismatch.start in indices or mismatch.start in undeclared
            case BadHeader() | BadDirective():
                return mismatch.start in headless and not lacks_body(mismatch)
            case BadSignature(fault=SignatureFault.PROTOTYPE):
                return bool(headless)
            case BadDeclaration(fault=fault):  # of several names in one statement, or of one name
                keys = {(mismatch.start, fault), mismatch.symbol.start}
                is_told = not keys.isdisjoint(declared)
                declared.update(keys)
                return is_told
        return False

    return [m for m in mismatches if not follows(m)]


def _without_guesses(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Leaves out what an instruction needs that is taken for another than is meant.

    That is a call that names nothing to call, and a store to what cannot be stored to.
    """
    places = sorted(m.start for m in mismatches if _is_uncallable(m) or isinstance(m, BadAccess))
    return [m for m in mismatches if not (_is_gated(m) and _is_followed(m, places, text))]


def _is_uncallable(mismatch: Mismatch) -> bool:
    if isinstance(mismatch, Undeclared):
        return mismatch.attempt is not None and mismatch.attempt.opcode.startswith(_CALL)
    if not isinstance(mismatch, InstructionMismatch) or not mismatch.opcode.startswith(_CALL):
        return False
    return mismatch.violation.kind is ViolationKind.OPERAND_KIND


def _is_gated(mismatch: Mismatch) -> bool:
    if not isinstance(mismatch, InstructionMismatch):
        return False
    return mismatch.opcode.startswith(_GUESSED) and mismatch.violation.kind in _GATES


def _is_followed(mismatch: Mismatch, places: list[FunctionPosition], text: RegionText) -> bool:
    """Whether one of the places is in the statement that begins with a mismatch."""
    index = bisect_right(places, mismatch.start)
    return index < len(places) and places[index] < end_of_statement(mismatch.start, text)


def _with_modifiers_together(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Modifiers of one instruction that are another's, as the first of them; no typos."""
    groups: dict[FunctionPosition, list[InstructionMismatch]] = {}
    for mismatch in mismatches:
        if isinstance(mismatch, InstructionMismatch) and _is_unknown_modifier(mismatch):
            groups.setdefault(mismatch.opcode_start, []).append(mismatch)
    told: dict[int, Mismatch | None] = {}
    for group in groups.values():
        first, *others = _foreign(group) if len(group) > 1 else group
        if others:
            told.update((id(other), None) for other in others)
            uses = tuple((other.start, other.end) for other in others)
            told[id(first)] = first._replace(uses=uses)
    kept = (told.get(id(m), m) for m in mismatches)
    return [m for m in kept if m is not None]


def _is_unknown_modifier(mismatch: InstructionMismatch) -> bool:
    violation = mismatch.violation
    return violation.kind is ViolationKind.UNKNOWN_MODIFIER and not violation.lenient


def _foreign(group: list[InstructionMismatch]) -> list[InstructionMismatch]:
    """Of the unknown modifiers of one instruction, those that are not typos; or the first."""
    known = unused_modifiers(*isa.split_modifiers(group[0].opcode))
    foreign = [m for m in group if not near_modifiers(known, m.violation.found)]
    return foreign or group[:1]


def lacks_body(mismatch: Mismatch) -> bool:
    """Whether nothing follows the head of a kernel."""
    return isinstance(mismatch, BadDirective) and mismatch.fault is DirectiveFault.NO_BODY


def _span(cause: Mismatch, text: RegionText) -> _Span | None:
    if isinstance(cause, BadValue) and cause.fault is ValueFault.NO_LABEL:
        return _Span(cause.end, end_of_statement(cause.end, text))
    if not isinstance(cause, InstructionMismatch):
        return None
    kind, note = cause.violation.kind, cause.violation.note
    if kind is ViolationKind.OPERAND_COUNT:
        # A `,` that is missing makes one name of two; an operand too many may be none at all.
        begin = cause.start if cause.start != cause.opcode_start else cause.opcode_end
        return _Span(begin, end_of_statement(begin, text))
    if kind is ViolationKind.OPERAND_KIND and note.endswith("are swapped"):
        return _Span(cause.opcode_end, end_of_statement(cause.opcode_end, text), is_any=True)
    if kind is ViolationKind.OPERAND_KIND and note:
        return _Span(along(cause.start, 1), cause.end)
    return None


def _is_in(mismatch: Mismatch, spans: list[_Span]) -> bool:
    index = bisect_right(spans, mismatch.start, key=_begin) - 1
    if index < 0 or mismatch.start >= spans[index].end:
        return False
    is_cause = isinstance(mismatch, InstructionMismatch)
    is_name = isinstance(mismatch, Undeclared | BadIndex)
    return is_name or (spans[index].is_any and not is_cause)


def _without_cut_short(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Leaves out what an instruction lacks whose `;` comes before what is no statement."""
    rests = {m.start for m in mismatches if isinstance(m, BadSyntax) and begins_nothing(m)}
    if not rests:
        return mismatches

    def is_cut(mismatch: Mismatch) -> bool:
        if not isinstance(mismatch, InstructionMismatch):
            return False
        if mismatch.violation.kind not in _OF_SHORT:
            return False
        line, column = end_of_statement(mismatch.start, text)
        rest = _NEXT(text.lines[line], column) if line < len(text.lines) else None
        return rest is not None and (line, rest.end()) in rests

    return [m for m in mismatches if not is_cut(m)]


def _with_calls_together(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Of a call with a wrong number of results or arguments, that alone."""
    counted: dict[FunctionPosition, Mismatch] = {}
    for mismatch in sorted((m for m in mismatches if isinstance(m, BadCall)), key=_start):
        if mismatch.fault in _COUNTS:
            counted.setdefault(end_of_statement(mismatch.start, text), mismatch)
    if not counted:
        return mismatches
    return [
        m
        for m in mismatches
        if not isinstance(m, BadCall) or counted.get(end_of_statement(m.start, text), m) is m
    ]


def _with_duplicates_together(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Names that one statement declares again, as the first of them."""
    groups: dict[FunctionPosition, list[Duplicate]] = {}
    end = FUNCTION_START
    for mismatch in sorted((m for m in mismatches if isinstance(m, Duplicate)), key=_start):
        if mismatch.symbol.kind is not SymbolKind.LABEL:
            if mismatch.start >= end:  # else it is in the same statement, which may be a long one
                end = end_of_statement(mismatch.start, text)
            groups.setdefault(end, []).append(mismatch)
    told: dict[int, Duplicate | None] = {}
    for first, *others in groups.values():
        if others:
            told.update((id(other), None) for other in others)
            names = tuple(other.symbol.name for other in others)
            told[id(first)] = first._replace(others=names)
    kept = (told.get(id(m), m) for m in mismatches)
    return [m for m in kept if m is not None]


def end_of_statement(start: FunctionPosition, text: RegionText) -> FunctionPosition:
    """Where the statement around a place ends: at the next `;`."""
    line, column = start
    while line < len(text.lines):
        found = text.lines[line].find(";", column)
        if found >= 0:
            return FunctionPosition((line, found))
        line, column = line + 1, 0
    return FunctionPosition((line, 0))


def _begin(span: _Span) -> FunctionPosition:
    return span.start


def _start(mismatch: Mismatch) -> FunctionPosition:
    return mismatch.start
