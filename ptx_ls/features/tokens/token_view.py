"""The rows of the lines that an editor shows: it asks for them again with every key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.syntax.record import Record, Run

if TYPE_CHECKING:
    from collections.abc import Callable

    from ptx_ls.features.tokens.token_forms import Forms
    from ptx_ls.semantics.symbols.region import RegionFacts

LARGEST: Final = 200
"""Lines of a view that is worth being kept."""
_FEW: Final = 8
"""Lines that are found anew in a view; if more have changed, all are."""


class Basis(NamedTuple):
    """What rows depend on besides their lines; lines count from the region's start.

    `moves`: of lines since the facts were read; `dead`: lines with what control cannot come to, as
    far as the function's graph tells, and `is_dead`: whether it cannot come to the first line.
    """

    forms: Forms
    facts: RegionFacts
    first: int
    moves: tuple[tuple[int, int, int], ...]
    dead: frozenset[int]
    is_dead: bool


class View(NamedTuple):
    """Lines of a region with their rows, but for the number in front; "" for those without one.

    `dead`: indices of lines that control cannot come to from the one above. `outer`: names that the
    module was asked for.
    """

    basis: Basis
    lines: list[str]
    records: list[Record]
    rows: list[str]
    dead: frozenset[int]
    outer: dict[str, int]

    def changed(
        self,
        basis: Basis,
        lines: list[str],
        records: list[Record],
        flow_of: Callable[[Record], int],
    ) -> list[int] | None:
        """Indices of the lines that are others now; None if not only their rows are."""
        if basis != self.basis or len(lines) != len(self.lines):
            return None
        found = [
            index
            for index, (line, before) in enumerate(zip(lines, self.lines, strict=True))
            if (line is not before and line != before) or records[index] is not self.records[index]
        ]
        if len(found) > _FEW:
            return None
        for index in found:
            old, new = self.records[index], records[index]
            if isinstance(old, Run) or isinstance(new, Run) or flow_of(old) != flow_of(new):
                return None
        return found
