"""The context of a mismatch, as rules see it; each part is computed once."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.symbols import Symbol, SymbolKind
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.isa import Context
    from ptx_ls.lint.check_input import CheckInput

_MAX_COMPARED_RANGES: Final = 1000
"""Maximum number of register ranges compared with each undeclared name."""
_MAX_COMPARED_PAIRS: Final = 200_000
"""Maximum number of pairs of an undeclared and a declared name that are compared in a function."""


class RuleContext:
    """A function as rules see it: the version and target, its lines, and the names in it.

    `lines`: its lines. `function`: its head, if it can be read. `n_undeclared`: the number of names
    undeclared in it. `missing_labels`: the undeclared names that are used as labels.
    `is_target_changed`: whether a `.target` in the body overrides that of the header.
    """

    def __init__(
        self,
        seen: CheckInput,
        n_undeclared: int = 0,
        *,
        missing_labels: AbstractSet[str] = frozenset(),
        is_target_changed: bool = False,
    ) -> None:
        facts, self._module = seen.facts, seen.module
        self.isa_context: Context = seen.module.context
        self.is_target_changed, self.missing_labels = is_target_changed, missing_labels
        self.lines, self._records = seen.text.lines, seen.text.records
        self.function, self.is_section = facts.function, facts.has_section
        self._facts, self._named, self._n_undeclared = facts, facts.named, n_undeclared

    @cached_property
    def registers(self) -> tuple[Symbol, ...]:
        """The registers that the function declares."""
        return tuple([it for it in self._facts.declared if it.kind is SymbolKind.REGISTER])

    @cached_property
    def labels(self) -> frozenset[str]:
        """The names of the function's labels."""
        return self._facts.label_names

    @cached_property
    def _variables(self) -> dict[str, Symbol]:
        """The function's variables and parameters, the first of each name."""
        found: dict[str, Symbol] = {}
        for symbol in self._facts.declared:
            if symbol.kind is not SymbolKind.REGISTER:
                found.setdefault(symbol.name, symbol)
        return found

    @property
    def symbols(self) -> tuple[AbstractSet[str], AbstractSet[str]]:
        """The names of the function's variables, and the names at module scope."""
        return self._variables.keys(), self._module.names.keys()

    def find(self, name: str) -> Symbol | None:
        """Returns the symbol of a name; None for registers and unknown names."""
        return self._variables.get(name) or self._module.lookup(name)

    def declared(self, name: str) -> list[Symbol]:
        """Returns the function's symbols with a name, and its ranges that include the name."""
        return self._named.of(name)

    def register(self, name: str) -> Symbol | None:
        """Returns a register that the function declares; None for other names."""
        found = (each for each in self._named.of(name) if each.kind is SymbolKind.REGISTER)
        return next(found, None)

    def numbered(self, digits: str) -> AbstractSet[str]:
        """Returns the registers with a number: `%r7` and `%f7` for 7, if ranges contain them.

        Returns none if there are too many ranges to compare.
        """
        if not digits or len(self._counts) > _MAX_COMPARED_RANGES:
            return frozenset()
        number, counts = decimal(digits), self._counts.items()
        return frozenset([prefix + digits for prefix, count in counts if number < count])

    @cached_property
    def ranges(self) -> tuple[Symbol, ...]:
        """The registers that are declared as ranges: `%r<10>`."""
        return tuple(register for register in self.registers if register.count)

    @cached_property
    def _counts(self) -> dict[str, int]:
        """The size of the largest range with each prefix, such as `%r`."""
        found: dict[str, int] = {}
        for register in self.ranges:
            found[register.name] = max(register.count, found.get(register.name, 0))
        return found

    @cached_property
    def single_registers(self) -> frozenset[str]:
        """The names of registers that are declared one by one."""
        return frozenset(register.name for register in self.registers if not register.count)

    @cached_property
    def taken(self) -> frozenset[str]:
        """The names in use, except names of ranges."""
        return self.labels.union(self.single_registers, *self.symbols)

    @property
    def is_crowded(self) -> bool:
        """Whether there are too many undeclared names to compare with declared ones."""
        n_names = self._facts.n_symbols + len(self._module.names)
        return self._n_undeclared * n_names > _MAX_COMPARED_PAIRS

    def is_declaration(self, line: int) -> bool:
        """Whether a line has one declaration and otherwise only comments."""
        return line < len(self._records) and self._records[line].kind is Kind.DECLARATION

    def last_at_top(self, place: FunctionPosition) -> int | None:
        """Returns the last line before `place` in the first block of register declarations.

        The block has consecutive lines, and its registers are visible in the whole function.
        """
        count = bisect_right(self._at_top, place)
        return self._at_top[count - 1][0] if count else None

    @cached_property
    def _at_top(self) -> list[FunctionPosition]:
        """The places where the first registers are declared, on consecutive lines."""
        found: list[FunctionPosition] = []
        for register in self.registers:
            if found and register.start[0] > found[-1][0] + 1:
                break
            found.append(register.start)
        return found
