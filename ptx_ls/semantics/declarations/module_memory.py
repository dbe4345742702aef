"""How much of a state space the definitions of a module need together."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from ptx_ls import isa

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.semantics.symbols.symbols import Symbol


class SpaceUse(NamedTuple):
    """The definitions of a module in one state space.

    `regions`: the number of the function of each, in order; `sums`: bytes of all up to that one.
    `by_name`: the first definition of a name, with its number among all.
    """

    regions: Sequence[int] = ()
    sums: Sequence[int] = ()
    by_name: Mapping[str, tuple[int, Symbol]] = {}

    @property
    def total(self) -> int:
        """Bytes of all definitions."""
        return self.sums[-1] if self.sums else 0

    def before(self, region: int) -> int:
        """Bytes of the definitions in earlier functions."""
        count = bisect_left(self.regions, region)
        return self.sums[count - 1] if count else 0


def space_use(defined: Sequence[tuple[int, Symbol]]) -> SpaceUse:
    """Returns what definitions in a state space need; each has the number of its function."""
    by_name: dict[str, tuple[int, Symbol]] = {}
    for number, (_, symbol) in enumerate(defined):
        by_name.setdefault(symbol.name, (number, symbol))
    sums = accumulate(size_of(symbol) for _, symbol in defined)
    return SpaceUse([region for region, _ in defined], list(sums), by_name)


def size_of(symbol: Symbol) -> int:
    """Bytes that a definition needs; 0 where its size is open, or another module defines it."""
    if not symbol.is_definition:
        return 0
    size = isa.database().type_facts.get(symbol.type, (0, ""))[0] // 8 * symbol.vector_size
    for dimension in symbol.dimensions:
        size *= dimension or 0
    return size
