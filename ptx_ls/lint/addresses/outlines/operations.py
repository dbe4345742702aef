"""The outlines of results, by the opcodes of the instructions that compute them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.outlines.value_outline import (
    ENDED,
    NEGATIVE,
    SHARP,
    VARYING,
    WORD,
    ValueOutline,
    combined,
    computed,
    either,
    folded,
    marks_of_both,
    masked,
    minus,
    outline_of_constant,
    plus,
    scaled,
    shifted_right,
    shifted_right_unsigned,
    times,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def _complement(sources: Sequence[ValueOutline]) -> ValueOutline:
    found = plus(sources[0], outline_of_constant("1"))
    return found._replace(marks=found.marks | NEGATIVE, offset=~sources[0].offset)


def _selected(sources: Sequence[ValueOutline]) -> ValueOutline:
    return either(sources[0], sources[1])


def _remainder(sources: Sequence[ValueOutline]) -> ValueOutline:
    value, divisor = sources
    if divisor.marks & VARYING:
        return computed(sources)
    found = folded(value)
    step = found.step if found.is_plain else min(found.step, divisor.step)
    return ValueOutline(step, SHARP, found.marks | VARYING | ENDED, 0)


def _looked_up(sources: Sequence[ValueOutline]) -> ValueOutline:
    *values, table = sources
    if table.marks & VARYING or table.offset & 1:
        return computed(sources)
    found = combined(combined(values[0], values[1]), values[2])
    return found._replace(marks=found.marks | NEGATIVE, offset=0)


def _inserted(sources: Sequence[ValueOutline]) -> ValueOutline:
    field, value, position, _ = sources
    if position.marks & VARYING or not 0 <= position.offset < WORD:
        return computed(sources)
    return combined(scaled(folded(field), 1 << position.offset), value)


def _shifted_left(sources: Sequence[ValueOutline]) -> ValueOutline:
    value, amount = sources
    if amount.marks & VARYING or not 0 <= amount.offset < WORD:
        return value._replace(marks=marks_of_both(value, amount) | VARYING, offset=0)
    return scaled(value, 1 << amount.offset)


OPERATIONS: Final[dict[str, tuple[int, Callable[[Sequence[ValueOutline]], ValueOutline]]]] = {
    "mov": (1, lambda sources: sources[0]),
    "add": (2, lambda sources: plus(*sources)),
    "sub": (2, lambda sources: minus(*sources)),
    "neg": (1, lambda sources: minus(outline_of_constant("0"), sources[0])),
    "not": (1, _complement),
    "mul": (2, lambda sources: times(*sources)),
    "mad": (3, lambda sources: plus(times(sources[0], sources[1]), sources[2])),
    "shl": (2, _shifted_left),
    "shr": (2, lambda sources: shifted_right_unsigned(*sources)),
    "shr.s": (2, lambda sources: shifted_right(*sources)),
    "and": (2, lambda sources: masked(*sources)),
    "or": (2, lambda sources: combined(*sources)),
    "xor": (2, lambda sources: combined(*sources)),
    "lop3": (4, _looked_up),
    "bfi": (4, _inserted),
    "rem": (2, _remainder),
    "selp": (2, _selected),
    "min": (2, _selected),
    "max": (2, _selected),
    "cvt": (1, lambda sources: sources[0]),
}
"""For each opcode, the number of operands that it reads, and the outline of the result.

`shr.s` is the signed shift.
"""
