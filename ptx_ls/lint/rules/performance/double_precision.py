"""The rule double-precision.

Source: the machine code of ptxas 13.5, which keeps conversions to `.f64` and back. One operation in
double precision, rounded to single precision, is the operation in single precision: 53 bits are
more than twice 24 bits and 2 more (Figueroa, "When is double rounding innocuous?", 1995).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_EXACT: Final = ("add", "sub", "mul", "div", "sqrt")
"""Operations whose result is the same if it is rounded to `.f64` and then to `.f32`."""
_OPERATIONS: Final = (*_EXACT, "fma", "mad")
_WIDENING: Final = ".f64.f32"
_NARROWING: Final = (".rn", ".f32", ".f64")
_COMPARISONS: Final = ("setp",)
_MAX_OPERATIONS: Final = 4
"""Number of operations in a row after which double precision is surely meant."""


class DoublePrecision(NamedTuple):
    """Arithmetic in double precision on values in single precision.

    Attributes:
        start: where the opcode of the operation, or of the conversion back, begins.
        end: where it ends.
        opcode: this opcode.
        line: the instruction on `.f32` that computes the same; "" if none does.
        constant: a constant that makes the operation one in double precision; "" if there is none.
        back: the place of the conversion back, if it is another instruction.
        edits: the edits that write the instruction in place of the conversion back.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    line: str
    constant: str
    back: FunctionSpan | None
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[DoublePrecision]:
    """Yields the operations of a function in double precision that do not need it."""
    converting = seen.text.shapes_of(("cvt",))
    if not any(each.opcode.endswith(_WIDENING) for each in converting):
        return
    narrowing = {each for each in converting if tuple(modifiers_of(each.opcode)) == _NARROWING}
    comparing = {each for each in seen.text.shapes_of(_COMPARISONS) if _compares(each)}
    if not narrowing and not comparing:
        return
    computation = Computation(seen)
    for instruction in computation.instructions(narrowing):
        yield from _rounded(computation, instruction)
    for shape, instruction in computation.by_shape(comparing):
        operands = [_single(computation, instruction, it) for it in instruction.operands[1:3]]
        if len(instruction.operands) == 3 and all(operands):  # noqa: PLR2004  p, a and b
            texts = ", ".join([instruction.operands[0].text, *map(str, operands)])
            line = f"{shape.opcode.removesuffix('.f64')}.f32 {texts}"
            edits = replacement(instruction.found, [line])
            span = opcode_span(instruction.found)
            yield DoublePrecision(*span, shape.opcode, line, "", None, edits)


def _compares(shape: Shape) -> bool:
    return shape.opcode.endswith(".f64")


def _single(
    computation: Computation, instruction: DecodedInstruction, operand: OperandSyntax
) -> str | None:
    """Returns the operand in single precision with the value of one in double precision."""
    constant = computation.number(instruction, operand)
    if constant is not None:
        return _as_single(constant)
    maker = computation.maker(instruction, operand)
    if maker is None or maker.name != "cvt" or "".join(maker.modifiers) != _WIDENING:
        return None
    source = maker.operands[1]
    return source.text if computation.is_kept(maker, source, instruction) else None


def _as_single(value: float) -> str | None:
    """Returns a number as a literal of type `.f32`, if it has one."""
    try:
        bits = struct.pack(">f", value)
    except OverflowError:
        return None
    return f"0f{bits.hex().upper()}" if struct.unpack(">f", bits)[0] == value else None


def _rounded(
    computation: Computation, instruction: DecodedInstruction
) -> Iterator[DoublePrecision]:
    """Yields the operation whose result a conversion rounds to single precision."""
    direct = _single(computation, instruction, instruction.operands[1])
    record = computation.shape(instruction)
    if direct is not None and record is not None:
        line = f"mov.f32 {instruction.operands[0].text}, {direct}"
        edits = replacement(instruction.found, [line])
        span = opcode_span(instruction.found)
        yield DoublePrecision(*span, record.opcode, line, "", None, edits)
        return
    operation = computation.maker(instruction, instruction.operands[1])
    chain = _chain(computation, instruction, operation)
    if operation is None or chain is None:
        return
    found = [*_exact(computation, instruction, operation, chain)]
    yield from found or _with_constant(computation, instruction, chain)


def _chain(
    computation: Computation,
    reader: DecodedInstruction,
    operation: DecodedInstruction | None,
) -> list[DecodedInstruction] | None:
    """Returns the operations whose results only make one value, from conversions and constants.

    The first is the last one to run. None if they need double precision, or are too many.
    """
    found: list[DecodedInstruction] = []
    waiting = [(reader, operation)]
    while waiting:
        reading, each = waiting.pop()
        if each is None or each.name not in _OPERATIONS or each.modifiers[-1] != ".f64":
            return None
        if len(found) == _MAX_OPERATIONS or computation.readers(each) != [reading]:
            return None
        found.append(each)
        for operand in each.operands[1:]:
            is_leaf = computation.number(each, operand) is not None or _is_widened(
                computation, each, operand
            )
            if not is_leaf:
                waiting.append((each, computation.maker(each, operand)))
    return found


def _is_widened(
    computation: Computation, instruction: DecodedInstruction, operand: OperandSyntax
) -> bool:
    maker = computation.maker(instruction, operand)
    return maker is not None and maker.name == "cvt" and "".join(maker.modifiers) == _WIDENING


def _exact(
    computation: Computation,
    narrowing: DecodedInstruction,
    operation: DecodedInstruction,
    chain: Sequence[DecodedInstruction],
) -> Iterator[DoublePrecision]:
    """Yields the operation if the same one in single precision has the same result."""
    is_usual = set(operation.modifiers) <= {".rn", ".f64"}
    if len(chain) > 1 or operation.name not in _EXACT or not is_usual:
        return
    if computation.is_guarded(operation) and not computation.is_guarded(narrowing):
        return
    sources = [_single(computation, operation, each) for each in operation.operands[1:]]
    makers = [computation.maker(operation, each) for each in operation.operands[1:]]
    if None in sources or not _are_kept(computation, makers, narrowing):
        return
    texts = ", ".join([narrowing.operands[0].text, *map(str, sources)])
    line = f"{operation.name}.rn.f32 {texts}"
    edits = replacement(narrowing.found, [line])
    opcode = "".join([operation.name, *operation.modifiers])
    back = opcode_span(narrowing.found)
    yield DoublePrecision(*opcode_span(operation.found), opcode, line, "", back, edits)


def _are_kept(
    computation: Computation,
    makers: Sequence[DecodedInstruction | None],
    later: DecodedInstruction,
) -> bool:
    """Whether the sources of conversions still have the same values at a later instruction."""
    return all(
        computation.is_kept(maker, maker.operands[1], later)
        for maker in makers
        if maker is not None
    )


def _with_constant(
    computation: Computation, narrowing: DecodedInstruction, chain: Sequence[DecodedInstruction]
) -> Iterator[DoublePrecision]:
    """Yields the first operation with a constant, which perhaps only lacks a suffix."""
    for operation in reversed(chain):
        for operand in operation.operands[1:]:
            if computation.number(operation, operand) is not None:
                opcode = "".join([operation.name, *operation.modifiers])
                span, back = opcode_span(operation.found), opcode_span(narrowing.found)
                yield DoublePrecision(*span, opcode, "", operand.text, back, ())
                return


@rule(
    "double-precision",
    on=DoublePrecision,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("cvt"),
    in_compiler_output=None,
)
def double_precision(mismatch: DoublePrecision, _: RuleContext) -> Finding:
    """Reports `.f64` arithmetic whose operands and result are `.f32` values.

    ## Why is this bad?
    Most GPUs have few units for double precision: an operation takes up to 64 times as long as in
    single precision, and each conversion takes as long as the operation. ptxas removes neither the
    operation nor the conversions. The usual cause is a constant without the suffix `f` in the
    source.

    A single addition, multiplication, division or square root of `.f32` values has the same `.f32`
    result in single precision.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry half(.param .u64 values)
    {
        .reg .f32 %f<3>;
        .reg .f64 %fd<3>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f1, [%rd2];
        cvt.f64.f32 %fd1, %f1;
        mul.f64 %fd2, %fd1, 0d3FE0000000000000;
        cvt.rn.f32.f64 %f2, %fd2;
        st.global.f32 [%rd2], %f2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry half(.param .u64 values)
    {
        .reg .f32 %f<3>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f1, [%rd2];
        mul.rn.f32 %f2, %f1, 0f3F000000;
        st.global.f32 [%rd2], %f2;
        ret;
    }
    ```
    """
    opcode, line = mismatch.opcode, mismatch.line
    related = (
        (Related(*mismatch.back, "the result is rounded to `.f32` here"),) if mismatch.back else ()
    )
    if not line:
        message = (
            f"`{opcode}` is needed only because of the constant `{mismatch.constant}`: the other "
            "values and the result are `.f32`"
        )
        return Finding(message, related=related)
    has_one = line.count(",") == 1  # the destination and an operand
    converted = f"the operand of `{opcode}` is" if has_one else f"the operands of `{opcode}` are"
    message = f"{converted} converted from `.f32`: `{line}` computes the same result"
    repairs = (Repair(f"Replace with `{line}`", mismatch.edits, Applicability.CERTAIN),)
    return Finding(message, repairs=repairs if mismatch.edits else (), related=related)
