"""The rule negative-constant.

Source: PTX ISA, "Integer Constants": a negative constant of an unsigned type is a large number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.sources import record_of
from ptx_ls.flow.statement_uses import uses_in
from ptx_ls.lint.candidates.computation import has_unusual_constants
from ptx_ls.lint.rule import CheckInput, Finding, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import SMALL, heeds_sign
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse
    from ptx_ls.syntax.record import Record

_WIDE: Final = ".wide"
_ADDEND: Final = "c"
_UNSIGNED: Final = ".u"
_COMPARISONS: Final = ("setp", "set")
_SUMS: Final = ("add", "sub")


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
                is_misread = value is not None and _is_misread(use, constant, value)
                if value is not None and is_misread and not _is_of_range(seen, use):
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
    return -SMALL < value <= highest  # -4096 and less is a mask, or the end of a range


def _is_of_range(seen: CheckInput, use: ConstantUse) -> bool:
    """Whether a comparison tests for a range: `x - 91 < -26` is false from 65 to 90.

    Such a test subtracts the start of the range, and the difference may wrap around.
    """
    if use.shape.name not in _COMPARISONS:
        return False
    flow = function_flow(seen.function, seen.module.never_returning)
    return any(
        _moves_by_constant(record_of(flow, write))
        for read in uses_in(flow, use.found, READS).values()
        for write in flow.definitions(read).writes
    )


def _moves_by_constant(record: Record) -> bool:
    """Whether an instruction adds or subtracts a constant."""
    is_sum = isinstance(record, Shape) and record.name in _SUMS
    operands = record.operands if is_sum and isinstance(record, Shape) else ()
    return any(each.form is OperandForm.INTEGER for each in operands)


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
    and the results of `mul.wide`. A comparison of a difference, such as `x - 91`, tests for a range
    and is not reported. Constants in compiler output are not reported, because compilers
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
        f"{mismatch.value:,}"
    )
