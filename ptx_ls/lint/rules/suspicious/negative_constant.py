"""The rule negative-constant.

Source: PTX ISA, "Integer Constants": a negative constant of an unsigned type is a large number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.computation import has_unusual_constants
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import SMALL, heeds_sign
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse

_WIDE: Final = ".wide"
_ADDEND: Final = "c"
_UNSIGNED: Final = ".u"


class NegativeConstant(NamedTuple):
    """A negative constant of an unsigned type. `value`: the number that it is."""

    text: str
    type: str
    value: int
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[NegativeConstant]:
    """Yields the constants of a function that an instruction takes for large numbers."""
    for use in unusual_constants(seen.function):
        if heeds_sign(use.shape):
            for constant in use.constants:
                value = constant.whole
                if value is not None and _is_misread(use, constant, value):
                    place = constant.place
                    read = value % (1 << place.bits)
                    at = constant.start, constant.end
                    yield NegativeConstant(constant.text, place.type, read, *at)


def _is_misread(use: ConstantUse, constant: Constant, value: int) -> bool:
    """Whether a constant is a small negative number, and its sign matters."""
    place = constant.place
    _, modifiers = isa.split_modifiers(use.shape.opcode)
    if not place.type.startswith(_UNSIGNED) or place.name == _ADDEND:
        return False
    highest = -1 if _WIDE in modifiers else -2  # -1 is the largest unsigned number
    return -SMALL <= value <= highest


@rule(
    "negative-constant",
    on=NegativeConstant,
    severity=Severity.WARNING,
    find=find,
    given=has_unusual_constants,
    in_compiler_output=None,
)
def negative_constant(mismatch: NegativeConstant, _: RuleContext) -> Finding:
    """Reports a negative constant of an unsigned type, where the sign matters.

    ## Why is this bad?
    The instruction reads the constant as a large number: -4 is 4,294,967,292 as `.u32`. The sign
    does not change sums and products of the same width, but changes comparisons, divisions, minima
    and the results of `mul.wide`. Constants in compiler output are not reported, because compilers
    write large numbers as negative constants.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 index)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [index];
        mul.wide.u32 %rd2, %r1, -4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 index)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [index];
        mul.wide.s32 %rd2, %r1, -4;
        add.s64 %rd3, %rd1, %rd2;
        st.global.b32 [%rd3], %r1;
        ret;
    }
    ```
    """
    return Finding(
        f"`{mismatch.text}` is negative, but `{mismatch.type}` is unsigned: the value becomes "
        f"{mismatch.value}"
    )
