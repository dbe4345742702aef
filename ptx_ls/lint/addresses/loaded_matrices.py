"""Finds where in a matrix the parts that `ldmatrix` loads are, to check their order in `mma`.

`ldmatrix` loads matrices of 8 rows of 16 bytes. The addresses of the lanes show where each of them
is: how many rows and columns of such matrices from the first one.

Source: PTX ISA, "ldmatrix", and "Matrix Fragments for mma" for shapes with 16 rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.semantics.instructions.memory_operands import memory_operands
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.instructions.fragments import Fragment
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.function_values import FunctionValues

_LOADING: Final = "ldmatrix"
_MULTIPLYING: Final = "mma"
_SHAPE: Final = ".m16n8"
_ROWS: Final = 8
"""Number of rows of a matrix, and of lanes that have their addresses."""
_ROW_BYTES: Final = 16
_PARTS: Final = {"a": 4, "b": 2}
"""Number of registers of a fragment, each of which is a part that `ldmatrix` loads."""
_MAX_LOADS: Final = 64
"""Number of loads whose addresses are found in a function."""
_MAX_LOADS_OF_COMPILER: Final = 16


class _Part(NamedTuple):
    """A matrix of 8 rows; both numbers count such matrices from the first that is loaded.

    `outer`: along the rows of A or the columns of B. `inner`: along the sum of the product.
    """

    outer: int
    inner: int


class MisplacedPart(NamedTuple):
    """A register of a fragment that belongs in another place.

    `load`: the instruction that loads it.
    """

    fragment: Fragment
    register: str
    load: Found


class LoadedMatrices:
    """The matrices that a function loads for `mma`."""

    def __init__(self, values: FunctionValues, *, is_generated: bool) -> None:
        self._values = values
        self._n_left = _MAX_LOADS_OF_COMPILER if is_generated else _MAX_LOADS
        self._known: dict[FunctionPosition, Mapping[int, _Part] | None] = {}

    def misplaced(self, fragments: Sequence[Fragment]) -> MisplacedPart | None:
        """Returns a register in the wrong place, given the fragments of an instruction."""
        orders: dict[str, int] = {}
        for fragment in fragments:
            form = fragment.form
            is_usual = form.family == _MULTIPLYING and form.shape.startswith(_SHAPE)
            if not is_usual or form.is_written:
                continue
            if _PARTS.get(form.matrix) != len(fragment.registers):
                continue
            found = self._parts(fragment)
            if found is None:
                continue
            parts, load = found
            wrong = _wrong_part(parts)
            if wrong is not None:
                return MisplacedPart(fragment, fragment.registers[wrong], load)
            inner = parts[-1].inner - parts[0].inner
            if orders and inner * next(iter(orders.values())) < 0:
                return MisplacedPart(fragment, fragment.registers[-1], load)
            orders[form.matrix] = inner
        return None

    def _parts(self, fragment: Fragment) -> tuple[list[_Part], Found] | None:
        """Returns the parts of a fragment, and the only instruction that loads them."""
        flow = self._values.flow
        reads = uses_in(flow, fragment.found, READS)
        writes = [flow.definition(reads[it]) if it in reads else None for it in fragment.registers]
        known = [each for each in writes if each is not None]
        if len(known) < len(writes) or len({flow.uses.rows[each] for each in known}) != 1:
            return None
        load = flow.statement(known[0])
        if not isinstance(load.record, Shape) or load.record.name != _LOADING:
            return None
        places = self._places(load)
        if places is None or any(each not in places for each in known):
            return None
        is_transposed = ".trans" in modifiers_of(load.record.opcode)
        parts = [places[each] for each in known]
        return [_Part(it.inner, it.outer) if is_transposed else it for it in parts], load

    def _places(self, load: Found) -> Mapping[int, _Part] | None:
        """Returns where the parts are that a load writes to registers, by the uses of these."""
        if load.start not in self._known:
            if not self._n_left:
                return None
            self._n_left -= 1
            self._known[load.start] = self._find_places(load)
        return self._known[load.start]

    def _find_places(self, load: Found) -> Mapping[int, _Part] | None:
        if not isinstance(load.record, Shape):
            return None
        written = [*uses_in(self._values.flow, load, WRITES).values()]
        form = self._values.address_form(load, memory_operands(load.record)[0].number)
        addresses = None if form is None else self._values.of_lanes(form)
        if addresses is None:
            return None
        stride = addresses[1] - addresses[0]
        starts = addresses[::_ROWS][: len(written)]
        for number, start in enumerate(starts):
            own = addresses[number * _ROWS : (number + 1) * _ROWS]
            if own != [start + row * stride for row in range(_ROWS)]:
                return None
        parts = [_place(each - addresses[0], stride) for each in starts]
        known = [each for each in parts if each is not None]
        return dict(zip(written, known, strict=True)) if len(known) == len(written) else None


def _place(offset: int, stride: int) -> _Part | None:
    """Returns the place of a matrix at an offset from the first one; None if it is not one."""
    if stride <= _ROW_BYTES:
        return None
    rows, rest = divmod(offset, _ROWS * stride)
    is_one = rest < stride and not rest % _ROW_BYTES
    return _Part(rows, rest // _ROW_BYTES) if is_one else None


def _wrong_part(parts: Sequence[_Part]) -> int | None:
    """Returns the number of a part that is not where its register belongs in a fragment."""
    if len(set(parts)) < len(parts):
        return None
    if len(parts) == _PARTS["b"]:
        first, second = parts
        return 1 if first.outer != second.outer and first.inner == second.inner else None
    first, second, third, fourth = parts
    is_block = len({it.outer for it in parts}) == len({it.inner for it in parts}) == _PARTS["b"]
    if not is_block:
        return None
    if first.inner != second.inner:
        return 1
    return 2 if first.outer != third.outer or second.outer != fourth.outer else None
