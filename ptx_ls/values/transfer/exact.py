"""The results of common integer instructions for known numbers, for many threads at once.

`operations.py` defines the same for abstract values, which takes far longer.
"""

from __future__ import annotations

import operator
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    Exact = Callable[..., int]
    """Computes a result; only its low bits count."""

_MAX_KEPT: Final = 1 << 10


def _shift_right(number: int, amount: int) -> int:
    return number >> amount


def _multiply_add(left: int, right: int, term: int) -> int:
    return left * right + term


def _same(number: int) -> int:
    return number


def _choose(first: int, second: int, condition: int) -> int:
    return first if condition else second


_EXACT: Final[dict[tuple[str, ...], Exact]] = {
    ("add",): operator.add,
    ("sub",): operator.sub,
    ("mul", ".lo"): operator.mul,
    ("mad", ".lo"): _multiply_add,
    ("and",): operator.and_,
    ("or",): operator.or_,
    ("xor",): operator.xor,
    ("mov",): _same,
    ("selp",): _choose,
}
"""The functions by opcode and modifiers without the type."""
_SHIFTS: Final = ("shl", "shr")


@lru_cache(maxsize=_MAX_KEPT)
def exact_operation(name: str, modifiers: tuple[str, ...]) -> Exact | None:
    """Returns what an instruction computes from unsigned numbers; None if it is not known here."""
    type_ = INTEGER_TYPES.get(modifiers[-1]) if modifiers else None
    if type_ is None:
        return None
    if name not in _SHIFTS:
        return _EXACT.get((name, *modifiers[:-1]))
    width = type_.width
    if len(modifiers) > 1 or (name == "shr" and type_.is_signed):
        return None
    if name == "shl":
        return lambda number, amount: number << amount if amount < width else 0
    return _shift_right
