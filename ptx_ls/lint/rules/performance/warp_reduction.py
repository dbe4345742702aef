"""The rule warp-reduction.

Source: PTX ISA, "redux.sync"; the machine code of ptxas 13.5, which keeps each `shfl`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import parse_target
from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.decoding import immediate, plain_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("add", "min", "max", "and", "or", "xor")
_REDUCED: Final = {
    "add.s32": "redux.sync.add.s32",
    "add.u32": "redux.sync.add.u32",
    "min.s32": "redux.sync.min.s32",
    "min.u32": "redux.sync.min.u32",
    "max.s32": "redux.sync.max.s32",
    "max.u32": "redux.sync.max.u32",
    "and.b32": "redux.sync.and.b32",
    "or.b32": "redux.sync.or.b32",
    "xor.b32": "redux.sync.xor.b32",
}
_DISTANCES: Final = frozenset({1, 2, 4, 8, 16})
_FIRST_TARGET: Final = 80
_FIRST_VERSION: Final = (7, 0)
_ALL_LANES: Final = (-1, 0xFFFFFFFF)
_MODES: Final = (".bfly", ".down")
_WHOLE_WARP: Final = 31


class WarpReduction(NamedTuple):
    """A reduction over the lanes of a warp in five steps.

    Attributes:
        start: where the opcode of the last step begins.
        end: where it ends.
        first: the place of the first `shfl`.
        instead: the instruction that does the same.
    """

    start: FunctionPosition
    end: FunctionPosition
    first: FunctionSpan
    instead: str


def find(seen: CheckInput) -> Iterator[WarpReduction]:
    """Yields the reductions of a function for which there is an instruction."""
    context = seen.module.context
    targets = [found for found in map(parse_target, context.target) if found is not None]
    is_available = targets and min(targets)[0] >= _FIRST_TARGET
    if not is_available or (context.version or _FIRST_VERSION) < _FIRST_VERSION:
        return
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if each.opcode in _REDUCED}
    if not shapes or not any(map(_is_shuffle, seen.text.shapes_of(("shfl",)))):
        return
    computation = Computation(seen)
    for shape, instruction in computation.by_shape(shapes):
        first = _first_shuffle(computation, shape, instruction)
        if first is not None:
            span = opcode_span(first.found)
            yield WarpReduction(*opcode_span(instruction.found), span, _REDUCED[shape.opcode])


def _is_shuffle(shape: Shape) -> bool:
    return any(mode in shape.opcode for mode in _MODES)


def _first_shuffle(
    computation: Computation, shape: Shape, last: DecodedInstruction
) -> DecodedInstruction | None:
    """Returns the first `shfl` of a reduction that ends with an instruction."""
    left = set(_DISTANCES)
    step, shuffle = last, None
    while left:
        found = _shuffled(computation, step)
        if found is None or computation.is_guarded(step):
            return None
        shuffle, distance = found
        if distance not in left:
            return None
        left.remove(distance)
        if not left:
            break
        before = computation.maker(shuffle, shuffle.operands[1])
        is_same = before is not None and computation.shape(before) is not None
        if before is None or not is_same or _opcode(computation, before) != shape.opcode:
            return None
        step = before
    return shuffle


def _opcode(computation: Computation, instruction: DecodedInstruction) -> str:
    record = computation.shape(instruction)
    return record.opcode if record is not None else ""


def _shuffled(
    computation: Computation, step: DecodedInstruction
) -> tuple[DecodedInstruction, int] | None:
    """Returns the `shfl` whose result a step combines with its operand, and its distance."""
    if len(step.operands) != 3:  # noqa: PLR2004  the result and two values
        return None
    for number in (1, 2):
        shuffle = computation.maker(step, step.operands[number])
        distance = None if shuffle is None else _distance(shuffle)
        if shuffle is None or distance is None:
            continue
        other = step.operands[3 - number]
        if _is_same_value(computation, shuffle, other, step):
            return shuffle, distance
    return None


def _distance(shuffle: DecodedInstruction) -> int | None:
    """Returns the distance of a `shfl` over all lanes of a warp; None for another instruction."""
    is_shuffle = shuffle.name == "shfl" and ".sync" in shuffle.modifiers
    if not is_shuffle or not any(mode in shuffle.modifiers for mode in _MODES):
        return None
    operands = shuffle.operands
    if len(operands) != 5 or immediate(operands[4]) not in _ALL_LANES:  # noqa: PLR2004
        return None
    return immediate(operands[2]) if immediate(operands[3]) == _WHOLE_WARP else None


def _is_same_value(
    computation: Computation,
    shuffle: DecodedInstruction,
    operand: OperandSyntax,
    step: DecodedInstruction,
) -> bool:
    """Whether a `shfl` reads the value that a step combines with its result."""
    name = plain_name(operand)
    return (
        bool(name)
        and name == plain_name(shuffle.operands[1])
        and computation.is_kept(shuffle, shuffle.operands[1], step)
    )


@rule(
    "warp-reduction",
    on=WarpReduction,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions("shfl"),
    in_compiler_output=None,
)
def warp_reduction(mismatch: WarpReduction, _: RuleContext) -> Finding:
    """Reports a reduction of 32-bit integers over a warp by five `shfl` instructions.

    ## Why is this bad?
    On sm_80 and newer, `redux.sync` computes the same result in one instruction. Each `shfl` waits
    for the previous step, and ptxas does not combine the steps.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry largest(.param .u64 values)
    {
        .reg .b32 %r<13>;
        .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd3, %rd2, %rd3;
        ld.global.s32 %r2, [%rd3];
        shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;
        max.s32 %r4, %r2, %r3;
        shfl.sync.bfly.b32 %r5, %r4, 8, 31, -1;
        max.s32 %r6, %r4, %r5;
        shfl.sync.bfly.b32 %r7, %r6, 4, 31, -1;
        max.s32 %r8, %r6, %r7;
        shfl.sync.bfly.b32 %r9, %r8, 2, 31, -1;
        max.s32 %r10, %r8, %r9;
        shfl.sync.bfly.b32 %r11, %r10, 1, 31, -1;
        max.s32 %r12, %r10, %r11;
        st.global.s32 [%rd3], %r12;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry largest(.param .u64 values)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        ld.param.u64 %rd1, [values];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd3, %rd2, %rd3;
        ld.global.s32 %r2, [%rd3];
        redux.sync.max.s32 %r3, %r2, -1;
        st.global.s32 [%rd3], %r3;
        ret;
    }
    ```
    """
    message = (
        "five `shfl` instructions reduce the values of a warp: one "
        f"`{mismatch.instead}` computes the same result"
    )
    return Finding(message, related=(Related(*mismatch.first, "the first `shfl` is here"),))
