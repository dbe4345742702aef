"""The rule emulated-instruction.

Source: the machine code of ptxas 13.5 for sm_75 to sm_120; PTX ISA, "mul24", "mad24", "Matrix
multiply-accumulate operation using mma instruction" and "Scalar Video Instructions".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import parse_target
from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span, opcode_start
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_PRODUCTS: Final = {"mul24": "mul", "mad24": "mad"}
_LIMITS: Final = {".u32": (0, (1 << 24) - 1), ".s32": (-(1 << 23), (1 << 23) - 1)}


class _Emulation(NamedTuple):
    """Instructions that newer hardware does not have.

    Attributes:
        opcode: their opcode.
        modifiers: those that they have, in any order.
        target: the number of the first target without them.
        how: what ptxas emits.
        instead: what to use.
    """

    opcode: str
    modifiers: frozenset[str]
    target: int
    how: str
    instead: str


def _rows() -> Iterator[_Emulation]:
    for opcode, plain in _PRODUCTS.items():
        how, instead = "sign or zero extensions and a 32-bit multiplication", f"`{plain}.lo`"
        yield _Emulation(opcode, frozenset({".lo"}), 20, how, instead)
        how = "a 64-bit multiplication and shifts"
        yield _Emulation(opcode, frozenset({".hi"}), 20, how, f"`{plain}.hi` with shifted operands")
    half = frozenset({".m8n8k4", ".f16"})
    how = "shuffles and multiplications without tensor cores"
    yield _Emulation("mma", half, 80, how, "`.m16n8k8` or `.m16n8k16`")
    for opcode, *own in (("mma",), ("wmma", ".mma")):
        for type_ in (".s4", ".u4"):
            how = "several products of 8-bit integers"
            yield _Emulation(opcode, frozenset({*own, type_}), 90, how, "`.s8` or `.u8`")
        how = "several matrix products of another type"
        yield _Emulation(opcode, frozenset({*own, ".b1", ".xor"}), 90, how, "`.and.popc`")
        yield _Emulation(opcode, frozenset({*own, ".b1"}), 100, how, "`.s8` or `.u8`")
    for name, narrow in (("vadd2", "add"), ("vmin2", "min"), ("vmax2", "max")):
        for type_, pair in ((".s32", ".s16x2"), (".u32", ".u16x2")):
            how, instead = "a sequence for each half", f"`{narrow}{pair}`"
            yield _Emulation(name, frozenset({type_}), 90, how, instead)


_EMULATIONS: Final = tuple(_rows())
_OPCODES: Final = tuple(sorted({each.opcode for each in _EMULATIONS}))


class EmulatedInstruction(NamedTuple):
    """An instruction that the target does not have.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        opcode: the opcode without modifiers.
        target: the target.
        how: what ptxas emits.
        instead: what to use.
        edits: the edits that write it, if it computes the same.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    target: str
    how: str
    instead: str
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[EmulatedInstruction]:
    """Yields the instructions of a function that its target does not have."""
    name = next((each for each in seen.module.context.target if parse_target(each)), "")
    target = parse_target(name)
    if target is None:
        return
    rows: dict[Shape, _Emulation] = {}
    for shape in seen.text.shapes_of(_OPCODES):
        row = _row_of(shape, target[0])
        if row is not None:
            rows[shape] = row
    if not rows:
        return
    computation = Computation(seen)
    for shape, instruction in computation.by_shape(rows.keys()):
        row = rows[shape]
        start, end = opcode_span(instruction.found)
        edits = _edits(computation, instruction)
        yield EmulatedInstruction(start, end, row.opcode, name, row.how, row.instead, edits)


def _row_of(shape: Shape, target: int) -> _Emulation | None:
    modifiers = frozenset(modifiers_of(shape.opcode))
    for row in _EMULATIONS:
        if row.opcode == shape.name and target >= row.target and row.modifiers <= modifiers:
            return row
    return None


def _edits(computation: Computation, instruction: DecodedInstruction) -> tuple[SpanEdit, ...]:
    """Returns the edit that makes a 24-bit multiplication one of 32 bits, if both are the same."""
    name, found = instruction.name, instruction.found
    limits = _LIMITS.get(instruction.modifiers[-1])
    if name not in _PRODUCTS or instruction.modifiers[0] != ".lo" or limits is None:
        return ()
    low, high = limits
    is_signed = low < 0
    for number in (1, 2):
        value = computation.values.operand(found, number)
        bounds = (value.signed_low, value.signed_high) if is_signed else (value.low, value.high)
        if value.is_impossible or bounds[0] < low or bounds[1] > high:
            return ()
    start = opcode_start(found.text)
    edit = SpanEdit(position(found, start), position(found, start + len(name)), _PRODUCTS[name])
    return (edit,)


@rule(
    "emulated-instruction",
    on=EmulatedInstruction,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def emulated_instruction(mismatch: EmulatedInstruction, _: RuleContext) -> Finding:
    """Reports an instruction that the target hardware does not have.

    ## Why is this bad?
    ptxas accepts instructions that only older hardware has, and silently replaces each of them with
    a sequence of other instructions. A matrix product of 4-bit integers takes five times as many
    instructions on sm_90 as on sm_80, and `mma.m8n8k4` on `.f16` does not use tensor cores on sm_80
    and newer.

    `mul24` was fast only before sm_20. The severity is hint if an operand of `mul24` may have more
    than 24 bits: `mul24` ignores the upper bits, so `mul` may give a different result.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry thread(.param .u64 result)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [result];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, %ctaid.y;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mad24.lo.u32 %r4, %r1, %r2, %r3;
        st.global.u32 [%rd2], %r4;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry thread(.param .u64 result)
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<3>;
        ld.param.u64 %rd1, [result];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, %ctaid.y;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mad.lo.u32 %r4, %r1, %r2, %r3;
        st.global.u32 [%rd2], %r4;
        ret;
    }
    ```
    """
    message = (
        f"{mismatch.target} does not support this `{mismatch.opcode}` in hardware, so ptxas "
        f"replaces it with {mismatch.how}: use {mismatch.instead}"
    )
    title = f"Replace `{mismatch.opcode}` with {mismatch.instead}"
    repairs = (Repair(title, mismatch.edits, Applicability.CERTAIN),) if mismatch.edits else ()
    is_unsure = mismatch.opcode in _PRODUCTS and not repairs
    severity = Severity.HINT if is_unsure else None
    return Finding(message, severity=severity, repairs=repairs)
