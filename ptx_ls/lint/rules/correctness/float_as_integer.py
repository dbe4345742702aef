"""The rule float-as-integer.

Source: PTX ISA, "Type Conversion": only `cvt` converts numbers; other instructions use the bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.formats.conflicts import format_conflicts
from ptx_ls.flow.formats.opcode_formats import IntegerReading
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.isa.articles import with_indefinite
from ptx_ls.lint.candidates.computation import has_format_conflicts
from ptx_ls.lint.messages import quoted
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan

_USES: Final = {
    IntegerReading.AMOUNT: "as a shift amount or a field size",
    IntegerReading.SCALED: "as an index",
    IntegerReading.DIVISOR: "as an integer divisor",
    IntegerReading.COMPARED: "in an integer comparison",
    IntegerReading.MULTIPLIED: "in an integer multiplication",
    IntegerReading.LIMITED: "in an integer minimum or maximum",
    IntegerReading.ADDED: "in an integer addition",
    IntegerReading.ADDRESS: "in an address",
}


class FloatAsInteger(NamedTuple):
    """A float whose bits are read as an integer. `made`: an instruction that writes it."""

    register: str
    start: FunctionPosition
    end: FunctionPosition
    format: str
    reading: IntegerReading
    made: FunctionSpan


def find(seen: CheckInput) -> Iterator[FloatAsInteger]:
    """Yields the floats that instructions for integers read."""
    never_returning = seen.module.never_returning
    for found in format_conflicts(seen.function, never_returning):
        if found.reading is not None:
            flow = function_flow(seen.function, never_returning)
            (start, end), access = name_span(flow, found.use)
            made = flow.statement(found.definition)
            span = made.start, made.end
            yield FloatAsInteger(access.name, start, end, found.made.format, found.reading, span)


@rule(
    "float-as-integer",
    on=FloatAsInteger,
    severity=Severity.WARNING,
    find=find,
    given=has_format_conflicts,
)
def float_as_integer(mismatch: FloatAsInteger, _: RuleContext) -> Finding:
    """Reports a floating-point number whose bits are used as an integer.

    ## Why is this bad?
    An untyped register, such as a `.b32` register, may hold an integer or a float, and `mov.b32`
    copies bits between registers without a conversion. The bits of 1.0 are the integer
    1,065,353,216, so an index, a shift or a loop that uses them is wrong. ptxas does not report
    this.

    Only uses that never make sense are reported: the bits in an address, as an index, a shift
    amount or a divisor, in a sum, product or comparison with a counter, or in a minimum or maximum
    with a small integer.
    Other uses are legitimate: programs extract fields of floats, compare their bits, and change
    their exponents with integer instructions.

    ## Example
    ```ptx
    .visible .entry look_up(.param .u64 table, .param .f32 place)
    {
        .reg .b32 %r<3>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [table];
        ld.param.f32 %f1, [place];
        mov.b32 %r1, %f1;
        mul.wide.s32 %rd2, %r1, 4;
        add.s64 %rd2, %rd1, %rd2;
        ld.global.u32 %r2, [%rd2];
        st.global.u32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry look_up(.param .u64 table, .param .f32 place)
    {
        .reg .b32 %r<3>;
        .reg .f32 %f<2>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [table];
        ld.param.f32 %f1, [place];
        cvt.rzi.s32.f32 %r1, %f1;
        mul.wide.s32 %rd2, %r1, 4;
        add.s64 %rd2, %rd1, %rd2;
        ld.global.u32 %r2, [%rd2];
        st.global.u32 [%rd1], %r2;
        ret;
    }
    ```
    """
    name, use = mismatch.register, _USES[mismatch.reading]
    value = f"{with_indefinite(quoted(mismatch.format))} value"
    return Finding(
        f"`{name}` contains {value}, but its bits are used {use}; a `cvt` is missing",
        related=(Related(*mismatch.made, f"the `{mismatch.format}` value is written here"),),
    )
