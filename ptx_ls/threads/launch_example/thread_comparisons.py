"""Compares numbers of the threads of an example launch."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final, Protocol

from ptx_ls.values.known_bits import as_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.threads.launch_example.iterations import Iterations
    from ptx_ls.threads.launch_example.thread_number import ThreadNumber
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.decoding import DecodedInstruction

_COMPARE: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class OperandNumbers(Protocol):
    """The numbers of the operands of a function in each thread."""

    def operand(
        self,
        instruction: DecodedInstruction,
        operand: OperandSyntax,
        width: int,
        iterations: Iterations,
    ) -> ThreadNumber | None:
        """Returns an operand in each thread; None if it is unknown."""


def compared_numbers(
    numbers: OperandNumbers, held: HeldComparison, iterations: Iterations
) -> tuple[ThreadNumber, ThreadNumber] | None:
    """Returns both sides of a comparison; None if one is unknown."""
    left, right = (
        numbers.operand(held.instruction, each, held.width, iterations)
        for each in (held.left, held.right)
    )
    return None if left is None or right is None else (left, right)


def threads_that_pass(
    held: HeldComparison, left: ThreadNumber, right: ThreadNumber
) -> frozenset[int]:
    """Returns the threads for which a comparison of numbers with the same unknowns holds."""
    if left.is_same and right.is_same:  # most tests of loops
        holds = _holds(held, left.numbers[0], right.numbers[0])
        return frozenset(range(len(left.numbers))) if holds else frozenset()
    pairs = zip(left.numbers, right.numbers, strict=True)
    return frozenset(thread for thread, each in enumerate(pairs) if _holds(held, *each))


def _holds(held: HeldComparison, left: int, right: int) -> bool:
    if held.is_signed:
        left, right = as_signed(left, held.width), as_signed(right, held.width)
    return _COMPARE[held.operator](left, right)
