"""The rule wide-arithmetic.

Source: the machine code of ptxas 13.5, which works on both halves of 64-bit operands even if they
were extended from 32 bits just before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.narrow_addresses import is_narrow_address
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Repair, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.values.decoding import immediate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("mul", "mad", "div", "rem", "setp", "shl")
_DIVISIONS: Final = ("div", "rem")
_TYPES: Final = (".u64", ".s64")
_MULTIPLICATIONS: Final = {"mul": "mul.wide", "shl": "mul.wide", "mad": "mad.wide"}
_EXTENDING: Final = ((".u64", ".u32"), (".s64", ".u32"), (".s64", ".s32"), (".u64", ".s32"))
_LIMITS: Final = {"u": (0, (1 << 32) - 1), "s": (-(1 << 31), (1 << 31) - 1)}
_MAX_SHIFT: Final = {"u": 31, "s": 30}
_N_OPERANDS: Final = {"mad": 4}
_USUAL_NUMBER: Final = 3


class WideArithmetic(NamedTuple):
    """A 64-bit operation on values that fit in 32 bits.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        opcode: its opcode.
        narrow: the opcode of the operation on 32 bits.
        lines: the instructions that compute the same; () if they need other registers, too.
        edits: the edits that write these.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    narrow: str
    lines: tuple[str, ...]
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[WideArithmetic]:
    """Yields the 64-bit operations of a function for which 32 bits are enough."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _is_wide(each)}
    if not shapes:
        return
    computation = Computation(seen)
    for instruction in computation.instructions(shapes):
        if len(instruction.operands) == _N_OPERANDS.get(instruction.name, _USUAL_NUMBER):
            found = _Narrowing(computation, instruction).best()
            if found is not None and not is_narrow_address(computation, instruction):
                yield found


def _is_wide(shape: Shape) -> bool:
    """Whether a shape is a 64-bit operation that takes longer than the same on 32 bits."""
    if shape.name in ("mul", "mad"):
        return shape.opcode in [f"{shape.name}.lo{type_}" for type_ in _TYPES]
    return shape.opcode == "shl.b64" or (shape.name != "shl" and shape.opcode.endswith(_TYPES))


class _Narrowing:
    """An attempt to do a 64-bit operation on 32 bits."""

    def __init__(self, computation: Computation, instruction: DecodedInstruction) -> None:
        self._computation, self._instruction = computation, instruction
        self._name, self._texts = instruction.name, [it.text for it in instruction.operands]

    def best(self) -> WideArithmetic | None:
        """Returns the operation that needs the fewest other instructions, if there is one."""
        if self._name == "setp":
            signs = self._instruction.modifiers[-1][1]
        elif self._name in _DIVISIONS and self._instruction.modifiers[-1] == ".u64":
            signs = "u"
        else:
            signs = "us"
        found = [each for each in map(self._with_sign, signs) if each is not None]
        return max(found, key=lambda each: bool(each.lines), default=None)

    def _with_sign(self, sign: str) -> WideArithmetic | None:
        """Returns the operation on unsigned or signed numbers."""
        first = self._narrow(1, sign)
        second = self._factor(sign) if self._name == "shl" else self._narrow(2, sign)
        if first is None or second is None or self._is_constant(1):
            return None
        if self._name in _DIVISIONS:
            return self._division(first, second, sign)
        if self._name == "setp" and not (first and second):
            return None
        opcode = f"{self._opcode()}.{sign}32"
        rest = self._texts[3:]
        lines = [f"{opcode} {', '.join([self._texts[0], first, second, *rest])}"]
        return self._found(opcode, lines if first and second else [])

    def _opcode(self) -> str:
        """Returns the opcode on 32 bits without its type."""
        known = _MULTIPLICATIONS.get(self._name)
        return known or "".join([self._name, *self._instruction.modifiers[:-1]])

    def _found(self, opcode: str, lines: list[str], registers: str = "") -> WideArithmetic:
        found, record = self._instruction.found, self._instruction.found.record
        edits = replacement(found, lines, registers=registers) if lines else ()
        written = record.opcode if isinstance(record, Shape) else self._name
        return WideArithmetic(*opcode_span(found), written, opcode, tuple(lines), edits)

    def _is_constant(self, number: int) -> bool:
        return immediate(self._instruction.operands[number]) is not None

    def _factor(self, sign: str) -> str | None:
        """Returns the factor that does the same as a shift."""
        shift = immediate(self._instruction.operands[2])
        return str(1 << shift) if shift is not None and 0 <= shift <= _MAX_SHIFT[sign] else None

    def _narrow(self, number: int, sign: str) -> str | None:
        """Returns the 32-bit operand with the value of one of 64 bits.

        Returns "" if it fits in 32 bits, but no operand has it; None if it may not fit.
        """
        operand, (low, high) = self._instruction.operands[number], _LIMITS[sign]
        written = immediate(operand)
        if written is not None:
            return operand.text if low <= written <= high else None
        value = self._computation.values.operand(self._instruction.found, number)
        bounds = (value.signed_low, value.signed_high) if sign == "s" else (value.low, value.high)
        if value.is_impossible or bounds[0] < low or bounds[1] > high:
            return None
        return self._extended(operand)

    def _extended(self, operand: OperandSyntax) -> str:
        """Returns the 32-bit register that an operand is extended from; "" if there is none."""
        maker = self._computation.maker(self._instruction, operand)
        if maker is None or maker.name != "cvt" or tuple(maker.modifiers) not in _EXTENDING:
            return ""
        source = maker.operands[1]
        is_usable = self._computation.width(maker, source) == 32  # noqa: PLR2004  bits
        is_kept = is_usable and self._computation.is_kept(maker, source, self._instruction)
        return source.text if is_kept else ""

    def _division(self, first: str, second: str, sign: str) -> WideArithmetic | None:
        """Returns a division of 32 bits, whose result is extended."""
        if self._computation.values.operand(self._instruction.found, 2).constant is not None:
            return None
        if sign == "s" and self._may_overflow():
            return None
        result, dividend, divisor = self._texts
        opcode = f"{self._name}.{sign}32"
        narrowed = [
            f"cvt.u32.u64 {register}, {wide}"
            for register, wide, narrow in (
                ("%quotient", dividend, first),
                ("%divisor", divisor, second),
            )
            if not narrow
        ]
        operands = f"{first or '%quotient'}, {second or '%divisor'}"
        lines = [
            *narrowed,
            f"{opcode} %quotient, {operands}",
            f"cvt.{sign}64.{sign}32 {result}, %quotient",
        ]
        return self._found(opcode, lines, ".reg .b32 %quotient, %divisor")

    def _may_overflow(self) -> bool:
        """Whether the smallest number may be divided by -1."""
        found, values = self._instruction.found, self._computation.values
        dividend, divisor = values.operand(found, 1), values.operand(found, 2)
        return dividend.signed_low == _LIMITS["s"][0] and divisor.contains((1 << 64) - 1)


@rule(
    "wide-arithmetic",
    on=WideArithmetic,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def wide_arithmetic(mismatch: WideArithmetic, _: RuleContext) -> Finding:
    """Reports a 64-bit multiplication, division or comparison of values that fit in 32 bits.

    ## Why is this bad?
    Hardware registers have 32 bits. ptxas works on both halves of the operands even if one half
    only repeats the sign: a multiplication takes four instructions instead of one, and a division
    calls a function of about 60 instructions instead of about 20 inline instructions. Addresses in
    `.shared` and `.local` are not reported, because ptxas computes them in 32 bits anyway.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry area(.param .u64 result, .param .u32 width, .param .u32 height)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<6>;
        ld.param.u64 %rd1, [result];
        ld.param.u32 %r1, [width];
        ld.param.u32 %r2, [height];
        cvta.to.global.u64 %rd2, %rd1;
        cvt.u64.u32 %rd3, %r1;
        cvt.u64.u32 %rd4, %r2;
        mul.lo.u64 %rd5, %rd3, %rd4;
        st.global.u64 [%rd2], %rd5;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry area(.param .u64 result, .param .u32 width, .param .u32 height)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [result];
        ld.param.u32 %r1, [width];
        ld.param.u32 %r2, [height];
        cvta.to.global.u64 %rd2, %rd1;
        mul.wide.u32 %rd3, %r1, %r2;
        st.global.u64 [%rd2], %rd3;
        ret;
    }
    ```
    """
    opcode, narrow, lines = mismatch.opcode, mismatch.narrow, mismatch.lines
    message = (
        f"the operands of `{opcode}` fit in 32 bits: `{narrow}` computes the same result faster"
    )
    severity = Severity.HINT if opcode.startswith("shl") else None
    if not mismatch.edits:
        return Finding(message, severity=severity)
    single = len(lines) == 1
    title = f"Replace with `{lines[0] if single else narrow}`"
    applicability = Applicability.CERTAIN if single else Applicability.GUESS
    repair = Repair(title, mismatch.edits, applicability)
    return Finding(message, severity=severity, repairs=(repair,))
