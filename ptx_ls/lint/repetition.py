"""Tells what is alike once: uses of a name not declared or declared wrongly, of a newer target."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind, database
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.mismatch import BadDeclaration, InstructionMismatch, Mismatch, Undeclared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ptx_ls.isa import Violation
    from ptx_ls.semantics.region_text import RegionText
    from ptx_ls.syntax.places import Place

_WORDS: Final = re.compile(r"(?<![\w$.%])%?[A-Za-z_$][\w$]*+", re.ASCII).findall
_DIGITS: Final = "0123456789"
_OF_DECLARATIONS: Final = frozenset(
    {
        ViolationKind.OPERAND_KIND,
        ViolationKind.OPERAND_TYPE,
        ViolationKind.OPERAND_WIDTH,
        ViolationKind.STATE_SPACE,
    }
)
_GATES: Final = frozenset({ViolationKind.VERSION, ViolationKind.TARGET})
_LEAST: Final = 3
"""Uses that do not fit from which on the declaration, or the header, may be the mistake."""


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


def of_wrong_declarations(mismatches: list[Mismatch], text: RegionText) -> list[Mismatch]:
    """Where most uses of a name or bank do not fit, its declaration is wrong: the first is told."""
    bad = {m.symbol.name for m in mismatches if isinstance(m, BadDeclaration)}
    mismatches = [m for m in mismatches if not _uses_any(m, bad)]
    groups: dict[str, list[InstructionMismatch]] = {}
    special = database().special_registers
    for mismatch in mismatches:
        if isinstance(mismatch, InstructionMismatch) and _is_plain(mismatch):
            name = next(iter(_WORDS(mismatch.operand)), "")
            if not find_special_register(special, name):
                prefix = name.rstrip(_DIGITS) if name.startswith("%") else name
                groups.setdefault(prefix, []).append(mismatch)
    alike = groups.pop("", [])  # types that fit no operand
    told: dict[int, InstructionMismatch | None] = {}
    for prefix, group in groups.items():
        if len(group) < _LEAST:
            continue
        use = _use(prefix)
        lines = {number for number, line in enumerate(text.lines) if use(line)}
        if len({mismatch.start[0] for mismatch in group}) * 2 <= len(lines):
            continue
        first, *others = sorted(group, key=_start)
        others += [mismatch for mismatch in alike if mismatch.start[0] in lines]
        uses = tuple((other.start, other.end) for other in others)
        told.update((id(other), None) for other in others)
        told[id(first)] = first._replace(uses=uses)
    kept = (told.get(id(m), m) for m in mismatches)
    return [m for m in kept if m is not None]


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


def _uses_any(mismatch: Mismatch, names: set[str]) -> bool:
    """Whether an operand does not fit because of a declaration that is told of itself."""
    if not names or not isinstance(mismatch, InstructionMismatch) or not _is_plain(mismatch):
        return False
    return not names.isdisjoint(_WORDS(mismatch.operand))


def _use(prefix: str) -> Callable[[str], object]:
    """Finds a name, or a register of a bank, in a line that does not declare it."""
    digits = r"\d++" if prefix.startswith("%") else ""
    return re.compile(rf"(?<![\w$.%]){re.escape(prefix)}{digits}(?![\w$<])", re.ASCII).search


def _is_plain(mismatch: InstructionMismatch) -> bool:
    """Whether an operand has a type or a kind that does not fit, and nothing else is wrong."""
    violation = mismatch.violation
    return violation.kind in _OF_DECLARATIONS and not (violation.lenient or violation.note)


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
