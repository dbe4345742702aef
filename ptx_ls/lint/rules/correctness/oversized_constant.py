"""The rule oversized-constant.

Source: PTX ISA, "Integer Constants", "Floating-Point Constants", and the sections on `prmt`,
`mul24` and `shfl`. A constant of an integer type may be written with or without a sign.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.moved_constants import judged, moved_constant
from ptx_ls.lint.candidates.computation import may_have_oversized_constants
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import SINGLE, fitting, heeds_sign, selector_bits
from ptx_ls.semantics.declarations.oversized_values import oversized_values
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse
    from ptx_ls.semantics.symbols.region_text import Found

_BITS_READ: Final = {
    ("mul24", "a"): 24,
    ("mul24", "b"): 24,
    ("mad24", "a"): 24,
    ("mad24", "b"): 24,
    ("shfl", "b"): 5,
}
"""The number of bits that an instruction reads of an operand that has a wider type."""
_IN_REGISTERS: Final = {"prmt": 3, "shfl": 2}
"""The number of an operand that compilers move to a register first, by opcode."""
_SINGLE_BITS: Final = 32
_LARGEST_SINGLE: Final = 3.4028235677973366e38
"""The limit from which a number becomes infinite if it is rounded to an `.f32`."""


class OversizedConstant(NamedTuple):
    """A constant that has more bits than are used.

    `reader`: the type, or the opcode that reads only some bits. `bits`: their number. `used`: the
    value that is used instead. `moved`: where a register gets the constant.
    """

    text: str
    reader: str
    bits: int
    used: float
    start: FunctionPosition
    end: FunctionPosition
    moved: FunctionSpan | None = None


def find(seen: CheckInput) -> Iterator[OversizedConstant]:
    """Yields the constants of a function, and initial values, with more bits than are used."""
    for use in unusual_constants(seen.function):
        for constant in use.constants:
            found = _oversized(use, constant)
            if found is not None:
                yield found
    yield from _in_registers(seen)
    for each in oversized_values(seen.text, _LARGEST_SINGLE):
        at = each.start, each.end
        if each.is_integer:
            used = _wrapped(int(each.value), each.bits)
            yield OversizedConstant(each.text, each.type, each.bits, used, *at)
        else:
            yield OversizedConstant(each.text, each.type, each.bits, _infinite(each.value), *at)


def _in_registers(seen: CheckInput) -> Iterator[OversizedConstant]:
    """Yields the selectors and lanes in registers that are constants with too many bits."""
    shapes = {
        each
        for each in seen.text.shapes_of(_IN_REGISTERS)
        if len(each.operands) > _IN_REGISTERS[each.name]
        and each.operands[_IN_REGISTERS[each.name]].form is OperandForm.IDENTIFIER
    }
    if not shapes:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    yield from judged(flow, shapes, lambda found: _moved(flow, found))


def _moved(flow: FunctionFlow, found: Found) -> OversizedConstant | None:
    """Returns the selector or lane of a statement if it is a constant with too many bits."""
    shape = found.record
    if not isinstance(shape, Shape):
        return None
    constant = moved_constant(flow, found, _IN_REGISTERS[shape.name])
    bits = selector_bits(shape) if shape.name == "prmt" else _BITS_READ[shape.name, "b"]
    if constant is None or _fits(constant.number, bits):
        return None
    used = constant.number % (1 << bits)
    return OversizedConstant(constant.text, shape.name, bits, used, *constant.span, constant.moved)


def _oversized(use: ConstantUse, constant: Constant) -> OversizedConstant | None:
    place, value = constant.place, constant.value
    at = constant.start, constant.end
    if isinstance(value, float):
        is_lost = place.type == SINGLE and _LARGEST_SINGLE <= abs(value) < math.inf
        if not is_lost:
            return None
        return OversizedConstant(constant.text, SINGLE, _SINGLE_BITS, _infinite(value), *at)
    if value is None or place.is_offset:
        return None
    reader, bits = place.type, place.bits
    if bits and not _fits(value, bits):
        return OversizedConstant(constant.text, reader, bits, _wrapped(value, bits), *at)
    is_read_as_negative = place.is_signed and value >> (bits - 1) == 1 and heeds_sign(use.shape)
    if is_read_as_negative and constant.text.isdecimal():
        return OversizedConstant(constant.text, reader, bits, value - (1 << bits), *at)
    reader, bits = use.shape.name, _bits_read(use, constant)
    if bits and not _fits(value, bits):
        return OversizedConstant(constant.text, reader, bits, value % (1 << bits), *at)
    return None


def _infinite(value: float) -> float:
    return math.copysign(math.inf, value)


def _bits_read(use: ConstantUse, constant: Constant) -> int:
    """Returns the number of bits that the instruction reads; 0 if it reads all of the type."""
    name = use.shape.name, constant.place.name
    return selector_bits(use.shape) if name == ("prmt", "c") else _BITS_READ.get(name, 0)


def _fits(value: int, bits: int) -> bool:
    low, high = fitting(bits, is_negative=value < 0)
    return low <= abs(value) <= high


def _wrapped(value: int, bits: int) -> int:
    """Returns the value of the low bits of a constant, negative if the constant is."""
    low = value % (1 << bits)
    return low - (1 << bits) if value < 0 and low >> (bits - 1) else low


@rule(
    "oversized-constant",
    on=OversizedConstant,
    severity=Severity.WARNING,
    find=find,
    given=may_have_oversized_constants,
)
def oversized_constant(mismatch: OversizedConstant, _: RuleContext) -> Finding:
    """Reports a constant that has more bits than the instruction uses.

    ## Why is this bad?
    ptxas drops the upper bits without a message, so the instruction uses another number. Some
    instructions read only the low bits of an operand: 16 bits of a `prmt` selector, 24 bits of a
    `mul24` factor, and 5 bits of a `shfl` lane number. A decimal number above the maximum of a
    signed type becomes negative, which changes the result of comparisons, divisions and `mul.wide`.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, 5000000000;
        st.global.u32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [result];
        mov.u64 %rd2, 5000000000;
        st.global.u64 [%rd1], %rd2;
        ret;
    }
    ```
    """
    text, bits, used = mismatch.text, mismatch.bits, mismatch.used
    if isinstance(used, float):
        return Finding(f"`{text}` is too large for `{mismatch.reader}`: it becomes infinity")
    shown = f"`{used:#x}`" if text.lower().startswith("0x") and used > 0 else f"{used:,}"
    related: tuple[Related, ...] = ()
    if mismatch.moved is not None:
        related = (Related(*mismatch.moved, "the register gets the constant here"),)
    if mismatch.reader.startswith("."):
        return Finding(f"`{text}` does not fit in `{mismatch.reader}`: {shown} is used instead")
    return Finding(
        f"`{text}` is too large: `{mismatch.reader}` uses only the low {bits} bits, which are "
        f"{shown}",
        related=related,
    )
