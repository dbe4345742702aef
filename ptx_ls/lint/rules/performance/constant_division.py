"""The rule constant-division.

Source: the machine code of ptxas 13.5, which divides by a constant as by any other number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.constant_divisors import Division, sequence, single_instruction
from ptx_ls.lint.performance.instructions import (
    instructions_of,
    last_modifier,
    opcode_span,
)
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Repair, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.decoding import immediate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.performance.instructions import FoundInstruction
    from ptx_ls.lint.rule import SpanEdit

_OPCODES: Final = ("div", "rem")
_TYPES: Final = frozenset({".u16", ".s16", ".u32", ".s32", ".u64", ".s64"})
_N_OPERANDS: Final = 3
_TEMPORARIES: Final = ("%quotient", "%term")


class ConstantDivision(NamedTuple):
    """A division by a constant.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        opcode: the opcode.
        division: the numbers.
        lines: instructions that compute the same.
        edits: the edits that write these in place of the division.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    division: Division
    lines: tuple[str, ...]
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[ConstantDivision]:
    """Yields the divisions by constants in a function."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if last_modifier(each) in _TYPES}
    if not shapes:
        return
    computation = Computation(seen)
    for instruction in instructions_of(seen.text, shapes):
        if len(instruction.operands) != _N_OPERANDS:
            continue
        divisor = _divisor(instruction, computation)
        if divisor:
            found = _found(instruction, divisor, computation)
            if found is not None:
                yield found


def _divisor(instruction: FoundInstruction, computation: Computation) -> int | None:
    """Returns the divisor, if it is a constant."""
    written = immediate(instruction.operands[2])
    if written is not None:
        return written
    value = computation.values.operand(instruction.found, 2)
    return value.signed_constant if instruction.type[1] == "s" else value.constant


def _found(
    instruction: FoundInstruction, divisor: int, computation: Computation
) -> ConstantDivision | None:
    found, type_ = instruction.found, instruction.type
    result, dividend, _ = (each.text for each in instruction.operands)
    is_remainder = instruction.shape.name == "rem"
    division = Division(type_, divisor, is_remainder, result, dividend, _TEMPORARIES)
    if not division.is_representable:
        return None
    is_negative_possible = (
        division.is_signed
        and division.shift is not None
        and computation.values.operand(found, 1).signed_low < 0
    )
    single = single_instruction(division, is_negative_possible=is_negative_possible)
    lines = [single] if single is not None else sequence(division)
    registers = "" if single is not None else f".reg .b{division.width} {', '.join(_TEMPORARIES)}"
    edits = replacement(found, lines, registers=registers)
    opcode = instruction.shape.opcode
    return ConstantDivision(*opcode_span(found), opcode, division, tuple(lines), edits)


@rule(
    "constant-division",
    on=ConstantDivision,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def constant_division(mismatch: ConstantDivision, _: RuleContext) -> Finding:
    """Reports an integer division or remainder by a constant.

    ## Why is this bad?
    ptxas does not know the divisor when it selects instructions. For 32 bits, it computes a
    reciprocal and corrects the result, which takes about 20 instructions. For 64 bits, it calls a
    function of about 60 instructions. A shift or a multiplication computes the same result.

    The severity is hint if the replacement takes more than one instruction.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry row(.param .u64 result, .param .u32 element)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [result];
        ld.param.u32 %r1, [element];
        cvta.to.global.u64 %rd2, %rd1;
        div.u32 %r2, %r1, 32;
        st.global.u32 [%rd2], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry row(.param .u64 result, .param .u32 element)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [result];
        ld.param.u32 %r1, [element];
        cvta.to.global.u64 %rd2, %rd1;
        shr.u32 %r2, %r1, 5;
        st.global.u32 [%rd2], %r2;
        ret;
    }
    ```
    """
    division, lines = mismatch.division, mismatch.lines
    whole = f"ptxas compiles `{mismatch.opcode}` by {division.divisor:,} to a full division"
    if len(lines) == 1:
        repair = Repair(f"Replace with `{lines[0]}`", mismatch.edits, Applicability.CERTAIN)
        message = f"{whole}, but `{lines[0]}` gives the same result faster"
    else:
        is_shift, n_more = division.shift is not None, len(lines) - 1
        kind = "shifts" if is_shift else "a multiplication"
        repair = Repair(f"Replace with {kind}", mismatch.edits, Applicability.GUESS)
        how = f"{len(lines)} instructions with shifts"
        if not is_shift:
            how = f"a multiplication by a constant and {counted(n_more, 'more instruction')}"
        message = f"{whole}, but {how} give the same result faster"
    severity = None if len(lines) == 1 else Severity.HINT
    return Finding(message, severity=severity, repairs=(repair,) if mismatch.edits else ())
