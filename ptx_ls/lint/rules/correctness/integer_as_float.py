"""The rule integer-as-float.

Source: PTX ISA, "Type Conversion": only `cvt` converts numbers; other instructions use the bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.formats.conflicts import format_conflicts
from ptx_ls.flow.formats.format_trace import FormatKind
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.lint.candidates.computation import has_format_conflicts
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class IntegerAsFloat(NamedTuple):
    """An integer whose bits are read as a float. `made`: an instruction that writes it."""

    register: str
    start: FunctionPosition
    end: FunctionPosition
    format: str
    is_constant: bool
    made: FunctionSpan


def find(seen: CheckInput) -> Iterator[IntegerAsFloat]:
    """Yields the integers that instructions for floats read."""
    never_returning = seen.module.never_returning
    for found in format_conflicts(seen.function, never_returning):
        if found.wanted and found.made.kind is not FormatKind.FLOAT:
            flow = function_flow(seen.function, never_returning)
            (start, end), access = name_span(flow, found.use)
            made = flow.statement(found.definition)
            is_constant = found.made.kind is FormatKind.CONSTANT
            yield IntegerAsFloat(
                access.name, start, end, found.wanted, is_constant, (made.start, made.end)
            )


@rule(
    "integer-as-float",
    on=IntegerAsFloat,
    severity=Severity.WARNING,
    find=find,
    given=has_format_conflicts,
)
def integer_as_float(mismatch: IntegerAsFloat, _: RuleContext) -> Finding:
    """Reports an integer whose bits are used as a floating-point number.

    ## Why is this bad?
    An untyped register, such as a `.b32` register, may hold an integer or a float, and `mov.b32`
    copies bits between registers without a conversion. Read as a float, the bits of a small integer
    are a number very close to zero, so the result is wrong. ptxas does not report this.

    Only values that are certainly integers are reported: special registers, counters, results of a
    conversion to an integer, small constants, and values computed from these. Bits that shifts and
    masks assemble, as in fast exponential functions, are not reported.

    ## Example
    ```ptx
    .visible .entry ramp(.param .u64 out)
    {
        .reg .b32 %r<2>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        mul.f32 %f1, %r1, 0f3F000000;
        mul.wide.u32 %rd2, %r1, 4;
        add.u64 %rd2, %rd1, %rd2;
        st.global.f32 [%rd2], %f1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry ramp(.param .u64 out)
    {
        .reg .b32 %r<2>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [out];
        mov.u32 %r1, %tid.x;
        cvt.rn.f32.u32 %f1, %r1;
        mul.f32 %f1, %f1, 0f3F000000;
        mul.wide.u32 %rd2, %r1, 4;
        add.u64 %rd2, %rd1, %rd2;
        st.global.f32 [%rd2], %f1;
        ret;
    }
    ```
    """
    name, wanted = mismatch.register, mismatch.format
    what = "an integer constant" if mismatch.is_constant else "an integer"
    return Finding(
        f"`{name}` contains {what}, but its bits are used as `{wanted}`; a `cvt` is missing",
        related=(Related(*mismatch.made, "the integer is written here"),),
    )
