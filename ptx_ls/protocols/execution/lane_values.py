"""The values of registers in the lanes of a warp, and what instructions make of them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.threads.uniformity.levels import ALL_LANES, LANES
from ptx_ls.values.abstract_value import constant
from ptx_ls.values.transfer.exact import exact_operation
from ptx_ls.values.transfer.operations import operation_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    LaneValue = int | tuple[int | None, ...] | None
    """A number that all lanes have, a number for each lane, or None if nothing is known."""
    Function = Callable[..., int | None]

_MAX_KNOWN: Final = 1 << 12
"""Number of results that are kept for an instruction."""


def lanes_of(mask: int) -> list[int]:
    """Returns the numbers of the lanes in a set."""
    return [lane for lane in range(LANES) if mask >> lane & 1]


def of_lane(value: LaneValue, lane: int) -> int | None:
    """Returns the value in a lane."""
    return value[lane] if isinstance(value, tuple) else value


def same_in(value: LaneValue, mask: int) -> int | None:
    """Returns the value of some lanes if it is known and the same for all of them."""
    if not isinstance(value, tuple):
        return value
    found = {value[lane] for lane in lanes_of(mask)}
    return next(iter(found)) if len(found) == 1 else None


def chosen(mask: int, first: LaneValue, second: LaneValue) -> LaneValue:
    """Returns the first value in the lanes of a set, and the second one in the others."""
    if mask in (ALL_LANES, -1) or first == second:
        return first
    if not mask:
        return second
    return tuple(of_lane(first if mask >> lane & 1 else second, lane) for lane in range(LANES))


def true_lanes(value: LaneValue, mask: int) -> int | None:
    """Returns the lanes of a set in which a predicate holds; None if one is unknown."""
    if value is None:
        return None
    if isinstance(value, int):
        return mask if value & 1 else 0
    found = 0
    for lane in lanes_of(mask):
        each = value[lane]
        if each is None:
            return None
        found |= (each & 1) << lane
    return found


def applied(function: Function, values: Sequence[LaneValue]) -> LaneValue:
    """Returns the result of a function of numbers in each lane."""
    if None in values:
        return None
    if all(isinstance(each, int) for each in values):
        return function(*values)
    lanes = [it if isinstance(it, tuple) else (it,) * LANES for it in values]
    rows = [*zip(*lanes, strict=True)]
    known = {row: None if None in row else function(*row) for row in {*rows}}
    found = tuple(map(known.__getitem__, rows))
    return found[0] if len({*known.values()}) == 1 else found


@lru_cache(maxsize=1 << 8)
def function_of(
    name: str, modifiers: tuple[str, ...], n_sources: int, width: int, *, is_second: bool = False
) -> tuple[tuple[int, ...], Function] | None:
    """Returns the widths of the sources of an instruction, and what it computes for a register.

    `width`: that of the register. `is_second`: whether it is the second result. None if the
    instruction is not known.
    """
    operation = operation_of(name, modifiers, n_sources)
    if operation is None:
        return None
    exact = exact_operation(name, modifiers)
    mask = (1 << width) - 1
    if exact is not None and not is_second and width == operation.widths[0]:
        return operation.widths, lambda *numbers: exact(*numbers) & mask
    known: dict[tuple[int, ...], int | None] = {}

    def run(*numbers: int) -> int | None:
        if numbers not in known:
            if len(known) > _MAX_KNOWN:
                known.clear()
            given = [constant(own, it) for own, it in zip(operation.widths, numbers, strict=True)]
            result = operation.second_result if is_second else operation.result
            known[numbers] = result(given, width).constant
        return known[numbers]

    return operation.widths, run
