"""The rule oversized-bit-field.

Source: PTX ISA, "bfe", "bfi", "szext" and "bmsk".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.computation import has_unusual_constants
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse

_FIELDS: Final = {"bfe": ("b", "c"), "bfi": ("c", "d"), "bmsk": ("a", "b"), "szext": ("", "b")}
_INSERTION: Final = "bfi"
"""The operands with the start and the length of the field, by opcode."""
_WORD: Final = 32


class OversizedBitField(NamedTuple):
    """A bit field that is empty, or reaches beyond the value.

    `first` and `length`: those of the field, if known. `width`: that of the value.
    """

    first: int | None
    length: int | None
    width: int
    start: FunctionPosition
    end: FunctionPosition

    @property
    def is_cut_off(self) -> bool:
        """Whether only a part of the field is in the value."""
        return self.first is not None and self.length is not None


def find(seen: CheckInput) -> Iterator[OversizedBitField]:
    """Yields the bit fields of a function that are not in the value."""
    for use in unusual_constants(seen.function):
        if use.shape.name in _FIELDS:
            found = _outside(use)
            is_insertion = seen.is_generated and use.shape.name == _INSERTION
            if found is not None and not (found.is_cut_off and is_insertion):
                yield found


def _outside(use: ConstantUse) -> OversizedBitField | None:
    _, modifiers = isa.split_modifiers(use.shape.opcode)
    width = isa.database().type_facts[isa.written_type(modifiers)][0]
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
    given=has_unusual_constants,
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
    first, length, width = mismatch.first, mismatch.length, mismatch.width
    if length == 0:
        return Finding("the bit field is empty: its length is 0")
    if length is None:
        return Finding(f"the bit field starts at bit {first}, but the value has only {width} bits")
    if first is None:
        return Finding(f"the bit field has {length} bits, but the value has only {width}")
    return Finding(
        f"the bit field starts at bit {first}, has {length} bits, and ends at bit "
        f"{first + length - 1}, but the value has only {width} bits"
    )
