"""The rule duplicate-destination.

Source: PTX ISA, "Vectors as Operands", and the sections on instructions with several results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
from ptx_ls.lint.candidates.computation import has_repeats
from ptx_ls.lint.rule import CheckInput, Finding, Related, RuleContext, rule
from ptx_ls.semantics.instructions.checks.repeated_operands import repeats_in
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted

if TYPE_CHECKING:
    from collections.abc import Iterator


class DuplicateDestination(NamedTuple):
    """A register that an instruction writes twice; `before`: the first place."""

    register: str
    opcode: str
    before: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[DuplicateDestination]:
    """Yields the registers that instructions of a function write twice."""
    for each in repeats_in(seen.function):
        if each.is_result:
            places = each.first.start, each.first.end, each.second.start, each.second.end
            first, end, start, stop = [shifted(place, each.found.start) for place in places]
            name = each.second.full
            yield DuplicateDestination(name, each.shape.opcode, (first, end), start, stop)


@rule(
    "duplicate-destination",
    on=DuplicateDestination,
    severity=Severity.WARNING,
    find=find,
    given=has_repeats,
)
def duplicate_destination(mismatch: DuplicateDestination, _: RuleContext) -> Finding:
    """Reports a register that one instruction writes twice.

    ## Why is this bad?
    The register can hold only one of the two results, and the manual does not say which. ptxas does
    not report this. In many instructions, `_` as the destination discards a result.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 values, .param .b64 result)
    {
        .reg .f32 %f<4>;
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [values];
        ld.param.b64 %rd2, [result];
        ld.global.v2.f32 {%f1, %f1}, [%rd1];
        st.global.f32 [%rd2], %f1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 values, .param .b64 result)
    {
        .reg .f32 %f<4>;
        .reg .b64 %rd<3>;
        ld.param.b64 %rd1, [values];
        ld.param.b64 %rd2, [result];
        ld.global.v2.f32 {%f1, %f2}, [%rd1];
        add.f32 %f3, %f1, %f2;
        st.global.f32 [%rd2], %f3;
        ret;
    }
    ```
    """
    return Finding(
        f"`{mismatch.opcode}` writes `{mismatch.register}` twice, so only one result remains",
        related=(Related(*mismatch.before, f"`{mismatch.register}` is also written here"),),
    )
