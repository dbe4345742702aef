"""The rule unfused-multiplication.

Source: the machine code of ptxas 13.5; PTX ISA, "mul" and "add": with a rounding modifier, the
instruction is not merged with others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.values.decoding import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_SUMS: Final = ("add", "sub")
_TYPES: Final = frozenset({".f32", ".f64", ".f16", ".f16x2", ".bf16", ".bf16x2"})
_EXPLICIT: Final = ".rn"
_FLUSHES: Final = ".ftz"
_ALLOWED: Final = frozenset({_EXPLICIT, _FLUSHES})
_N_OPERANDS: Final = 3


class UnfusedMultiplication(NamedTuple):
    """A sum with a product that could be one `fma`.

    Attributes:
        start: where the opcode of the sum begins.
        end: where it ends.
        opcode: the opcode of the sum.
        product: the place of the multiplication.
        multiplied: the opcode of the multiplication.
        fused: the opcode that does both.
        edits: the edits that write it.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    product: FunctionSpan
    multiplied: str
    fused: str
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[UnfusedMultiplication]:
    """Yields the sums of a function with a product that is used only there."""
    sums = {each for each in seen.text.shapes_of(_SUMS) if _is_plain(each)}
    products = [each for each in seen.text.shapes_of(("mul",)) if _is_plain(each)]
    kept = {each for each in sums if any(_is_lost(each, other) for other in products)}
    if not kept:
        return
    computation = Computation(seen)
    for shape, instruction in computation.by_shape(kept):
        if len(instruction.operands) == _N_OPERANDS and not computation.is_guarded(instruction):
            for number in (1, 2):
                found = _fused(computation, shape, instruction, number)
                if found is not None:
                    yield found
                    break


def _is_plain(shape: Shape) -> bool:
    """Whether a shape is an operation on floats that rounds to nearest, and does nothing else."""
    *others, type_ = modifiers_of(shape.opcode) or [""]
    return type_ in _TYPES and _ALLOWED.issuperset(others)


def _is_lost(first: Shape, second: Shape) -> bool:
    """Whether two operations of one type are not merged, as far as their modifiers decide that."""
    one, other = modifiers_of(first.opcode), modifiers_of(second.opcode)
    if one[-1] != other[-1]:
        return False
    is_explicit = _EXPLICIT in one or _EXPLICIT in other
    return is_explicit or (_FLUSHES in one) is not (_FLUSHES in other)


def _fused(
    computation: Computation, shape: Shape, instruction: DecodedInstruction, number: int
) -> UnfusedMultiplication | None:
    maker = computation.maker(instruction, instruction.operands[number])
    product = computation.shape(maker)
    if maker is None or product is None or product.name != "mul" or not _is_plain(product):
        return None
    if not _is_lost(shape, product) or computation.is_guarded(maker):
        return None
    if maker.block != instruction.block or computation.readers(maker) != [instruction]:
        return None
    other = instruction.operands[3 - number]
    if plain_name(other) == plain_name(instruction.operands[number]):
        return None
    return _found(computation, shape, instruction, maker, number)


def _found(
    computation: Computation,
    shape: Shape,
    instruction: DecodedInstruction,
    maker: DecodedInstruction,
    number: int,
) -> UnfusedMultiplication:
    product = computation.shape(maker)
    flush = _FLUSHES if _FLUSHES in shape.opcode else ""
    fused = f"fma.rn{flush}{instruction.modifiers[-1]}"
    factors = maker.operands[1:]
    edits: tuple[SpanEdit, ...] = ()
    if instruction.name == "add" and all(
        computation.is_kept(maker, each, instruction) for each in factors
    ):
        texts = [each.text for each in factors]
        texts = [instruction.operands[0].text, *texts, instruction.operands[3 - number].text]
        edits = replacement(instruction.found, [f"{fused} {', '.join(texts)}"])
    multiplied = product.opcode if product is not None else maker.name
    span = opcode_span(instruction.found)
    return UnfusedMultiplication(
        *span, shape.opcode, opcode_span(maker.found), multiplied, fused, edits
    )


@rule(
    "unfused-multiplication",
    on=UnfusedMultiplication,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_SUMS),
    in_compiler_output=None,
)
def unfused_multiplication(mismatch: UnfusedMultiplication, _: RuleContext) -> Finding:
    """Reports a multiplication and an addition that ptxas must not fuse.

    ## Why is this bad?
    ptxas fuses `mul` and `add` into one instruction, unless one of them has `.rn`, or only one of
    them has `.ftz`. Two instructions take twice as long as one instruction, and round twice. Keep
    the two instructions if the result must be rounded twice, for example to match the result of
    another machine.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry line(.param .u64 points, .param .f32 slope, .param .f32 start)
    {
        .reg .f32 %f<6>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [points];
        ld.param.f32 %f1, [slope];
        ld.param.f32 %f2, [start];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f3, [%rd2];
        mul.rn.f32 %f4, %f3, %f1;
        add.rn.f32 %f5, %f4, %f2;
        st.global.f32 [%rd2], %f5;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry line(.param .u64 points, .param .f32 slope, .param .f32 start)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [points];
        ld.param.f32 %f1, [slope];
        ld.param.f32 %f2, [start];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f3, [%rd2];
        fma.rn.f32 %f4, %f3, %f1, %f2;
        st.global.f32 [%rd2], %f4;
        ret;
    }
    ```
    """
    opcode, multiplied = mismatch.opcode, mismatch.multiplied
    has_rounding = _EXPLICIT in (opcode + multiplied)
    reason = " because of `.rn`" if has_rounding else ", because only one of them has `.ftz`"
    message = (
        f"ptxas cannot fuse `{multiplied}` and `{opcode}`{reason}: `{mismatch.fused}` computes both"
    )
    related = (Related(*mismatch.product, "the multiplication is here"),)
    title = f"Replace with `{mismatch.fused}`"
    repairs = (Repair(title, mismatch.edits),) if mismatch.edits else ()
    return Finding(message, repairs=repairs, related=related)
