"""Tells what is alike once: uses of a name not declared or declared wrongly, of a newer target."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.isa import ViolationKind, database
from ptx_ls.isa.reference import find_special_register
from ptx_ls.lint.entangled import end_of_statement
from ptx_ls.semantics.mismatch import (
    BadDeclaration,
    BadGuard,
    Inconsistent,
    InstructionMismatch,
    Mismatch,
    Undeclared,
)
from ptx_ls.semantics.mismatch_calls import BadCall
from ptx_ls.semantics.mismatch_values import BadInitialValue
from ptx_ls.semantics.signature_check import BadSignature

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.isa import Violation
    from ptx_ls.semantics.region import RegionFacts
    from ptx_ls.semantics.region_text import RegionText
    from ptx_ls.semantics.symbols import Scope
    from ptx_ls.syntax.places import Place

_WORDS: Final = re.compile(r"(?<![\w$.%])%?[A-Za-z_$][\w$]*+", re.ASCII).findall
_DIGITS: Final = "0123456789"
_OF_DECLARATIONS: Final = frozenset(
    {
        ViolationKind.OPERAND_KIND,
        ViolationKind.OPERAND_TYPE,
        ViolationKind.OPERAND_WIDTH,
        ViolationKind.STATE_SPACE,
        ViolationKind.VECTOR_SIZE,
    }
)
_GATES: Final = frozenset({ViolationKind.VERSION, ViolationKind.TARGET})
_LEAST: Final = 3
"""Uses that do not fit from which on the declaration, or the header, may be the mistake."""
_PAIR: Final = 2
_EVERYWHERE: Final = sys.maxsize


class _Bank(NamedTuple):
    """A name, or what numbered registers have in common, and the lines where it is seen.

    `declared`: where the statement ends that declares it.
    """

    prefix: str
    is_numbered: bool
    first: int = 0
    last: int = _EVERYWHERE - 1
    declared: Place | None = None


def grouped(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Undeclared names once each; numbered registers of one bank that is missing, once together."""
    groups: dict[object, list[Undeclared]] = {}
    for mismatch in sorted(_undeclared(mismatches), key=_start):
        groups.setdefault(_bank(mismatch), []).append(mismatch)
    rest: list[Mismatch] = [m for m in mismatches if not isinstance(m, Undeclared)]
    for first, *others in groups.values():
        if not others:
            rest.append(first)
            continue
        names = dict.fromkeys(other.name for other in others if other.name != first.name)
        uses = tuple((other.start, other.end) for other in others)
        rest.append(first._replace(others=tuple(names), uses=uses))
    return rest


def of_wrong_declarations(
    mismatches: list[Mismatch], text: RegionText, facts: RegionFacts
) -> list[Mismatch]:
    """Where most uses of a name or bank do not fit, its declaration is wrong: the first is told."""
    wrong = [m.symbol for m in mismatches if isinstance(m, BadDeclaration | BadSignature)]
    bad = {symbol.name for symbol in wrong}
    banks = {symbol.name for symbol in wrong if symbol.count}
    if bad:
        mismatches = [m for m in mismatches if not _uses_any(m, bad, banks)]
    groups: dict[_Bank, list[Mismatch]] = {}
    alike: list[InstructionMismatch] = []
    for mismatch in mismatches:
        name = _name_in(mismatch)
        if name is not None:
            bank = _bank_of(name, mismatch.start, facts, text)
            groups.setdefault(bank, []).append(mismatch)
        elif isinstance(mismatch, InstructionMismatch) and not mismatch.operand:
            alike += [mismatch] * _is_plain(mismatch)
    told: dict[int, Mismatch | None] = {}
    declared: dict[Place, list[InstructionMismatch]] = {}
    for bank, group in groups.items():
        least = _LEAST if bank.is_numbered and not all(map(_is_of_kind, group)) else _PAIR
        if len(group) < least and not alike:
            continue
        lines = _lines_with(bank, text)
        beside = [mismatch for mismatch in alike if mismatch.start[0] in lines]
        n_wrong = len({mismatch.start[0] for mismatch in (*group, *beside)})
        first = min(
            (m for m in group if isinstance(m, InstructionMismatch) and _is_plain(m)),
            key=_start,
            default=None,
        )
        n_uses = len(group) + len(beside)
        if first is None or n_uses < least or not _is_declared_wrongly(n_uses, n_wrong, len(lines)):
            continue
        others = sorted((m for m in (*group, *beside) if m is not first), key=_start)
        uses = tuple((other.start, other.end) for other in others)
        told.update((id(other), None) for other in others)
        told[id(first)] = first._replace(uses=uses)
        if bank.declared is not None:
            declared.setdefault(bank.declared, []).append(first)
    for firsts in declared.values():
        told.update((id(other), None) for other in sorted(firsts, key=_start)[1:])
    kept = (told.get(id(m), m) for m in mismatches)
    return [m for m in kept if m is not None]


def _is_declared_wrongly(n_uses: int, n_wrong: int, n_lines: int) -> bool:
    """Whether a name is used wrongly so often, on so many of the lines that have it."""
    return n_wrong * 2 > n_lines if n_uses >= _LEAST else n_wrong >= n_lines


def _name_in(mismatch: Mismatch) -> str | None:
    """The name that does not fit where it stands; None if another thing is wrong."""
    match mismatch:
        case InstructionMismatch() if _is_of_declaration(mismatch):
            name = next(iter(_WORDS(mismatch.operand)), "")
            is_special = find_special_register(database().special_registers, name) is not None
            return None if not name or is_special else name
        case BadGuard(name=name):
            return name
        case BadCall(argument=name):
            return name or None
    return None


def _bank_of(name: str, place: Place, facts: RegionFacts, text: RegionText) -> _Bank:
    """The name, or the bank of numbered registers it is of, where it is declared."""
    scope: Scope | None = facts.scope_at(place)
    while scope is not None and scope.find(name) is None:
        scope = scope.parent
    symbol = scope.find(name) if scope is not None else None
    is_numbered = name.startswith("%") or (symbol is not None and symbol.count > 0)
    prefix = name.rstrip(_DIGITS) if is_numbered else name
    if scope is None or symbol is None or scope is facts.module_scope or scope.end is None:
        return _Bank(prefix, is_numbered)
    end = end_of_statement(symbol.start, text)
    return _Bank(prefix, is_numbered, scope.start[0], scope.end[0], end)


def _lines_with(bank: _Bank, text: RegionText) -> set[int]:
    """The lines that use a name or bank where it is declared."""
    digits = r"\d++" if bank.is_numbered else ""
    use = re.compile(rf"(?<![\w$.%]){re.escape(bank.prefix)}{digits}(?![\w$<])", re.ASCII).search
    lines = text.lines[bank.first : bank.last + 1]
    return {
        number
        for number, line in enumerate(lines, bank.first)
        if use(line) and not line.lstrip().startswith(".")
    }


def of_low_headers(mismatches: list[Mismatch]) -> list[Mismatch]:
    """Where several instructions lack the same version or target, the first with the others."""
    groups: dict[object, list[InstructionMismatch]] = {}
    for mismatch in mismatches:
        if isinstance(mismatch, InstructionMismatch) and mismatch.violation.kind in _GATES:
            lacks = _lacks(mismatch.violation)
            if lacks and not mismatch.violation.lenient:
                groups.setdefault((mismatch.violation.kind, lacks), []).append(mismatch)
    told: dict[int, InstructionMismatch | None] = {}
    for group in groups.values():
        if len(group) >= _LEAST:
            first, *others = sorted(group, key=_start)
            told.update((id(other), None) for other in others)
            told[id(first)] = first._replace(
                uses=tuple((other.start, other.end) for other in others)
            )
    kept = (told.get(id(m), m) for m in mismatches)
    return [m for m in kept if m is not None]


def _lacks(violation: Violation) -> tuple[object, ...]:
    """Versions or targets, whichever of both the header has not."""
    is_version = violation.kind is ViolationKind.VERSION
    return tuple(version if is_version else targets for version, targets in violation.needs)


def _uses_any(mismatch: Mismatch, names: set[str], banks: set[str]) -> bool:
    """Whether something does not fit because of a declaration that is told of itself."""
    match mismatch:
        case BadCall(argument=name):
            return name in names
        case BadInitialValue(symbol=symbol):
            return symbol.name in names
        case Inconsistent(parts=parts) if parts is not None:
            return parts[1].name in names
        case InstructionMismatch() if _is_of_declaration(mismatch):
            words = _WORDS(mismatch.operand)
            return not names.isdisjoint(words) or any(
                word.rstrip(_DIGITS) in banks for word in words
            )
    return False


def _is_plain(mismatch: InstructionMismatch) -> bool:
    """Whether an operand has a type or a kind that does not fit, and nothing else is wrong."""
    return _is_of_declaration(mismatch) and not mismatch.violation.note


def _is_of_declaration(mismatch: InstructionMismatch) -> bool:
    """Whether an operand does not fit that might if it were declared otherwise."""
    violation = mismatch.violation
    if violation.kind is ViolationKind.VECTOR_SIZE and mismatch.operand.startswith("{"):
        return False
    return violation.kind in _OF_DECLARATIONS and not violation.lenient


def _is_of_kind(mismatch: Mismatch) -> bool:
    """Whether something stands where a register belongs, or the other way round."""
    if not isinstance(mismatch, InstructionMismatch):
        return False
    return mismatch.violation.kind is ViolationKind.OPERAND_KIND


def _undeclared(mismatches: Iterable[Mismatch]) -> Iterable[Undeclared]:
    return (m for m in mismatches if isinstance(m, Undeclared))


def _bank(mismatch: Undeclared) -> object:
    """What names of one group have in common."""
    if mismatch.elsewhere is None or mismatch.elsewhere.count:
        prefix = mismatch.name.rstrip(_DIGITS)
        if mismatch.wants != "label" and prefix not in ("", "%", mismatch.name):
            return prefix, mismatch.near is None, mismatch.elsewhere is None
    return mismatch.name


def _start(mismatch: Mismatch) -> Place:
    return mismatch.start
