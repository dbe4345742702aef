"""The rule oversized-bit-field.

Source: PTX ISA, "bfe", "bfi", "szext" and "bmsk".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.function_values import function_values
from ptx_ls.values.register_operands import register_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.register_operands import RegisterOperand

_FIELDS: Final = {"bfe": ("b", "c"), "bfi": ("c", "d"), "bmsk": ("a", "b"), "szext": ("", "b")}
"""The operands with the start and the length of the field, by opcode."""
_STARTS: Final = {"bfe": 2, "bfi": 3, "bmsk": 1}
_LENGTHS: Final = {"bfe": 3, "bfi": 4, "bmsk": 2, "szext": 2}
"""The numbers of these operands."""
_INSERTION: Final = "bfi"
_WORD: Final = 32
_MOST: Final = 255
"""The largest start or length that an instruction tells apart."""


class OversizedBitField(NamedTuple):
    """A bit field that is empty, or reaches beyond the value.

    `first` and `length`: those of the field, if known. `width`: that of the value. `bound`: what to
    write before a number that may be larger; "" if none may.
    """

    first: int | None
    length: int | None
    width: int
    start: FunctionPosition
    end: FunctionPosition
    bound: str = ""

    @property
    def is_cut_off(self) -> bool:
        """Whether only a part of the field is in the value."""
        return self.first is not None and self.length is not None


def find(seen: CheckInput) -> Iterator[OversizedBitField]:
    """Yields the bit fields of a function that are not in the value."""
    for use in unusual_constants(seen.function):
        if use.shape.name in _FIELDS:
            found = _outside(use)
            if found is not None and not _is_usual(found, use.shape, seen):
                yield found
    yield from _in_registers(seen)


def _is_usual(found: OversizedBitField, shape: Shape, seen: CheckInput) -> bool:
    return found.is_cut_off and seen.is_generated and shape.name == _INSERTION


def _in_registers(seen: CheckInput) -> Iterator[OversizedBitField]:
    """Yields the bit fields with a start or a length in a register that are not in the value."""
    reported = set[FunctionPosition]()
    for numbers in (_STARTS, _LENGTHS):
        for operand in register_operands(
            seen.function, seen.module, numbers, is_generated=seen.is_generated
        ):
            found = None
            if operand.found.start not in reported and operand.value.high <= _MOST:
                found = _outside_of_value(operand, seen)
            if found is not None and not _is_usual(found, operand.shape, seen):
                reported.add(operand.found.start)
                yield found


def _outside_of_value(operand: RegisterOperand, seen: CheckInput) -> OversizedBitField | None:
    """Returns a bit field that is surely not in the value, by what is known of a register."""
    name, width, place = operand.shape.name, _width(operand.shape), (operand.start, operand.end)
    own = operand.value.low
    bound = "" if operand.value.constant is not None else "at least "
    if operand.number != _LENGTHS[name]:
        if own >= width:
            return OversizedBitField(own, None, width, *place, bound)
    elif own > width or operand.value.constant == 0:
        return OversizedBitField(None, own, width, *place, bound)
    other = _LENGTHS[name] if operand.number != _LENGTHS[name] else _STARTS.get(name)
    if other is None:
        return None
    rest = function_values(seen.function, seen.module).operand(operand.found, other)
    if rest.high > _MOST or own + rest.low <= width or not rest.low:
        return None
    bound = bound or ("" if rest.constant is not None else "at least ")
    first, length = (rest.low, own) if operand.number == _LENGTHS[name] else (own, rest.low)
    return OversizedBitField(first, length, width, *place, bound)


def _width(shape: Shape) -> int:
    """Returns the width of the value with a bit field."""
    _, modifiers = isa.split_modifiers(shape.opcode)
    return isa.database().type_facts[isa.written_type(modifiers)][0]


def _outside(use: ConstantUse) -> OversizedBitField | None:
    width = _width(use.shape)
    first, length = map(use.constant, _FIELDS[use.shape.name])
    n_first, n_length = _number(first), _number(length)
    if first is not None and n_first is not None and n_first >= width:
        return OversizedBitField(n_first, None, width, first.start, first.end)
    if length is None or n_length is None:
        return None
    if n_length == 0 or n_length > width:
        return OversizedBitField(None, n_length, width, length.start, length.end)
    if n_first is not None and n_first + n_length > width:
        return OversizedBitField(n_first, n_length, width, length.start, length.end)
    return None


def _number(constant: Constant | None) -> int | None:
    """Returns the value of a start or length, which is an unsigned number of 32 bits."""
    if constant is None or constant.whole is None:
        return None
    return constant.whole % (1 << _WORD)


@rule(
    "oversized-bit-field",
    on=OversizedBitField,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_FIELDS),
)
def oversized_bit_field(mismatch: OversizedBitField, _: RuleContext) -> Finding:
    """Reports a bit field that is empty, or that extends beyond the value.

    ## Why is this bad?
    The bits beyond the value do not exist: `bfe` reads 0 or copies of the sign bit instead, and
    `bfi` writes only the bits inside the value. The start operand comes before the length operand,
    and both are numbers of bits.

    A `bfi` in compiler output is not reported if a part of the field is inside the value. Compilers
    use such a `bfi` instead of a shift and an `or`; the shift would also drop the upper bits.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 color)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [color];
        bfe.u32 %r2, %r1, 24, 16;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 color)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [color];
        bfe.u32 %r2, %r1, 24, 8;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    first, length, width, bound = mismatch.first, mismatch.length, mismatch.width, mismatch.bound
    more = " or higher" if bound else ""
    if length == 0:
        return Finding("the bit field is empty: its length is 0")
    if length is None:
        return Finding(
            f"the bit field starts at bit {first}{more}, but the value has only {width} bits"
        )
    if first is None:
        return Finding(f"the bit field has {bound}{length} bits, but the value has only {width}")
    if bound:
        return Finding(
            f"the bit field ends at bit {first + length - 1}{more}, but the value has only "
            f"{width} bits"
        )
    return Finding(
        f"the bit field starts at bit {first}, has {length} bits, and ends at bit "
        f"{first + length - 1}, but the value has only {width} bits"
    )
