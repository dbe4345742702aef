"""Finds registers that all threads write, and some of them a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.values.function_values import FunctionValues


class GuardedWrite(NamedTuple):
    """A register that some threads write a second time.

    `first`, `second`: the writes. `guard`: the use that reads the guard of the second one, and
    `is_negated` whether threads write if that is false.
    """

    first: int
    second: int
    guard: int
    is_negated: bool


def guarded_write(values: FunctionValues, definitions: Sequence[int]) -> GuardedWrite | None:
    """Returns the writes of a register; None if these are not such two of one block."""
    if len(definitions) != 2:  # noqa: PLR2004  the write and the guarded one
        return None
    index, (first, second) = values.flow.index, sorted(definitions)
    guard = index.guard(second)
    if guard is None or index.guard(first) is not None:
        return None
    if index.block_of(first) != index.block_of(second):
        return None
    return GuardedWrite(first, second, index.first(second), guard.is_negated)
