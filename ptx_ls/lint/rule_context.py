"""What a rule may look at beside a mismatch, with what many mismatches ask found but once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.semantics.symbols.declared_names import DeclaredNames
from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.numerals import decimal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts

_DIGITS: Final = "0123456789"
_MAX_COMPARED_PAIRS: Final = 200_000
"""Pairs of an undeclared name and a declared one that are compared in a region."""


class NameCollections(AbstractSet[str]):
    """Names of several collections, which are not copied."""

    __slots__ = ("_parts",)

    def __init__(self, *parts: Collection[str]) -> None:
        self._parts = tuple(map(_as_set, parts))

    def __rand__(self, others: AbstractSet[Any]) -> set[str]:
        """Those of some words that are among the names; it looks at each word once."""
        return set[str]().union(*[others & part for part in self._parts])

    def __contains__(self, name: object) -> bool:
        for part in self._parts:  # noqa: SIM110  `any` is slow, and this is asked very often
            if name in part:
                return True
        return False

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))


def _as_set(names: Collection[str]) -> AbstractSet[str]:
    if isinstance(names, Mapping):
        return names.keys()
    return names if isinstance(names, AbstractSet) else frozenset(names)


class Surroundings:
    """The module's context and the names in sight of a region.

    `lines` are the region's. `n_undeclared`: how many names are undeclared there, `missing_labels`
    those that only labels have.
    `is_target_changed`: a `.target` in a body is in force, and not the header's.
    """

    def __init__(
        self,
        module: ModuleFacts,
        facts: RegionFacts,
        lines: Sequence[str],
        n_undeclared: int = 0,
        *,
        missing_labels: AbstractSet[str] = frozenset(),
        is_target_changed: bool = False,
    ) -> None:
        self.context: Context = module.context
        self.is_target_changed, self.missing_labels = is_target_changed, missing_labels
        self.lines = lines
        self._symbols, self._module, self._n_undeclared = facts.symbols, module, n_undeclared
        self._first: dict[Callable[[str], Any], int] = {}

    @cached_property
    def registers(self) -> tuple[Symbol, ...]:
        """The registers that the region declares."""
        return tuple([it for it in self._symbols if it.kind is SymbolKind.REGISTER])

    @cached_property
    def labels(self) -> frozenset[str]:
        """Names of the region's labels."""
        return frozenset([it.name for it in self._symbols if it.kind is SymbolKind.LABEL])

    @property
    def variables(self) -> tuple[Symbol, ...]:
        """The region's variables, parameters among them."""
        return tuple(self._own.values())

    @cached_property
    def _own(self) -> dict[str, Symbol]:
        found: dict[str, Symbol] = {}
        for symbol in self._symbols:
            if symbol.kind not in (SymbolKind.REGISTER, SymbolKind.LABEL):
                found.setdefault(symbol.name, symbol)
        return found

    @property
    def symbols(self) -> Collection[str]:
        """Names of variables and of the module."""
        return NameCollections(self._own, self._module.names)

    def find(self, name: str) -> Symbol | None:
        """The symbol of a name, but of no register."""
        return self._own.get(name) or self._module.lookup(name)

    def numbered(self, name: str) -> Collection[str]:
        """Names of registers, those of ranges with the number that `name` has."""
        return _Numbered(self, name[len(name.rstrip(_DIGITS)) :])

    @cached_property
    def ranges(self) -> tuple[Symbol, ...]:
        """The registers that are declared as ranges: `%r<10>`."""
        return tuple(register for register in self.registers if register.count)

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many registers ranges declare, by the name that stands before the number."""
        found: dict[str, int] = {}
        for register in self.ranges:
            found[register.name] = max(register.count, found.get(register.name, 0))
        return found

    @cached_property
    def single_registers(self) -> frozenset[str]:
        """Registers that are declared by themselves."""
        return frozenset(register.name for register in self.registers if not register.count)

    @cached_property
    def declared(self) -> DeclaredNames:
        """Registers and variables by name."""
        return DeclaredNames((*self.registers, *self.variables))

    @cached_property
    def declared_registers(self) -> DeclaredNames:
        """Registers by name."""
        return DeclaredNames(self.registers)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names that nothing else can have, but for those of ranges."""
        return frozenset((*self.labels, *self.symbols, *self.single_registers))

    @property
    def is_crowded(self) -> bool:
        """Whether so many names are undeclared that to compare each with all takes seconds."""
        n_names = len(self._symbols) + len(self._module.names)
        return self._n_undeclared * n_names > _MAX_COMPARED_PAIRS

    def first_line(self, says: Callable[[str], Any]) -> int:
        """The number of the first line of which `says` is true; that of lines if there is none.

        Remembered for each function that asks, so it has to be the same object each time.
        """
        found = self._first.get(says)
        if found is None:
            found = next((n for n, line in enumerate(self.lines) if says(line)), len(self.lines))
            self._first[says] = found
        return found

    def last_at_top(self, place: FunctionPosition) -> int | None:
        """The last line before a place of the first declarations of registers.

        Between these is no other line, and they hold in all of the function.
        """
        count = bisect_right(self._at_top, place)
        return self._at_top[count - 1][0] if count else None

    @cached_property
    def _at_top(self) -> list[FunctionPosition]:
        """Where the first registers are declared, on lines next to each other."""
        found: list[FunctionPosition] = []
        for register in self.registers:
            if found and register.start[0] > found[-1][0] + 1:
                break
            found.append(register.start)
        return found


class _Numbered(AbstractSet[str]):
    """Names of registers, those of ranges with some digits behind."""

    __slots__ = ("_digits", "_surroundings")

    def __init__(self, surroundings: Surroundings, digits: str) -> None:
        self._surroundings, self._digits = surroundings, digits

    def __rand__(self, others: AbstractSet[Any]) -> set[str]:
        """Those of some words that are such names."""
        single, digits = self._surroundings.single_registers, self._digits
        found = set(others & single)
        if digits:
            found.update([word for word in others if word.endswith(digits) and word in self])
        return found

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        if name in self._surroundings.single_registers:
            return True
        digits = self._digits
        count = self._surroundings.counts.get(name.removesuffix(digits), 0) if digits else 0
        return count > 0 and name.endswith(digits) and decimal(digits) < count

    def __iter__(self) -> Iterator[str]:
        digits = self._digits
        for register in self._surroundings.registers:
            if not register.count:
                yield register.name
            elif digits and decimal(digits) < register.count:
                yield register.name + digits

    def __len__(self) -> int:
        return len(self._surroundings.registers)
