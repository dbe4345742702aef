"""The rule repeated-division.

Source: the machine code of ptxas 13.5, which calls a function for each 64-bit division and
remainder, but shares the reciprocal of two of 32 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.decoding import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("div", "rem")
_TYPES: Final = (".u64", ".s64")
_N_OPERANDS: Final = 3
_Operands = tuple[str, str, str]


class RepeatedDivision(NamedTuple):
    """A 64-bit quotient and remainder of the same numbers.

    Attributes:
        start: where the opcode of the second one begins.
        end: where it ends.
        opcode: this opcode.
        type: its type.
        first: the place of the first one.
        edits: the edits that compute the remainder from the quotient.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    type: str
    first: FunctionSpan
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[RepeatedDivision]:
    """Yields the second of two divisions of the same numbers in a block."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if each.opcode.endswith(_TYPES)}
    if {each.name for each in shapes} < set(_OPCODES):
        return
    computation = Computation(seen)
    known: dict[tuple[int, _Operands], DecodedInstruction] = {}
    for instruction in computation.instructions(shapes):
        if len(instruction.operands) != _N_OPERANDS or computation.is_guarded(instruction):
            continue
        operands = instruction.operands[1:]
        if not all(map(plain_name, operands)):
            continue
        first, second = (each.text for each in operands)
        key = instruction.block, (instruction.modifiers[-1], first, second)
        before = known.get(key)
        if before is None or not all(
            computation.is_kept(before, each, instruction) for each in before.operands[1:]
        ):
            known[key] = instruction
        elif before.name != instruction.name:
            yield _found(computation, before, instruction)


def _found(
    computation: Computation, before: DecodedInstruction, instruction: DecodedInstruction
) -> RepeatedDivision:
    quotient, (result, dividend, divisor) = before.operands[0], instruction.operands
    type_ = instruction.modifiers[-1]
    edits: tuple[SpanEdit, ...] = ()
    if instruction.name == "rem" and computation.has_result(before, instruction):
        lines = [
            f"mul.lo{type_} %product, {quotient.text}, {divisor.text}",
            f"sub{type_} {result.text}, {dividend.text}, %product",
        ]
        edits = replacement(instruction.found, lines, registers=".reg .b64 %product")
    span, first = opcode_span(instruction.found), opcode_span(before.found)
    return RepeatedDivision(*span, f"{instruction.name}{type_}", type_, first, edits)


@rule(
    "repeated-division",
    on=RepeatedDivision,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("rem"),
    in_compiler_output=None,
)
def repeated_division(mismatch: RepeatedDivision, _: RuleContext) -> Finding:
    """Reports a 64-bit quotient and remainder of the same numbers.

    ## Why is this bad?
    ptxas generates a call of a function of about 60 instructions for the quotient, and another call
    for the remainder. Instead, subtract the product of quotient and divisor from the dividend to
    get the remainder.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry split(.param .u64 result, .param .u64 number, .param .u64 size)
    {
        .reg .b64 %rd<7>;
        ld.param.u64 %rd1, [result];
        ld.param.u64 %rd2, [number];
        ld.param.u64 %rd3, [size];
        cvta.to.global.u64 %rd4, %rd1;
        div.u64 %rd5, %rd2, %rd3;
        rem.u64 %rd6, %rd2, %rd3;
        st.global.v2.u64 [%rd4], {%rd5, %rd6};
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry split(.param .u64 result, .param .u64 number, .param .u64 size)
    {
        .reg .b64 %rd<7>;
        ld.param.u64 %rd1, [result];
        ld.param.u64 %rd2, [number];
        ld.param.u64 %rd3, [size];
        cvta.to.global.u64 %rd4, %rd1;
        div.u64 %rd5, %rd2, %rd3;
        mul.lo.u64 %rd6, %rd5, %rd3;
        sub.u64 %rd6, %rd2, %rd6;
        st.global.v2.u64 [%rd4], {%rd5, %rd6};
        ret;
    }
    ```
    """
    type_ = mismatch.type
    message = (
        f"`{mismatch.opcode}` repeats an earlier division: `mul.lo{type_}` and `sub{type_}` "
        "compute the remainder from the quotient without a second division"
    )
    related = (Related(*mismatch.first, "the earlier division is here"),)
    repairs = (
        (Repair("Compute the remainder from the quotient", mismatch.edits),)
        if mismatch.edits
        else ()
    )
    return Finding(message, repairs=repairs, related=related)
