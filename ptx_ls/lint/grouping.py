"""Groups similar mismatches: the first of each group lists the others as its uses."""

from __future__ import annotations

import string
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FUNCTION_START
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.checking.verdict import GATES
from ptx_ls.lint.causes.within_statement import end_of_statement
from ptx_ls.lint.declarations.misused_names import of_declarations
from ptx_ls.lint.suggestions import near_modifiers, unused_modifiers
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.instructions import (
    BadGuard,
    Duplicate,
    InstructionMismatch,
    Undeclared,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.semantics.symbols.symbols import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.isa import Violation
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_MIN_GATED: Final = 3
"""Minimum number of instructions in a group that needs the same version or target."""

GROUPED_TOGETHER: Final = (InstructionMismatch, BadGuard, BadCall)
"""Classes of mismatches that may be in one group."""


def grouped(
    mismatches: Iterable[Mismatch], text: RegionText, facts: RegionFacts
) -> Iterator[Mismatch]:
    """Yields one mismatch for each group of similar ones.

    A group holds uses of one undeclared name, or of registers of one undeclared bank; names that
    one statement declares again; modifiers that an instruction does not have; instructions that
    need the same version or target; or uses that do not fit a declaration.
    """
    names: list[Undeclared] = []
    repeated: list[Duplicate] = []
    gated: list[InstructionMismatch] = []
    modifiers: list[InstructionMismatch] = []
    rest: list[Mismatch] = []
    for mismatch in sorted(mismatches, key=attrgetter("start")):
        match mismatch:
            case Undeclared():
                names.append(mismatch)
            case Duplicate() if mismatch.symbol.kind is not SymbolKind.LABEL:
                repeated.append(mismatch)
            case InstructionMismatch() if _is_gated(mismatch):
                gated.append(mismatch)
            case InstructionMismatch() if _is_unknown_modifier(mismatch):
                modifiers.append(mismatch)
            case _:
                rest.append(mismatch)
    yield from _of_banks(names)
    yield from _of_statements(repeated, text)
    yield from _of_headers(gated)
    yield from _of_opcodes(modifiers)
    yield from of_declarations(rest, text, facts)


def _of_banks(mismatches: Iterable[Undeclared]) -> Iterator[Undeclared]:
    groups: dict[object, list[Undeclared]] = {}
    for mismatch in mismatches:
        groups.setdefault(bank_of(mismatch), []).append(mismatch)
    for first, *others in groups.values():
        names = dict.fromkeys(other.name for other in others if other.name != first.name)
        yield first._replace(others=tuple(names), uses=_places(others))


def bank_of(mismatch: Undeclared) -> object:
    """Returns a key that is equal for undeclared names of the same bank."""
    if mismatch.elsewhere is None or mismatch.elsewhere.count:
        prefix = mismatch.name.rstrip(string.digits)
        if not mismatch.wants and prefix not in ("", "%", mismatch.name):
            return prefix, mismatch.near is None, mismatch.elsewhere is None
    return mismatch.name


def _of_statements(mismatches: Iterable[Duplicate], text: RegionText) -> Iterator[Duplicate]:
    groups: dict[FunctionPosition, list[Duplicate]] = {}
    end = FUNCTION_START
    for mismatch in mismatches:
        if mismatch.start >= end:  # otherwise, it is in the same statement, which may be long
            end = end_of_statement(mismatch.start, text)
        groups.setdefault(end, []).append(mismatch)
    for first, *others in groups.values():
        yield first._replace(others=tuple([other.symbol.name for other in others]))


def _is_gated(mismatch: InstructionMismatch) -> bool:
    violation = mismatch.violation
    return violation.kind in GATES and not violation.lenient and bool(_lacks(violation))


def _lacks(violation: Violation) -> tuple[object, ...]:
    """Returns the versions or the targets that would be enough."""
    is_version = violation.kind is ViolationKind.VERSION
    return tuple(version if is_version else targets for version, targets in violation.needs)


def _of_headers(mismatches: Iterable[InstructionMismatch]) -> Iterator[InstructionMismatch]:
    groups: dict[object, list[InstructionMismatch]] = {}
    for mismatch in mismatches:
        violation = mismatch.violation
        groups.setdefault((violation.kind, _lacks(violation)), []).append(mismatch)
    for group in groups.values():
        if len(group) < _MIN_GATED:
            yield from group
        else:
            first, *others = group
            yield first._replace(uses=_places(others), alike=tuple(others))


def _is_unknown_modifier(mismatch: InstructionMismatch) -> bool:
    violation = mismatch.violation
    return violation.kind is ViolationKind.UNKNOWN_MODIFIER and not violation.lenient


def _of_opcodes(mismatches: Iterable[InstructionMismatch]) -> Iterator[InstructionMismatch]:
    groups: dict[FunctionPosition, list[InstructionMismatch]] = {}
    for mismatch in mismatches:
        groups.setdefault(mismatch.opcode_start, []).append(mismatch)
    for group in groups.values():
        typos, foreign = _typos_and_foreign(group) if len(group) > 1 else ([], group)
        yield from typos
        yield foreign[0]._replace(uses=_places(foreign[1:]))


def _typos_and_foreign(
    group: Sequence[InstructionMismatch],
) -> tuple[list[InstructionMismatch], list[InstructionMismatch]]:
    """Splits unknown modifiers into typos and others; without others, the first typo is one."""
    known = unused_modifiers(*isa.split_modifiers(group[0].opcode))
    typos: list[InstructionMismatch] = []
    foreign: list[InstructionMismatch] = []
    for each in group:
        (typos if near_modifiers(known, each.violation.found) else foreign).append(each)
    return (typos, foreign) if foreign else (typos[1:], typos[:1])


def _places(mismatches: Iterable[Mismatch]) -> tuple[FunctionSpan, ...]:
    return tuple([(each.start, each.end) for each in mismatches])
