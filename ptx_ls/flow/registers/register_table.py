"""Numbers the registers of a function, so that a whole function can be analysed fast."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.register_events import code_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.symbols import Symbol

_SPACE: Final = ".reg"
_PERCENT: Final = "%"
"""The first character of the names of most registers, and of nothing else that is declared."""
_MAX_CODES: Final = 1 << 22
"""Maximum number of registers of a function that is analysed; a range may declare billions."""


class Bank(NamedTuple):
    """The registers of one declaration: the code of the first, and the symbol."""

    base: int
    symbol: Symbol


class RegisterTable:
    """The codes of the registers that a function declares: whole numbers from 0.

    A function that declares too many has none, so that nothing is known of them.

    Attributes:
        ranges: for each parameterised register, the name before the number, how many there are,
            and the code of the first, which increases.
        others: the codes of all other registers by name.
        banks: the declarations in the order of their codes.
        n_codes: the number of codes.

    `ranges` and `others` have one code for each name. If several blocks in braces declare it, the
    code depends on the place, too; see `code_at`.
    """

    def __init__(self, facts: RegionFacts) -> None:
        registers = [each for each in facts.declared if each.space == _SPACE]
        if sum(each.count or 1 for each in registers) > _MAX_CODES:
            registers = []
        widest: dict[str, Symbol] = {}
        for symbol in registers:
            if symbol.count > (widest[symbol.name].count if symbol.name in widest else 0):
                widest[symbol.name] = symbol
        singles = {each.name: each for each in registers if not each.count}
        first = [*widest.values(), *singles.values()]
        known = {each.start for each in first}
        self.banks: list[Bank] = []
        self.n_codes = 0
        for symbol in [*first, *(each for each in registers if each.start not in known)]:
            self.banks.append(Bank(self.n_codes, symbol))
            self.n_codes += symbol.count or 1
        kept = self.banks[: len(first)]
        self.ranges = tuple((it.name, it.count, base) for base, it in kept[: len(widest)])
        self.others = {it.name: base for base, it in kept[len(widest) :]}
        self._facts = facts
        self._n_plain = len(first)

    def code(self, name: str) -> int:
        """Returns the code of a register, of those with its name; -1 for another name."""
        return code_of(name, self.ranges, self.others)

    def code_at(self, code: int, place: FunctionPosition) -> int:
        """Returns the code of the register that the name of another one means at a place.

        -1 if a block in braces declares the register, and the place is outside of that block.
        """
        name = self.name(code)
        scope = self._facts.scope_at(place)
        symbol = scope.lookup(name, place) or scope.lookup(name)
        base = self._base_of.get(symbol.start) if symbol is not None else None
        if symbol is None or base is None:
            return -1 if symbol is not None or self._is_local(self.bank(code)) else code
        return base + decimal(name[len(symbol.name) :]) if symbol.count else base

    def declared_on_rows(self, code: int) -> Mapping[int, int]:
        """Returns the rows that declare a single register of a name, with its code there."""
        return self._on_rows.get(self.name(code), {})

    @cached_property
    def _on_rows(self) -> dict[str, dict[int, int]]:
        found: dict[str, dict[int, int]] = {}
        for base, symbol in self.banks:
            if not symbol.count:
                found.setdefault(symbol.name, {})[symbol.start[0]] = base
        return found

    @cached_property
    def shared(self) -> bytes:
        """For each code, whether its name may mean something else in a place; empty if none may.

        Other blocks in braces may declare it, too, or only one block does.
        """
        again = {bank.symbol.name for bank in self.banks[self._n_plain :]}
        found = [bank for bank in self.banks[: self._n_plain] if bank.symbol.name in again]
        flags = bytearray(self.n_codes if found else 0)
        for base, symbol in found:
            n_codes = symbol.count or 1
            flags[base : base + n_codes] = b"\1" * n_codes
        for name, own in self.others.items():
            code = self.code(name)
            if code != own:  # it is in a range, too
                flags = flags or bytearray(self.n_codes)
                flags[code] = 1
        for base, symbol in self.banks[: self._n_plain]:
            if self._may_hide(symbol):
                flags = flags or bytearray(self.n_codes)
                n_codes = symbol.count or 1
                flags[base : base + n_codes] = b"\1" * n_codes
        return bytes(flags)

    def _may_hide(self, symbol: Symbol) -> bool:
        """Whether the name of a register may mean something else outside of its block."""
        return not symbol.name.startswith(_PERCENT) and self._is_local(symbol)

    def _is_local(self, symbol: Symbol) -> bool:
        """Whether a block in braces declares a register."""
        return self._facts.rows_of_block(symbol) is not None

    @cached_property
    def _base_of(self) -> dict[FunctionPosition, int]:
        return {symbol.start: base for base, symbol in self.banks}

    def bank(self, code: int) -> Symbol:
        """Returns the declaration of a register."""
        return self.banks[bisect_right(self._bases, code) - 1].symbol

    def name(self, code: int) -> str:
        """Returns the name of a register."""
        base, symbol = self.banks[bisect_right(self._bases, code) - 1]
        return f"{symbol.name}{code - base}" if symbol.count else symbol.name

    @cached_property
    def _bases(self) -> list[int]:
        return [base for base, _ in self.banks]

    @cached_property
    def parameters(self) -> frozenset[int]:
        """The codes of the registers that have a value when the function begins."""
        function = self._facts.function
        return self._codes(function.parameters if function is not None else ())

    @cached_property
    def results(self) -> frozenset[int]:
        """The codes of the registers that the function returns."""
        function = self._facts.function
        return self._codes(function.returns if function is not None else ())

    def _codes(self, symbols: Iterable[Symbol]) -> frozenset[int]:
        return frozenset(
            self._base_of.get(each.start, self.code(each.name))
            for each in symbols
            if each.space == _SPACE
        )
