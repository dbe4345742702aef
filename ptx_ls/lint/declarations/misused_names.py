"""Reports the declaration of a name or bank, once, if most uses of the name do not fit it."""

from __future__ import annotations

import string
import sys
from bisect import bisect_left, bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Final, TypeGuard

from ptx_ls.isa import ViolationKind, database
from ptx_ls.isa.reference import find_special_register
from ptx_ls.lint.causes.within_statement import end_of_statement
from ptx_ls.lint.causes.wrong_declarations import is_of_declaration
from ptx_ls.semantics.problems.calls import BadCall
from ptx_ls.semantics.problems.instructions import (
    BadGuard,
    InstructionMismatch,
)
from ptx_ls.semantics.problems.mismatch import Mismatch
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import names_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Scope

_MIN_MISUSES: Final = 3
"""Minimum number of misuses for which the declaration is blamed."""
_MIN_CERTAIN_MISUSES: Final = 2
"""The minimum for a name without a number, or if all its uses are of the wrong kind."""


class _Bank(NamedTuple):
    """A name, or the prefix of numbered registers, and the lines where it is visible.

    `declared`: where its declaration ends.
    """

    prefix: str
    is_numbered: bool
    first: int = 0
    last: int = sys.maxsize
    declared: FunctionPosition | None = None

    @property
    def spelling(self) -> tuple[str, bool]:
        """The key of its uses, regardless of their scope."""
        return self.prefix, self.is_numbered


class _BankMisuse(NamedTuple):
    """The uses of a bank that do not fit its declaration."""

    bank: _Bank
    wrong: list[Mismatch]

    @property
    def min_misuses(self) -> int:
        """The minimum number of misuses for which the declaration is blamed."""
        is_kind = all(map(_is_of_kind, self.wrong))
        return _MIN_MISUSES if self.bank.is_numbered and not is_kind else _MIN_CERTAIN_MISUSES


def of_declarations(
    mismatches: Iterable[Mismatch], text: RegionText, facts: RegionFacts
) -> Iterator[Mismatch]:
    """Yields the mismatches, but only the first for each wrong declaration; it lists the others."""
    wrong: dict[_Bank, list[Mismatch]] = {}
    unnamed: dict[int, list[InstructionMismatch]] = {}
    for mismatch in mismatches:
        name = _name_in(mismatch)
        if name is not None:
            bank = _bank_of(name, mismatch.start, facts, text)
            wrong.setdefault(bank, []).append(mismatch)
        elif _is_unnamed(mismatch):
            unnamed.setdefault(mismatch.start[0], []).append(mismatch)
        else:
            yield mismatch
    groups = [_BankMisuse(bank, group) for bank, group in wrong.items()]
    many = [group.bank for group in groups if unnamed or len(group.wrong) >= group.min_misuses]
    uses = _Uses(many, text) if many else None
    explained: set[int] = set()
    blamed: dict[object, InstructionMismatch] = {}
    for group in groups:
        lines = uses.of(group.bank) if uses is not None else ()
        first, others = _blamed(group, lines, unnamed)
        if first is None:
            yield from group.wrong
            continue
        explained.update(lines)
        places = tuple((other.start, other.end) for other in others)
        declaration = group.bank.declared or group.bank
        known = blamed.get(declaration)
        if known is None or first.start < known.start:
            blamed[declaration] = first._replace(uses=places)
    yield from blamed.values()
    for line, each in unnamed.items():
        if line not in explained:
            yield from each


def _blamed(
    group: _BankMisuse, lines: Sequence[int], unnamed: dict[int, list[InstructionMismatch]]
) -> tuple[InstructionMismatch | None, list[Mismatch]]:
    """Returns the first misuse of a wrongly declared bank, and its other misuses.

    Returns (None, []) if the declaration is not to blame. `lines`: the lines that use the bank. A
    mismatch on these lines that names no operand also counts as a misuse.
    """
    beside = [mismatch for line in lines for mismatch in unnamed.get(line, ())]
    wrong = [*group.wrong, *beside]
    plain = [m for m in group.wrong if isinstance(m, InstructionMismatch) and _is_plain(m)]
    n_wrong = len({mismatch.start[0] for mismatch in wrong})
    if not plain or len(wrong) < group.min_misuses:
        return None, []
    if not _is_declared_wrongly(len(wrong), n_wrong, len(lines)):
        return None, []
    first = min(plain, key=attrgetter("start"))
    return first, sorted((m for m in wrong if m is not first), key=attrgetter("start"))


def _is_declared_wrongly(n_uses: int, n_wrong: int, n_lines: int) -> bool:
    """Whether most of the lines that use a name misuse it; all of them if there are few."""
    return n_wrong * 2 > n_lines if n_uses >= _MIN_MISUSES else n_wrong >= n_lines


def _name_in(mismatch: Mismatch) -> str | None:
    """Returns the name that does not fit in its place; None if something else is wrong."""
    match mismatch:
        case InstructionMismatch() if is_of_declaration(mismatch):
            name = next(iter(names_in(mismatch.operand)), "")
            is_special = find_special_register(database().special_registers, name) is not None
            return None if not name or is_special else name
        case BadGuard(name=name):
            return name
        case BadCall(argument=name):
            return name or None
    return None


def _bank_of(name: str, place: FunctionPosition, facts: RegionFacts, text: RegionText) -> _Bank:
    """Returns the bank of a name, with the scope where it is declared."""
    scope: Scope | None = facts.scope_at(place)
    while scope is not None and scope.find(name) is None:
        scope = scope.parent
    symbol = scope.find(name) if scope is not None else None
    is_numbered = name.startswith("%") or (symbol is not None and symbol.count > 0)
    prefix = name.rstrip(string.digits) if is_numbered else name
    if scope is None or symbol is None or scope is facts.module_scope or scope.end is None:
        return _Bank(prefix, is_numbered)
    end = end_of_statement(symbol.start, text)
    return _Bank(prefix, is_numbered, scope.start[0], scope.end[0], end)


class _Uses:
    """The lines that use some banks, all found in one pass."""

    def __init__(self, banks: Collection[_Bank], text: RegionText) -> None:
        self._lines: dict[tuple[str, bool], list[int]] = {bank.spelling: [] for bank in banks}
        for number, line in enumerate(text.lines):
            if not line.lstrip().startswith("."):
                self._add(number, line)

    def _add(self, number: int, line: str) -> None:
        words = set(names_in(line))
        prefixes = {word.rstrip(string.digits) for word in words if word[-1] in string.digits}
        for key in (*((word, False) for word in words), *((each, True) for each in prefixes)):
            if key in self._lines:
                self._lines[key].append(number)

    def of(self, bank: _Bank) -> Sequence[int]:
        """Returns the lines that use a bank where it is declared, in order."""
        lines = self._lines.get(bank.spelling, [])
        return lines[bisect_left(lines, bank.first) : bisect_right(lines, bank.last)]


def _is_unnamed(one: Mismatch) -> TypeGuard[InstructionMismatch]:
    """Whether operands do not fit each other, so that any of them may be wrong."""
    return isinstance(one, InstructionMismatch) and not one.operand and _is_plain(one)


def _is_plain(mismatch: InstructionMismatch) -> bool:
    """Whether the type or kind of an operand does not fit, and nothing else is wrong."""
    return is_of_declaration(mismatch) and not mismatch.violation.note


def _is_of_kind(mismatch: Mismatch) -> bool:
    """Whether an operand is of the wrong kind, such as a variable in place of a register."""
    if not isinstance(mismatch, InstructionMismatch):
        return False
    return mismatch.violation.kind is ViolationKind.OPERAND_KIND
