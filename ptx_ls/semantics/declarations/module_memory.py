"""The memory that the definitions of a module use in a state space."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.semantics.symbols.symbols import Symbol


class SpaceUse(NamedTuple):
    """The definitions of a module in one state space.

    `regions`: the number of the function of each definition, in order. `sums`: the size in bytes of
    all definitions up to each. `by_name`: the first definition of each name, with its index.
    """

    regions: Sequence[int] = ()
    sums: Sequence[int] = ()
    by_name: Mapping[str, tuple[int, Symbol]] = {}

    @property
    def total(self) -> int:
        """The size of all definitions in bytes."""
        return self.sums[-1] if self.sums else 0

    def before(self, region: int) -> int:
        """Returns the size of the definitions in earlier functions in bytes."""
        count = bisect_left(self.regions, region)
        return self.sums[count - 1] if count else 0


def space_use(defined: Sequence[tuple[int, Symbol]]) -> SpaceUse:
    """Returns the memory that definitions use; each is given with the number of its function."""
    by_name: dict[str, tuple[int, Symbol]] = {}
    for number, (_, symbol) in enumerate(defined):
        by_name.setdefault(symbol.name, (number, symbol))
    sums = accumulate(size_of(symbol) for _, symbol in defined)
    return SpaceUse([region for region, _ in defined], list(sums), by_name)


def size_of(symbol: Symbol) -> int:
    """Returns the size of a symbol in bytes; 0 if it has no size or is not a definition."""
    if not symbol.is_definition:
        return 0
    size = isa.database().type_facts.get(symbol.type, (0, ""))[0] // 8 * symbol.vector_size
    for dimension in symbol.dimensions:
        size *= dimension or 0
    return size
