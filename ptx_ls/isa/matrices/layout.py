"""Matrix fragments: which lane holds which element of a matrix, and in which register.

The data (`data/layouts.toml`) has formulas for the row and the column of an element, given the lane
and the index of the element in the lane; docs/isa-format.md describes the notation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ptx_ls.isa.notation.formula import Formula
from ptx_ls.source.named_tuple import NamedTuple

WARP_SIZE: Final = 32


class ElementLocation(NamedTuple):
    """Where an element is: lane, index within the lane, register, and index in the register."""

    lane: int
    number: int
    register: int
    position: int


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """How the lanes of a warp (or of a warpgroup, or of tensor memory) hold one matrix.

    If A is sparse, or the elements are metadata or scale factors, an element of the layout
    represents several elements of the matrix: `stored` neighbours represent `chunk` (see `span`).
    """

    operand: str
    """The operand's name, `a`."""
    variant: str
    """A condition, other than modifiers, that selects one of several layouts: `M = 128`, or ""."""
    matrix: str
    """The contents: `A`, `memory`, `scale factors of B`."""
    rows: int
    columns: int
    lanes: int
    warps: int
    """The number of warps that hold the matrix together, each with 32 of the lanes."""
    element_bits: int
    elements_per_lane: int
    elements_per_register: int
    copies: int
    """How many times each element is held."""
    row: Formula
    column: Formula
    unspecified: bool
    """Whether the manual does not specify which lane holds what; then there are no formulas."""
    stored: int
    chunk: int
    chunks_along: str
    """Whether a chunk is made of neighbours in `columns` or in `rows`."""
    supplier: Formula | None
    """Whether the register of a lane is used, given `lane` and `selector`; None if all are used."""
    selector: str
    """The operand that selects the lanes, or ""."""
    used: Formula | None
    """Whether a lane holds any element, given `lane`; None if all lanes do."""
    free: Mapping[str, int]
    """Names in formulas whose value is that of an operand, each with an example value."""
    note: str

    @property
    def registers(self) -> int:
        """The number of registers of a lane."""
        return -(-self.elements_per_lane // self.elements_per_register)

    @property
    def row_formula(self) -> str:
        """The row as a formula of `lane`, `warp` and `i`, "" when it is unspecified."""
        return "" if self.unspecified else str(self.row)

    @property
    def column_formula(self) -> str:
        """The column as a formula of `lane`, `warp` and `i`, "" when it is unspecified."""
        return "" if self.unspecified else str(self.column)

    def element(self, lane: int, index: int) -> tuple[int, int]:
        """Returns the row and the column of an element of a lane.

        Raises LookupError if the lane has no such element, or the layout is unspecified.
        """
        if not (0 <= lane < self.lanes and 0 <= index < self.elements_per_lane):
            raise LookupError(f"{self.operand} has no element {index} in lane {lane}")
        if self.unspecified:
            raise LookupError(f"the layout of {self.operand} is unspecified")
        if not self.takes_part(lane):
            raise LookupError(f"{self.operand} has no element in lane {lane}")
        names = {**self.free, **self.names_of(lane), "i": index}
        return self.row.value(names), self.column.value(names)

    def place(self, lane: int, index: int) -> ElementLocation:
        """Returns where an element of a lane is."""
        return ElementLocation(lane, index, *divmod(index, self.elements_per_register))

    def supplies(self, lane: int, selector: int = 0) -> bool:
        """Whether a lane's register is used for this value of the operand `selector`."""
        if self.supplier is None:
            return True
        return bool(self.supplier.value({**self.names_of(lane), "selector": selector}))

    def names_of(self, lane: int) -> dict[str, int]:
        """Returns the variables of a lane: `lane`, and `warp` if several warps hold the matrix."""
        return thread_names(lane, self.warps)

    @property
    def bounds(self) -> dict[str, tuple[int, int]]:
        """The least and the largest value of each variable of a lane."""
        return {"lane": (0, self.lanes // self.warps - 1), "warp": (0, self.warps - 1)}

    def takes_part(self, lane: int) -> bool:
        """Whether a lane holds any element."""
        return self.used is None or bool(self.used.value(self.names_of(lane)))

    def places(self, selector: int = 0) -> dict[tuple[int, int], list[ElementLocation]]:
        """Returns all places by row and column; empty if the layout is unspecified."""
        found: dict[tuple[int, int], list[ElementLocation]] = {}
        for place_ in self._all(selector):
            found.setdefault(self.element(place_.lane, place_.number), []).append(place_)
        return found

    def _all(self, selector: int) -> Iterator[ElementLocation]:
        for lane in range(0 if self.unspecified else self.lanes):
            if self.takes_part(lane) and self.supplies(lane, selector):
                for index in range(self.elements_per_lane):
                    yield self.place(lane, index)

    def span(self, number: int) -> range:
        """Returns the matrix columns that a column of the layout represents.

        If `chunks_along` is "rows", these are rows. In a dense matrix, there is only one.
        """
        first = number // self.stored * self.chunk
        return range(first, first + self.chunk)

    @property
    def size(self) -> str:
        """The size of the matrix: `16x16`, or `16x32, 2 stored for every 4 columns`."""
        along = {"rows": self.rows, "columns": self.columns}
        along[self.chunks_along] = along[self.chunks_along] // self.stored * self.chunk
        whole = f"{along['rows']}x{along['columns']}"
        if self.chunk == 1:
            return whole
        stored = f"{self.stored} stored" if self.stored > 1 else "one"
        return f"{whole}, {stored} for every {self.chunk} {self.chunks_along}"

    def heading(self, number: int, along: str) -> str:
        """Returns which columns or rows of the matrix one of the layout represents: `4-7`."""
        if along != self.chunks_along or self.chunk == 1:
            return str(number)
        span = self.span(number)
        return f"{span[0]}-{span[-1]}"

    def table(self, rows: int = 16, columns: int = 16) -> list[list[str]]:
        """Returns the cells of the upper left corner, by rows: `T5 r1` is register 1 of lane 5.

        If a register holds several elements, the cell is `T5 r1.0`; number 0 is in the lowest bits.
        Only the first copy of an element is named.
        """
        found = self.places()
        return [
            [
                self._cell(found.get((row, column), []))
                for column in range(min(columns, self.columns))
            ]
            for row in range(min(rows, self.rows))
        ]

    def _cell(self, places: Sequence[ElementLocation]) -> str:
        if not places:
            return ""
        first = places[0]
        part = f".{first.position}" if self.elements_per_register > 1 else ""
        return f"T{first.lane} r{first.register}{part}"


def thread_names(lane: int, warps: int) -> dict[str, int]:
    """Returns the variables of a lane: its number in its warp, and the number of the warp."""
    if warps == 1:
        return {"lane": lane}
    return {"lane": lane % WARP_SIZE, "warp": lane // WARP_SIZE}
