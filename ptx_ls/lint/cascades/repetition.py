"""Tells what is alike once: uses of an undeclared name, or of what newer versions have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind
from ptx_ls.semantics.problems.instructions import (
    InstructionMismatch,
    Undeclared,
)
from ptx_ls.semantics.problems.mismatch import Mismatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Violation

_DIGITS: Final = "0123456789"
_GATES: Final = frozenset({ViolationKind.VERSION, ViolationKind.TARGET})
_LEAST: Final = 3
"""Uses that do not fit from which on the header may be the mistake."""


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
            uses = tuple((other.start, other.end) for other in others)
            told[id(first)] = first._replace(uses=uses, alike=tuple(others))
    kept = (told.get(id(m), m) for m in mismatches)
    return [m for m in kept if m is not None]


def _lacks(violation: Violation) -> tuple[object, ...]:
    """Versions or targets, whichever of both the header has not."""
    is_version = violation.kind is ViolationKind.VERSION
    return tuple(version if is_version else targets for version, targets in violation.needs)


def _undeclared(mismatches: Iterable[Mismatch]) -> Iterable[Undeclared]:
    return (m for m in mismatches if isinstance(m, Undeclared))


def _bank(mismatch: Undeclared) -> object:
    """What names of one group have in common."""
    if mismatch.elsewhere is None or mismatch.elsewhere.count:
        prefix = mismatch.name.rstrip(_DIGITS)
        if mismatch.wants != "label" and prefix not in ("", "%", mismatch.name):
            return prefix, mismatch.near is None, mismatch.elsewhere is None
    return mismatch.name


def _start(mismatch: Mismatch) -> FunctionPosition:
    return mismatch.start
