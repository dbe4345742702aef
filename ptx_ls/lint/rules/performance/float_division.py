"""The rule float-division.

Source: the machine code of ptxas 13.5. A division by a power of two is exact unless the result is
subnormal, and then it is rounded in the same way as the product with the reciprocal.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Repair, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("div", "rcp", "sqrt")
_SINGLE: Final = ".f32"
_TYPES: Final = (_SINGLE, ".f64")
_ROUNDED: Final = ".rn"
_LAYOUTS: Final = {".f32": (">f", "0f"), ".f64": (">d", "0d")}
_SMALLEST: Final = {".f32": 2.0**-126, ".f64": 2.0**-1022}
"""The smallest normal number of each type."""


class FloatDivision(NamedTuple):
    """A correctly rounded division, reciprocal or square root.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        opcode: the opcode.
        line: the instruction that computes the same; "" if only an approximation is faster.
        edits: the edits that write it.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    line: str
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[FloatDivision]:
    """Yields the divisions of a function that may be replaced, and those in loops."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _is_rounded(each)}
    if not shapes:
        return
    computation = Computation(seen)
    for shape, instruction in computation.by_shape(shapes):
        found, opcode = instruction.found, shape.opcode
        line = _same(computation, instruction) if shape.name == "div" else ""
        if line:
            yield FloatDivision(*opcode_span(found), opcode, line, replacement(found, [line]))
        elif opcode.endswith(_SINGLE) and computation.is_in_loop(instruction):
            yield FloatDivision(*opcode_span(found), opcode, "", ())


def _is_rounded(shape: Shape) -> bool:
    return f"{_ROUNDED}." in shape.opcode and shape.opcode.endswith(_TYPES)


def _same(computation: Computation, instruction: DecodedInstruction) -> str:
    """Returns the instruction that has the same result as a division; "" if there is none."""
    if len(instruction.operands) != 3:  # noqa: PLR2004  the result, the dividend and the divisor
        return ""
    result, dividend, divisor = instruction.operands
    rest = "".join(instruction.modifiers)
    value = computation.number(instruction, divisor)
    if value is None and computation.number(instruction, dividend) == 1.0:
        return f"rcp{rest} {result.text}, {divisor.text}"
    factor = _reciprocal(value, instruction.modifiers[-1])
    return f"mul{rest} {result.text}, {dividend.text}, {factor}" if factor else ""


def _reciprocal(value: float | None, type_: str) -> str:
    """Returns the reciprocal of a number as a literal; "" if it is not a normal number, too."""
    if not value or not math.isfinite(value) or abs(math.frexp(value)[0]) != 0.5:  # noqa: PLR2004
        return ""
    if abs(value) < _SMALLEST[type_] or abs(1 / value) < _SMALLEST[type_]:
        return ""
    layout, prefix = _LAYOUTS[type_]
    return prefix + struct.pack(layout, 1 / value).hex().upper()


@rule(
    "float-division",
    on=FloatDivision,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def float_division(mismatch: FloatDivision, _: RuleContext) -> Finding:
    """Reports a correctly rounded division that is slower than necessary.

    ## Why is this bad?
    `div.rn.f32` takes about ten instructions, and calls a function of 100 instructions if the
    operands are very large or small. A multiplication can replace a division by a power of two, and
    a reciprocal can replace a division of 1; the results are the same.

    A division, reciprocal or square root in a loop is reported as a hint, because `.approx` is
    several times as fast, but less accurate. If all divisions in a loop have the same divisor, a
    reciprocal before the loop and multiplications in the loop are also faster and less accurate.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry mean(.param .u64 values)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.v2.f32 {%f1, %f2}, [%rd2];
        add.f32 %f3, %f1, %f2;
        div.rn.f32 %f4, %f3, 0f40000000;
        st.global.f32 [%rd2], %f4;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry mean(.param .u64 values)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.v2.f32 {%f1, %f2}, [%rd2];
        add.f32 %f3, %f1, %f2;
        mul.rn.f32 %f4, %f3, 0f3F000000;
        st.global.f32 [%rd2], %f4;
        ret;
    }
    ```
    """
    opcode, line = mismatch.opcode, mismatch.line
    if not line:
        message = (
            f"`{opcode}` in a loop is slow: `.approx` is several times faster, but less accurate"
        )
        return Finding(message, severity=Severity.HINT)
    message = f"`{opcode}` with this constant is slow: `{line}` computes the same result"
    repairs = (Repair(f"Replace with `{line}`", mismatch.edits, Applicability.CERTAIN),)
    return Finding(message, repairs=repairs if mismatch.edits else ())
