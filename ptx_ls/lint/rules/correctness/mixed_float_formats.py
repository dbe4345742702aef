"""The rule mixed-float-formats.

Source: PTX ISA, "Type Conversion" and "Alternate Floating-Point Data Formats".
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


class MixedFloatFormats(NamedTuple):
    """A float of one format that is read as another. `span`: an instruction that writes it."""

    register: str
    start: FunctionPosition
    end: FunctionPosition
    made: str
    wanted: str
    span: FunctionSpan


def find(seen: CheckInput) -> Iterator[MixedFloatFormats]:
    """Yields the floats that are read in a format that they do not have."""
    never_returning = seen.module.never_returning
    for found in format_conflicts(seen.function, never_returning):
        if found.wanted and found.made.kind is FormatKind.FLOAT:
            flow = function_flow(seen.function, never_returning)
            (start, end), access = name_span(flow, found.use)
            made = flow.statement(found.definition)
            span = made.start, made.end
            yield MixedFloatFormats(access.name, start, end, found.made.format, found.wanted, span)


@rule(
    "mixed-float-formats",
    on=MixedFloatFormats,
    severity=Severity.WARNING,
    find=find,
    given=has_format_conflicts,
)
def mixed_float_formats(mismatch: MixedFloatFormats, _: RuleContext) -> Finding:
    """Reports a floating-point number that is read in a format other than its own.

    ## Why is this bad?
    An untyped register may hold one `.f32`, two `.f16` or two `.bf16` values, and no instruction
    checks the format. The same bits are different numbers in different formats, so the result is
    wrong. ptxas does not report this.

    ## Example
    ```ptx
    .visible .entry widen(.param .u64 values)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [values];
        ld.global.b32 %r1, [%rd1];
        mul.rn.f16x2 %r2, %r1, %r1;
        add.f32 %r3, %r2, 0f3F800000;
        st.global.b32 [%rd1], %r3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry widen(.param .u64 values)
    {
        .reg .b16 %h<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<2>;
        ld.param.u64 %rd1, [values];
        ld.global.b32 %r1, [%rd1];
        mul.rn.f16x2 %r2, %r1, %r1;
        mov.b32 {%h1, %h2}, %r2;
        add.rn.f16 %h1, %h1, %h2;
        cvt.f32.f16 %r3, %h1;
        add.f32 %r3, %r3, 0f3F800000;
        st.global.b32 [%rd1], %r3;
        ret;
    }
    ```
    """
    made, wanted, name = mismatch.made, mismatch.wanted, mismatch.register
    return Finding(
        f"`{name}` holds a value of type `{made}`, but is used as `{wanted}` without a conversion",
        related=(Related(*mismatch.span, f"the `{made}` value is written here"),),
    )
