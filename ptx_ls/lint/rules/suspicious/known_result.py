"""The rule known-result.

Source: PTX ISA, "Integer Arithmetic Instructions" and "Logic and Shift Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands
from ptx_ls.values.abstract_value import from_bits, unknown
from ptx_ls.values.affine import TermKind
from ptx_ls.values.function_values import function_values
from ptx_ls.values.transfer.number_types import INTEGER_TYPES
from ptx_ls.values.transfer.operations import operation_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.abstract_value import AbstractValue
    from ptx_ls.values.function_values import FunctionValues

_PRODUCT: Final = "mul"
_HIGH: Final = ".hi"
_OPCODES: Final = ("and", "bfe", "div", "max", "min", _PRODUCT, "rem", "shl", "shr")
_OF_BLOCK: Final = ("%tid", "%ntid", "%laneid", "%warpid")
"""The special registers that are small in every launch."""


class UnvaryingResult(NamedTuple):
    """An instruction whose result does not depend on the value of the register it reads.

    `known`: what is known of that value, as text.
    """

    register: str
    known: str
    result: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[UnvaryingResult]:
    """Yields the instructions whose result follows from what is known of their operands."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _registers(each)}
    if not shapes:
        return
    values = function_values(seen.function, seen.module)
    reachable = values.flow.reachable
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        shape = found.record
        if not isinstance(shape, Shape) or shape not in shapes:
            continue
        if values.flow.block_at(found.start) in reachable:
            known = _known(values, found, shape)
            if known is not None:
                yield known


def _registers(shape: Shape) -> list[int]:
    """Returns the numbers of the operands that are registers and are read; none if others matter.

    Of two factors, both may be small.
    """
    numbers = [
        number
        for number, operand in enumerate(shape.operands[1:], 1)
        if operand.form is not OperandForm.INTEGER
    ]
    is_product = shape.name == _PRODUCT
    if _HIGH not in shape.opcode if is_product else len(numbers) > 1:
        return []
    are_plain = all(shape.operands[it].form is OperandForm.IDENTIFIER for it in numbers)
    return numbers if are_plain else []


def _known(values: FunctionValues, found: Found, shape: Shape) -> UnvaryingResult | None:
    """Returns the instruction unless its result varies, or is the same for any register."""
    numbers, modifiers = _registers(shape), tuple(modifiers_of(shape.opcode))
    sources = [values.operand(found, index) for index in range(1, len(shape.operands))]
    for number in numbers:
        operand = _for_any_launch(sources[number - 1], is_product=shape.name == _PRODUCT)
        if operand.is_unknown or operand.constant is not None or operand.is_impossible:
            return None
        sources[number - 1] = operand
    operation = operation_of(shape.name, modifiers, len(sources))
    type_ = INTEGER_TYPES.get(modifiers[-1]) if modifiers else None
    if operation is None or type_ is None:
        return None
    result = operation.result(sources, type_.width)
    number = numbers[0]
    operand = sources[number - 1]
    for each in numbers:
        sources[each - 1] = unknown(operand.width)
    if result.constant is None or operation.result(sources, type_.width).constant is not None:
        return None
    written = written_operands(shape, found.text)[number]
    start, end = (shifted(it, found.start) for it in (written.start, written.end))
    constant = result.signed_constant if type_.is_signed else result.constant
    if shape.name == "shr" and sources[1].constant == type_.width - 1:
        return None  # takes the sign, as divisions of compilers do
    known = _described(operand, is_signed=type_.is_signed)
    return UnvaryingResult(written.text, known, str(constant), start, end)


def _for_any_launch(operand: AbstractValue, *, is_product: bool) -> AbstractValue:
    """Returns what is known of a value in a launch of any size: only what it is a multiple of.

    The high half of a product is not needed for larger blocks either, as none is so large.
    """
    form = operand.affine
    special = [it for it, _ in form.terms if it.kind is TermKind.SPECIAL] if form else []
    if not special or (is_product and all(it.name.startswith(_OF_BLOCK) for it in special)):
        return operand
    return from_bits(operand.width, (operand.alignment - 1, 0))


def _described(value: AbstractValue, *, is_signed: bool) -> str:
    """Returns what is known of a value: its range, or what it is a multiple of."""
    low, high = (value.signed_low, value.signed_high) if is_signed else (value.low, value.high)
    is_multiple = value.alignment > 1 and high - low >= 1 << (value.width - 1)
    return f"a multiple of {value.alignment:,}" if is_multiple else f"between {low:,} and {high:,}"


@rule(
    "known-result",
    on=UnvaryingResult,
    severity=Severity.INFORMATION,
    in_compiler_output=None,
    find=find,
    looks_at=Instructions(*_OPCODES),
)
def known_result(mismatch: UnvaryingResult, _: RuleContext) -> Finding:
    """Reports an instruction whose result is the same for all values that its operand can have.

    ## Why is this bad?
    The result does not depend on the operand. Usually a mask, a shift amount or a bound is wrong,
    or two instructions are in the wrong order. For example, a byte shifted right by 8 is 0, a
    multiple of 16 modulo 16 is 0, the high half of a product of small numbers is 0, and a clamp
    with swapped bounds, `max(min(x, low), high)`, is always `high`.

    The possible values follow from constants, masks and enclosing conditions. An instruction whose
    result is constant only because of launch limits is not reported.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.global.b32 %r1, [%rd1];
        and.b32 %r2, %r1, 0xff00;
        shr.u32 %r3, %r2, 16;
        st.global.b32 [%rd1], %r3;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        ld.global.b32 %r1, [%rd1];
        and.b32 %r2, %r1, 0xff00;
        shr.u32 %r3, %r2, 8;
        st.global.b32 [%rd1], %r3;
        ret;
    }
    ```
    """
    return Finding(
        f"the result is always {mismatch.result}: `{mismatch.register}` is {mismatch.known}"
    )
