"""The rule constant-result.

Source: PTX ISA, "Integer Arithmetic Instructions" and "Logic and Shift Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.computation import has_unusual_operands
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.semantics.constants.usual import LAST_TABLE
from ptx_ls.semantics.instructions.checks.repeated_operands import repeats_in
from ptx_ls.semantics.symbols.inline_assembly import InlineAssembly
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse

_PRODUCTS: Final = ("mul", "mul24", "and")
_SUMS: Final = ("mad", "mad24")
_FOLDED: Final = _PRODUCTS + _SUMS
"""Opcodes that compilers leave with a factor of 0 if they do not optimise, as in templates."""
_DEBUG: Final = "debug"
_BOUNDS: Final = ("min", "max")
_OPERANDS: Final = ("a", "b")
_TABLED: Final = "lop3"
_TABLES: Final = {0: "always 0", LAST_TABLE: "always -1"}
"""The result with a table that ignores the operands."""
_SAME: Final = {"div": "always 1", "rem": "always 0"}
"""The result of an instruction with the same register twice."""
_CHOICE: Final = "selp"


class ConstantResult(NamedTuple):
    """An instruction that computes nothing: its result is a constant or one of its operands."""

    opcode: str
    result: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ConstantResult]:
    """Yields the instructions of a function that compute nothing because of one constant."""
    if seen.is_generated and _DEBUG in seen.module.context.target:
        return  # such as the remainder by an argument of a template that is 1
    for use in unusual_constants(seen.function):
        if any(each.form is OperandForm.IDENTIFIER for each in use.operands[1:]):
            for constant in use.constants:
                result = _result(use, constant)
                is_left = seen.is_generated and constant.whole == 0 and use.shape.name in _FOLDED
                if result and not is_left:
                    yield ConstantResult(use.shape.name, result, constant.start, constant.end)
    assembly = InlineAssembly(seen.text)
    for each in repeats_in(seen.function):
        name = each.shape.name
        result = "" if each.is_result else _SAME.get(name, "")
        if name == _CHOICE and seen.is_generated and not assembly.contains(each.found.start[0]):
            result = f"`{each.first.full}`"  # elsewhere, another rule reports it
        if result:
            start = shifted(each.first.start, each.found.start)
            end = shifted(each.second.end, each.found.start)
            yield ConstantResult(name, result, start, end)


def _result(use: ConstantUse, constant: Constant) -> str:
    """Returns the result of an instruction with a constant, whatever the others are; or ""."""
    place, value, opcode = constant.place, constant.whole, use.shape.name
    if opcode == _TABLED and place.name == "immLut" and value in _TABLES:
        return _TABLES[value]
    if value is None or not place.bits or place.name not in _OPERANDS:
        return ""
    if opcode in _FOLDED and value == 0:
        return "always 0" if opcode in _PRODUCTS else f"`{use.operands[3].text}`"
    if opcode == "rem" and place.name == "b" and value in (1, -1):
        return "always 0" if value == 1 or place.is_signed else ""
    if opcode in _BOUNDS:
        return _bounded(use, constant)
    return ""


def _bounded(use: ConstantUse, constant: Constant) -> str:
    """Returns the result of `min` or `max` with the lowest or the highest value of a type."""
    place, value = constant.place, constant.whole
    if value is None:
        return ""
    lowest = -(1 << (place.bits - 1)) if place.is_signed else 0
    highest = lowest + (1 << place.bits) - 1
    read = (value - lowest) % (1 << place.bits) + lowest
    if read not in (lowest, highest):
        return ""
    if (use.shape.name == "min") == (read == lowest):
        return f"always {read}"
    return f"`{use.operands[2 if place.name == _OPERANDS[0] else 1].text}`"


@rule(
    "constant-result",
    on=ConstantResult,
    severity=Severity.WARNING,
    in_compiler_output=Severity.INFORMATION,
    find=find,
    given=has_unusual_operands,
    looks_at=Instructions(*_PRODUCTS, *_SUMS, *_BOUNDS, *_SAME, _CHOICE, _TABLED),
)
def constant_result(mismatch: ConstantResult, _: RuleContext) -> Finding:
    """Reports an instruction whose result is always a constant, or always one of its operands.

    ## Why is this bad?
    For example, a product with 0 is 0, and the maximum of an unsigned number and 0 is that number.
    Another constant or type was probably meant. A product with 0 is not reported in compiler
    output, because compilers write it if they do not optimise. A `selp` with two equal choices is
    reported only in compiler output; elsewhere, [redundant-instruction](redundant-instruction.md)
    reports it. In debug builds of compilers, nothing is reported.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        max.u32 %r2, %r1, 0;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result, .param .b32 count)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.param.b32 %r1, [count];
        max.s32 %r2, %r1, 0;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    return Finding(f"this `{mismatch.opcode}` is not needed: its result is {mismatch.result}")
