"""The rule reciprocal-root.

Source: PTX ISA, "rsqrt"; the machine code of ptxas 13.5, which keeps both approximations.
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_APPROXIMATE: Final = (".approx", ".full")
_SINGLE: Final = ".f32"
_FLUSHES: Final = ".ftz"


class ReciprocalRoot(NamedTuple):
    """The reciprocal of a square root, in two instructions.

    Attributes:
        start: where the opcode of the reciprocal begins.
        end: where it ends.
        opcode: this opcode.
        root: the place of the square root.
        instead: the instruction that computes both.
        edits: the edits that write it.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    root: FunctionSpan
    instead: str
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[ReciprocalRoot]:
    """Yields the approximate reciprocals of square roots in a function."""
    roots = {each for each in seen.text.shapes_of(("sqrt",)) if _is_approximate(each)}
    if not roots:
        return
    shapes = {each for each in seen.text.shapes_of(("rcp", "div")) if _is_approximate(each)}
    computation = Computation(seen)
    for shape, instruction in computation.by_shape(shapes):
        found = _found(computation, shape, instruction)
        if found is not None:
            yield found


def _is_approximate(shape: Shape) -> bool:
    modifiers = modifiers_of(shape.opcode)
    return modifiers[-1:] == [_SINGLE] and not set(modifiers).isdisjoint(_APPROXIMATE)


def _found(
    computation: Computation, shape: Shape, instruction: DecodedInstruction
) -> ReciprocalRoot | None:
    result, *sources = instruction.operands
    if not sources or (shape.name == "div" and computation.number(instruction, sources[0]) != 1.0):
        return None
    root = computation.maker(instruction, sources[-1])
    written = computation.shape(root)
    if root is None or written is None or written.name != "sqrt" or not _is_approximate(written):
        return None
    if computation.readers(root) != [instruction]:
        return None
    is_flushing = _FLUSHES in shape.opcode and _FLUSHES in written.opcode
    line = f"rsqrt.approx{_FLUSHES if is_flushing else ''}{_SINGLE} {result.text}, "
    line += root.operands[1].text
    is_kept = computation.is_kept(root, root.operands[1], instruction)
    edits = replacement(instruction.found, [line]) if is_kept else ()
    spans = opcode_span(instruction.found), opcode_span(root.found)
    return ReciprocalRoot(*spans[0], shape.opcode, spans[1], line.partition(" ")[0], edits)


@rule(
    "reciprocal-root",
    on=ReciprocalRoot,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("sqrt"),
    in_compiler_output=None,
)
def reciprocal_root(mismatch: ReciprocalRoot, _: RuleContext) -> Finding:
    """Reports the approximate reciprocal of an approximate square root.

    ## Why is this bad?
    The hardware has an instruction for the reciprocal of a square root, `rsqrt.approx`.
    `rsqrt.approx` takes half as long as the two instructions together, and is more accurate.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry normalize(.param .u64 values)
    {
        .reg .f32 %f<6>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f1, [%rd2];
        mul.ftz.f32 %f2, %f1, %f1;
        sqrt.approx.ftz.f32 %f3, %f2;
        rcp.approx.ftz.f32 %f4, %f3;
        mul.ftz.f32 %f5, %f1, %f4;
        st.global.f32 [%rd2], %f5;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry normalize(.param .u64 values)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        ld.global.f32 %f1, [%rd2];
        mul.ftz.f32 %f2, %f1, %f1;
        rsqrt.approx.ftz.f32 %f3, %f2;
        mul.ftz.f32 %f4, %f1, %f3;
        st.global.f32 [%rd2], %f4;
        ret;
    }
    ```
    """
    message = (
        f"this `{mismatch.opcode}` of a square root is slow: `{mismatch.instead}` computes both at "
        "once"
    )
    related = (Related(*mismatch.root, "the square root is computed here"),)
    title = f"Replace with `{mismatch.instead}`"
    repairs = (Repair(title, mismatch.edits),) if mismatch.edits else ()
    return Finding(message, repairs=repairs, related=related)
