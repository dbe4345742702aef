"""Finds the accesses to variables that an address names, perhaps with an offset: `[sum+4]`.

A function may have thousands, nearly all of them right, so most are judged without making an
`Access`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.storage import alignment_of, bytes_of, has_storage
from ptx_ls.semantics.instructions.memory_operands import ACCESSING, memory_operands
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from ptx_ls.lint.addresses.problems import MisalignedAccess, OutOfBounds
    from ptx_ls.lint.check_input import CheckInput
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Record, Shape

_NAMED: Final = ("[n", "n[")
"""Texts in the shape of every instruction with an address that begins with a name."""
_COMMENT: Final = "/"
_REGISTER: Final = ".reg"


class _Limits(NamedTuple):
    """The size and alignment of a variable, in bytes."""

    n_bytes: int
    alignment: int


_NONE: Final = _Limits(0, 1)


def named_mistakes(seen: CheckInput) -> Iterator[OutOfBounds | MisalignedAccess]:
    """Yields what is wrong with accesses to variables that an address names."""
    shapes = [shape for shape in seen.text.shapes_of(ACCESSING) if _names_variable(shape)]
    if not shapes:
        return
    rows = [*_doubtful_rows(seen, shapes)]
    if rows:
        yield from _problems_on(rows, seen)


def _problems_on(rows: Sequence[int], seen: CheckInput) -> Iterator[OutOfBounds | MisalignedAccess]:
    """Yields what is wrong with the accesses on some lines to variables that an address names."""
    from ptx_ls.lint.addresses.access import (  # noqa: PLC0415  for few functions
        accesses_in,
        offset_of,
        variable_of,
    )
    from ptx_ls.lint.addresses.placement import (  # noqa: PLC0415  as above
        PlacedAccess,
        is_judged_by_type,
        problems_of,
    )
    from ptx_ls.lint.addresses.reached import may_run  # noqa: PLC0415  as above

    for found in seen.text.statements(rows):
        for access in accesses_in(found):
            symbol = variable_of(seen, access.address, found.start)
            offset = None if symbol is None else offset_of(access.address, symbol)
            if symbol is None or offset is None or is_judged_by_type(access, symbol):
                continue
            problems = [*problems_of(PlacedAccess(access, symbol, offset, offset))]
            if problems and may_run(seen, found):
                yield from problems


def _names_variable(shape: Shape) -> bool:
    """Whether an address may be the name of a variable, perhaps with an offset or an index."""
    return any(mark in shape.text for mark in _NAMED) and bool(memory_operands(shape))


def _only_size(shape: Shape) -> int:
    """Returns how many bytes an instruction accesses at its only address; 0 if it has others."""
    accessed = memory_operands(shape)
    is_only = len(accessed) == 1 and shape.text.count("[") == 1
    only = accessed[0]
    return only.size if is_only and only.size == only.alignment else 0


def _doubtful_rows(seen: CheckInput, shapes: Collection[Shape]) -> Iterator[int]:
    """Yields the lines with instructions of some shapes that may have a wrong access."""
    text, limits = seen.text, _LimitsByName(seen)
    sizes: dict[Record, int] = {shape: _only_size(shape) for shape in shapes}
    records = text.with_shapes({*shapes})
    known: dict[tuple[str, int], bool] = {}
    for row, line, record in text.rows(text.lines_of(records)):
        size = sizes.get(record, 0)
        if not size or _COMMENT in line:
            yield row
            continue
        key = line.partition("[")[2].partition("]")[0], size
        is_right = known.get(key)
        if is_right is None:
            is_right = known[key] = _is_right(*key, limits)
        if not is_right:
            yield row


def _is_right(address: str, size: int, limits: Mapping[str, _Limits]) -> bool:
    """Whether an access at a plain address, such as `sum+4`, is within its variable and aligned."""
    name, _, offset = address.partition("+")
    if offset and not (offset.isdecimal() and (offset[0] != "0" or offset == "0")):
        return False
    known = limits[name]
    number = int(offset) if offset else 0
    return number + size <= known.n_bytes and not number % size and known.alignment >= size


class _LimitsByName(dict[str, _Limits]):
    """The limits of the variables that the names in a function mean."""

    def __init__(self, seen: CheckInput) -> None:
        super().__init__()
        self._module = seen.module
        self._declared: dict[str, list[Symbol]] = {}
        for symbol in seen.facts.declared:
            if symbol.space != _REGISTER:
                self._declared.setdefault(symbol.name, []).append(symbol)

    def __missing__(self, name: str) -> _Limits:
        outer = None if name in self._declared else self._module.lookup(name)
        symbols = self._declared.get(name, []) if outer is None else [outer]
        self[name] = found = _least(symbols)
        return found


def _least(symbols: list[Symbol]) -> _Limits:
    """Returns the least size and alignment of several variables."""
    if not symbols or not all(map(has_storage, symbols)):
        return _NONE
    sizes = [bytes_of(symbol) or 0 for symbol in symbols]
    return _Limits(min(sizes), min(map(alignment_of, symbols)))
