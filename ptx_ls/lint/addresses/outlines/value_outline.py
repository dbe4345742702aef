"""Outlines of values: the factors of their parts, and where the parts come from.

An address is right if everything in it that may be known is a multiple of what the access needs. To
find that out, no value has to be evaluated, and one outline for each register is enough, whichever
of its definitions is read. An outline says too little rather than too much, so an address may look
wrong that is not. It leaves out conditions, which could only make an address look wrong, too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.literals import integer

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_STEP: Final = 128
"""The largest alignment that an instruction needs; a step of 128 may be larger."""
SHARP: Final = 2 * MAX_STEP
"""The blur of a value without parts of which nothing is known."""
VARYING: Final = 1
"""The value is not only a variable and a constant."""
REACHED: Final = 2
"""The value consists of numbers that some thread or iteration surely gets."""
NEGATIVE: Final = 4
"""The value may be a negative number."""
HIGH: Final = 8
"""The highest bit may be set on purpose."""
EXTENDED: Final = 16
"""A number that may be negative was extended with zeros."""
HALF: Final = 32
"""The value may be half of a pointer."""
OF_BLOCK: Final = 64
"""The value depends on the number of the block, which is 0 in the first one."""
ENDED: Final = 128
"""The largest value of a part may be reached: the number of iterations or threads may be known."""
MANY: Final = 256
"""The value may depend on a pointer that has no mark of its own."""
PART: Final = 512
"""The value may be half of a wider one."""
BASED: Final = 1024
"""The value may contain a pointer."""
SUMMED: Final = 2048
"""Two of these may be added to each other."""
ROUNDED: Final = 4096
"""The value may be a pointer that was rounded to a multiple of a power of two."""
FIRST_POINTER: Final = 13
"""The number of the mark for the first pointer in a function; the others follow."""
PLAIN_MARKS: Final = (1 << FIRST_POINTER) - 1
_KEPT: Final = NEGATIVE | HIGH | OF_BLOCK | ENDED
"""The marks that are kept where a value gets another form."""
_SMALL_MASK: Final = 1 << 16
"""A mask from which the bits that it leaves of a pointer may be one."""
_SIGN: Final = 1 << 31
_WRAP: Final = 1 << 32
_WIDE_WRAP: Final = 1 << 64
WORD: Final = 64


class ValueOutline(NamedTuple):
    """The outline of a value.

    The value is a sum. Some parts are unknown, but do not hide others: parameters, and the number
    of the block. Nothing at all is known of what is loaded from memory.

    Attributes:
        step: what the parts of which something is known are multiples of, a power of two.
        blur: what the parts of which nothing is known are multiples of.
        marks: the bits above, and those of pointers that the value may depend on.
        offset: the sum of the constants in the value: the smallest one of several.
    """

    step: int
    blur: int
    marks: int
    offset: int

    @property
    def is_plain(self) -> bool:
        """Whether the parts are only those that are unknown, but do not hide others."""
        return self.step == MAX_STEP and self.blur == SHARP


UNSEEN: Final = ValueOutline(MAX_STEP, 1, VARYING | BASED, 0)
"""A value that is loaded from memory, or comes from other threads."""
PARAMETER: Final = ValueOutline(MAX_STEP, SHARP, VARYING | BASED, 0)
BLOCK: Final = ValueOutline(MAX_STEP, SHARP, VARYING | REACHED | OF_BLOCK, 0)
SPECIAL: Final = ValueOutline(1, SHARP, VARYING | REACHED, 0)
ZERO: Final = ValueOutline(MAX_STEP, SHARP, REACHED, 0)
WORST: Final = ValueOutline(1, SHARP, PLAIN_MARKS & ~ROUNDED, 0)


def step_of(number: int) -> int:
    """Returns the largest power of two that divides a number, at most `MAX_STEP`."""
    return min(number & -number, MAX_STEP) if number else MAX_STEP


@lru_cache(maxsize=1 << 10)
def outline_of_constant(text: str) -> ValueOutline:
    """Returns the outline of an operand that may be a number."""
    digits = text.lstrip("-")
    value = integer(digits)
    if value is None or len(text) > len(digits) + 1:
        return WORST
    value = -value if digits != text else value
    if value >= _SIGN:
        value -= _WRAP if value < _WRAP else _WIDE_WRAP if value >= _WIDE_WRAP >> 1 else 0
    marks = REACHED | (NEGATIVE | HIGH if not 0 <= value < _SIGN else 0)
    return ValueOutline(step_of(value), SHARP, marks, value)


def either(left: ValueOutline, right: ValueOutline) -> ValueOutline:
    """Returns the outline of a value that is one of two."""
    if left == right:
        return left
    offset, marks = left.offset, left.marks | right.marks
    if offset != right.offset:
        if offset < 0 or right.offset < 0:
            offset = -1
        elif right.offset < offset:
            offset = 0 if left.marks & VARYING else right.offset
        marks |= VARYING | ENDED
    return ValueOutline(min(left.step, right.step), max(left.blur, right.blur), marks, offset)


def plus(left: ValueOutline, right: ValueOutline) -> ValueOutline:
    """Returns the outline of a sum."""
    marks = marks_of_both(left, right)
    if left.marks & right.marks & BASED:
        marks |= SUMMED
    return ValueOutline(
        min(left.step, right.step),
        min(left.blur, right.blur),
        marks,
        left.offset + right.offset,
    )


def marks_of_both(left: ValueOutline, right: ValueOutline) -> int:
    """Returns the marks of a value that is computed from two others."""
    return (left.marks | right.marks) & ~REACHED | left.marks & right.marks & REACHED


def minus(left: ValueOutline, right: ValueOutline) -> ValueOutline:
    """Returns the outline of a difference."""
    found = plus(left, right._replace(marks=right.marks & ~BASED))
    return found._replace(marks=found.marks | NEGATIVE, offset=left.offset - right.offset)


def scaled(value: ValueOutline, times: int) -> ValueOutline:
    """Returns the outline of a multiple."""
    step = step_of(times)
    dropped = HALF | PART if times == 1 else HALF | PART | BASED | SUMMED
    return ValueOutline(
        min(value.step * step, MAX_STEP),
        value.blur if value.blur == SHARP else min(value.blur * step, MAX_STEP),
        value.marks & ~dropped | (NEGATIVE if times < 0 else 0),
        value.offset * times,
    )


def times(left: ValueOutline, right: ValueOutline) -> ValueOutline:
    """Returns the outline of a product."""
    for one, other in ((left, right), (right, left)):
        if not one.marks & VARYING:
            found = scaled(other, one.offset)
            return found._replace(marks=found.marks | one.marks & NEGATIVE)
    step = min(left.step * right.step, MAX_STEP)
    blurs = [each.blur for each in (left, right) if each.blur != SHARP]
    if left.is_plain or right.is_plain:
        step = MAX_STEP
    marks = marks_of_both(left, right) & ~(HALF | PART | BASED | SUMMED) | VARYING
    if marks & OF_BLOCK:
        marks |= REACHED
    return ValueOutline(step, min(blurs, default=SHARP), marks, 0)


def folded(value: ValueOutline) -> ValueOutline:
    """Returns a value whose unknown parts may become known, as some bits of them are cleared.

    The bits that are left may be those of a pointer.
    """
    marks, blur = value.marks & ~SUMMED | BASED, value.blur
    step = value.step if blur == SHARP else min(value.step, blur)
    return ValueOutline(step, SHARP, marks, value.offset)


def shifted_right(value: ValueOutline, amount: ValueOutline) -> ValueOutline:
    """Returns the outline of a value shifted to the right."""
    places = amount.offset if not amount.marks & VARYING and 0 <= amount.offset < WORD else WORD
    found = folded(value)
    step = MAX_STEP if found.step == MAX_STEP else max(found.step >> places, 1)
    blur = value.blur if value.blur == SHARP else 1
    if blur != SHARP:
        step = max(value.step >> places, 1) if value.step < MAX_STEP else MAX_STEP
    marks = marks_of_both(found, amount) | VARYING
    return ValueOutline(step, blur, marks, max(value.offset, 0) >> places)


def shifted_right_unsigned(value: ValueOutline, amount: ValueOutline) -> ValueOutline:
    """Returns the outline of a value shifted to the right, with zeros moved in."""
    found = shifted_right(value, amount)
    if amount.marks & VARYING or amount.offset <= 0:
        return found
    low = value.offset % _WRAP if value.marks & HIGH else max(value.offset, 0)
    return found._replace(
        marks=found.marks & ~(NEGATIVE | HIGH), offset=low >> min(amount.offset, WORD)
    )


def masked(left: ValueOutline, right: ValueOutline) -> ValueOutline:
    """Returns the outline of a value of which a mask clears some bits."""
    for value, mask in ((left, right), (right, left)):
        if not mask.marks & VARYING:
            found = folded(value)
            step = found.step if found.is_plain else max(found.step, step_of(mask.offset))
            kept = found.marks & ~(NEGATIVE | HIGH)
            if mask.marks & NEGATIVE:
                kept = found.marks
                if kept >> FIRST_POINTER:
                    kept, step = kept | ROUNDED, step_of(mask.offset)
            if 0 <= mask.offset < _SMALL_MASK:
                kept &= ~BASED
            return ValueOutline(step, SHARP, kept | VARYING | ENDED, 0)
    one, other = folded(left), folded(right)
    return ValueOutline(min(one.step, other.step), SHARP, marks_of_both(one, other) | VARYING, 0)


def combined(left: ValueOutline, right: ValueOutline) -> ValueOutline:
    """Returns the outline of a combination of the bits of two values, 0 where both are 0."""
    found = plus(folded(left), folded(right))
    is_high = any(each.marks & HIGH and not each.marks & VARYING for each in (left, right))
    marks = found.marks & ~SUMMED | VARYING
    return found._replace(marks=marks | (HIGH | NEGATIVE if is_high else 0))


def computed(sources: Sequence[ValueOutline]) -> ValueOutline:
    """Returns the outline of a result of an operation after which no form is left of a value."""
    step, marks, is_reached = MAX_STEP, VARYING | BASED, REACHED
    for each in sources:
        marks |= each.marks & _KEPT
        is_reached &= each.marks
        if each.marks & VARYING and not each.is_plain:
            step = 1
    return ValueOutline(step if sources else 1, SHARP, marks | is_reached, 0)


def split(sources: Sequence[ValueOutline]) -> ValueOutline:
    """Returns the outline of a part of a value that is split into several registers."""
    found = computed(sources)
    half = HALF if any(each.marks >> FIRST_POINTER for each in sources) else PART
    return found._replace(marks=found.marks | half)


def narrowed(value: ValueOutline) -> ValueOutline:
    """Returns the outline of the low half of a value."""
    half = HALF if value.marks >> FIRST_POINTER else PART
    return value._replace(marks=value.marks & ~EXTENDED | half)


def extended(value: ValueOutline) -> ValueOutline:
    """Returns the outline of a number that is extended to more bits, so it was not a pointer."""
    return value._replace(marks=value.marks & ~(BASED | SUMMED))


def joined(value: ValueOutline) -> ValueOutline:
    """Returns the outline of several values that are put together, of which this is the lowest."""
    return value._replace(marks=value.marks | BASED)


def zero_extended(value: ValueOutline) -> ValueOutline:
    """Returns the outline of a number that is extended to more bits with zeros."""
    marks = value.marks
    is_wrong = marks & HIGH or (marks & NEGATIVE and marks & REACHED)
    return value._replace(marks=marks | EXTENDED) if is_wrong else value
