"""A number that each thread of an example launch has."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.abstract_value import constant
from ptx_ls.values.affine import TermKind
from ptx_ls.values.transfer.exact import exact_operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.transfer.operation import Operation

_BITWISE: Final = {"xor": operator.xor, "or": operator.or_, "and": operator.and_}
_ALIGNMENT: Final = 1 << 10
"""The alignment of variables that is assumed if low bits of their addresses are changed."""
Unknowns = frozenset[tuple[object, int]]
"""Unknown numbers that are the same for all threads, each with its factor."""


class ThreadNumber(NamedTuple):
    """A number of `width` bits for each thread: its item in `numbers`, plus `unknowns`."""

    width: int
    numbers: tuple[int, ...]
    unknowns: Unknowns = frozenset()

    @property
    def is_same(self) -> bool:
        """Whether all threads have the same number."""
        return self.numbers.count(self.numbers[0]) == len(self.numbers)


def aligned_bits(name: str, operands: Sequence[ThreadNumber]) -> ThreadNumber | None:
    """Returns the result of `xor`, `or` or `and` on low bits of the address of a variable.

    The variable is assumed to be aligned, as it is in some programs. None if other bits may change.
    """
    if len(operands) != 2 or name not in _BITWISE:  # noqa: PLR2004
        return None
    address, mask = operands if operands[0].unknowns else operands[::-1]
    if mask.unknowns or variable_of(address) is None:
        return None
    high = (1 << address.width) - _ALIGNMENT
    kept = high if name == "and" else 0
    if any(each & high != kept for each in mask.numbers):
        return None
    change = _BITWISE[name]
    pairs = zip(address.numbers, mask.numbers, strict=True)
    numbers = tuple([each & high | change(each, bits) & _ALIGNMENT - 1 for each, bits in pairs])
    return address._replace(numbers=numbers)


def variable_of(number: ThreadNumber) -> Symbol | None:
    """Returns the variable whose address is a part of a number, if nothing else is unknown.

    The start of a state space, which a generic address includes, does not count.
    """
    terms = [key[0] for key, _ in number.unknowns if isinstance(key, tuple)]
    kept = [each for each in terms if each.kind is not TermKind.WINDOW]
    is_added = all(times == 1 for _, times in number.unknowns)
    return kept[0].symbol if is_added and len(kept) == 1 else None


def computed_number(
    instruction: DecodedInstruction,
    operation: Operation,
    known: Sequence[ThreadNumber],
    width: int,
) -> ThreadNumber | None:
    """Returns the result of an instruction for sources that are known in each thread."""
    exact = exact_operation(instruction.name, instruction.modifiers)
    if exact is not None and width == operation.widths[0]:
        mask = (1 << width) - 1
        rows = map(exact, *(each.numbers for each in known))
        return ThreadNumber(width, tuple([each & mask for each in rows]))
    widths = [each.width for each in known]
    results: dict[tuple[int, ...], int | None] = {}
    for row in zip(*(each.numbers for each in known), strict=True):
        if row not in results:
            values = [constant(own, each) for own, each in zip(widths, row, strict=True)]
            results[row] = operation.result(values, width).constant
    numbers = [results[row] for row in zip(*(each.numbers for each in known), strict=True)]
    computed = tuple([each for each in numbers if each is not None])
    return ThreadNumber(width, computed) if len(computed) == len(numbers) else None
