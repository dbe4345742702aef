"""The rule subnormal-handling.

Source: the machine code of ptxas 13.5. The hardware flushes subnormal numbers to 0 in these
functions, so without `.ftz`, their operands or results are scaled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.instructions import instructions_of, opcode_span
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.syntax.record import Shape

_OPCODES: Final = ("ex2", "lg2", "rcp", "rsqrt", "sqrt", "div")
_COST: Final = {"ex2": 3, "lg2": 3, "rcp": 7, "rsqrt": 3, "sqrt": 3, "div": 3}
"""The number of instructions that handle subnormal numbers."""
_APPROXIMATE: Final = ".approx"
_FLUSHES: Final = ".ftz"
_SINGLE: Final = ".f32"


class SubnormalHandling(NamedTuple):
    """An approximation that handles subnormal numbers.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        opcode: the opcode.
        flushing: the opcode of another instruction of the function that flushes them; or "".
        edits: the edits that insert `.ftz`.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    flushing: str
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[SubnormalHandling]:
    """Yields the approximations of a function without `.ftz`."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _handles_subnormals(each)}
    if not shapes:
        return
    flushing = min((each.opcode for each in seen.text.shapes if _is_flushing(each)), default="")
    for instruction in instructions_of(seen.text, shapes):
        start, end = opcode_span(instruction.found)
        opcode = instruction.shape.opcode
        edit = SpanEdit(start, end, opcode.replace(_APPROXIMATE, _APPROXIMATE + _FLUSHES))
        yield SubnormalHandling(start, end, opcode, flushing, (edit,))


def _handles_subnormals(shape: Shape) -> bool:
    modifiers = modifiers_of(shape.opcode)
    return _APPROXIMATE in modifiers and modifiers[-1] == _SINGLE and _FLUSHES not in modifiers


def _is_flushing(shape: Shape) -> bool:
    return _FLUSHES in modifiers_of(shape.opcode)


@rule(
    "subnormal-handling",
    on=SubnormalHandling,
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def subnormal_handling(mismatch: SubnormalHandling, _: RuleContext) -> Finding:
    """Reports an `.approx` function without `.ftz`.

    ## Why is this bad?
    The hardware computes approximations for normal numbers only. Without `.ftz`, ptxas adds
    instructions that scale small operands: three for `ex2`, `lg2`, `sqrt`, `rsqrt` and `div`, seven
    for `rcp`. These instructions are useless if values below 2^-126 do not matter, or if another
    instruction with `.ftz` in the same function flushes such values anyway. The severity is
    information in the second case, and hint otherwise.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry softmax(.param .u64 values, .param .f32 largest)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        ld.param.f32 %f1, [largest];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f2, [%rd2];
        sub.ftz.f32 %f3, %f2, %f1;
        ex2.approx.f32 %f4, %f3;
        st.global.f32 [%rd2], %f4;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry softmax(.param .u64 values, .param .f32 largest)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        ld.param.f32 %f1, [largest];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f2, [%rd2];
        sub.ftz.f32 %f3, %f2, %f1;
        ex2.approx.ftz.f32 %f4, %f3;
        st.global.f32 [%rd2], %f4;
        ret;
    }
    ```
    """
    opcode, flushing = mismatch.opcode, mismatch.flushing
    cost = _COST[opcode.partition(".")[0]]
    message = f"`{opcode}` compiles to {cost} more instructions than with `.ftz`"
    repairs = (Repair("Insert `.ftz`", mismatch.edits),)
    if not flushing:
        return Finding(f"{message}, to handle subnormal numbers", repairs=repairs)
    message = f"{message}, but this function already flushes subnormal numbers in `{flushing}`"
    return Finding(message, severity=Severity.INFORMATION, repairs=repairs)
