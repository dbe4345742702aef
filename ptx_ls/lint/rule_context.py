"""The context of a mismatch that rules may look at; each part is computed once."""

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
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText

_DIGITS: Final = "0123456789"
_MAX_COMPARED_PAIRS: Final = 200_000
"""The most pairs of an undeclared and a declared name that are compared in a function."""


class NameCollections(AbstractSet[str]):
    """A view of the names of several collections."""

    __slots__ = ("_parts",)

    def __init__(self, *parts: Collection[str]) -> None:
        self._parts = tuple(map(_as_set, parts))

    def __rand__(self, others: AbstractSet[Any]) -> set[str]:
        """Returns the words that are among the names; looks at each word once."""
        return set[str]().union(*[others & part for part in self._parts])

    def __contains__(self, name: object) -> bool:
        for part in self._parts:  # noqa: SIM110  `any` is slow, and this is called very often
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
    """The module's context and the names that are visible in a function.

    `lines`: of the function. `function`: its head, if that can be read. `n_undeclared`: how many
    names are undeclared in it, and `missing_labels`: those that only labels have.
    `is_target_changed`: a `.target` in a body overrides that of the header.
    """

    def __init__(
        self,
        module: ModuleFacts,
        facts: RegionFacts,
        text: RegionText,
        n_undeclared: int = 0,
        *,
        missing_labels: AbstractSet[str] = frozenset(),
        is_target_changed: bool = False,
    ) -> None:
        self.context: Context = module.context
        self.is_target_changed, self.missing_labels = is_target_changed, missing_labels
        self.lines, self._records = text.lines, text.records
        self.function, self.is_section = facts.function, facts.has_section
        self._symbols, self._module, self._n_undeclared = facts.symbols, module, n_undeclared

    @cached_property
    def registers(self) -> tuple[Symbol, ...]:
        """Returns the registers that the function declares."""
        return tuple([it for it in self._symbols if it.kind is SymbolKind.REGISTER])

    @cached_property
    def labels(self) -> frozenset[str]:
        """Returns the names of the function's labels."""
        return frozenset([it.name for it in self._symbols if it.kind is SymbolKind.LABEL])

    @property
    def variables(self) -> tuple[Symbol, ...]:
        """Returns the function's variables and parameters."""
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
        """Returns the names of variables and of the module."""
        return NameCollections(self._own, self._module.names)

    def find(self, name: str) -> Symbol | None:
        """Returns the symbol of a name; None for registers and unknown names."""
        return self._own.get(name) or self._module.lookup(name)

    def numbered(self, name: str) -> Collection[str]:
        """Returns names of registers; those of ranges end with the number that ends `name`."""
        return _Numbered(self, name[len(name.rstrip(_DIGITS)) :])

    @cached_property
    def ranges(self) -> tuple[Symbol, ...]:
        """Returns the registers that are declared as ranges: `%r<10>`."""
        return tuple(register for register in self.registers if register.count)

    @cached_property
    def counts(self) -> dict[str, int]:
        """Returns how many registers ranges declare, by the name before the number."""
        found: dict[str, int] = {}
        for register in self.ranges:
            found[register.name] = max(register.count, found.get(register.name, 0))
        return found

    @cached_property
    def single_registers(self) -> frozenset[str]:
        """Returns the names of registers that are declared one by one."""
        return frozenset(register.name for register in self.registers if not register.count)

    @cached_property
    def declared(self) -> DeclaredNames:
        """Returns registers and variables by name."""
        return DeclaredNames((*self.registers, *self.variables))

    @cached_property
    def declared_registers(self) -> DeclaredNames:
        """Returns registers by name."""
        return DeclaredNames(self.registers)

    @cached_property
    def taken(self) -> frozenset[str]:
        """Returns the names in use, except those of ranges."""
        return frozenset((*self.labels, *self.symbols, *self.single_registers))

    @property
    def is_crowded(self) -> bool:
        """Returns whether so many names are undeclared that comparing all would take seconds."""
        n_names = len(self._symbols) + len(self._module.names)
        return self._n_undeclared * n_names > _MAX_COMPARED_PAIRS

    def is_declaration(self, line: int) -> bool:
        """Returns whether a line holds one declaration, and nothing else but comments."""
        return line < len(self._records) and self._records[line].kind is Kind.DECLARATION

    def last_at_top(self, place: FunctionPosition) -> int | None:
        """Returns the last line before `place` in the first block of register declarations.

        The block has consecutive lines, and is visible in all of the function.
        """
        count = bisect_right(self._at_top, place)
        return self._at_top[count - 1][0] if count else None

    @cached_property
    def _at_top(self) -> list[FunctionPosition]:
        """Returns where the first registers are declared, on consecutive lines."""
        found: list[FunctionPosition] = []
        for register in self.registers:
            if found and register.start[0] > found[-1][0] + 1:
                break
            found.append(register.start)
        return found


class _Numbered(AbstractSet[str]):
    """The names of registers, where those of ranges end with some digits."""

    __slots__ = ("_digits", "_surroundings")

    def __init__(self, surroundings: Surroundings, digits: str) -> None:
        self._surroundings, self._digits = surroundings, digits

    def __rand__(self, others: AbstractSet[Any]) -> set[str]:
        """Returns the words that are such names."""
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
