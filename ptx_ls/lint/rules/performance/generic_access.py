"""The rule generic-access.

Source: the machine code of ptxas 13.5, which keeps an access generic even if its address comes from
`cvta.to.global`; PTX ISA, "Generic Addressing".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
from ptx_ls.syntax.offsets import along, shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.values.decoding import named_part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODES: Final = ("ld", "st", "atom", "red")
_GLOBAL: Final = ".global"
_SPACES_OF: Final = {
    "ld": (".global", ".shared", ".local", ".const"),
    "st": (".global", ".shared", ".local"),
    "atom": (".global", ".shared"),
    "red": (".global", ".shared"),
}
_SPACES: Final = (".global", ".shared", ".local", ".const", ".param", ".async")
"""The beginnings of modifiers that say which memory is accessed, or that only some may be."""
_BEFORE_SPACE: Final = frozenset(
    f".{name}"
    for name in "weak relaxed acquire release acq_rel volatile mmio cta cluster gpu sys".split()
)
"""Modifiers that come before the state space."""


class GenericAccess(NamedTuple):
    """An access with a generic address whose state space is known.

    Attributes:
        start: where the opcode begins.
        end: where it ends.
        opcode: the opcode without modifiers.
        space: the state space.
        is_converted: whether `cvta` makes the address generic for this access.
        edits: the edits that make it an access to the state space, if they are known.
    """

    start: FunctionPosition
    end: FunctionPosition
    opcode: str
    space: str
    is_converted: bool
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[GenericAccess]:
    """Yields the generic accesses of a function to known state spaces."""
    shapes = {each for each in seen.text.shapes_of(_OPCODES) if _is_generic(each)}
    if not shapes:
        return
    computation = Computation(seen)
    for instruction in computation.instructions(shapes):
        number = _address(instruction)
        if number < 0 or not _is_register(computation, instruction, number):
            continue
        form = computation.values.address(instruction.found, number).affine
        if form is None or form.is_mapped or form.space not in _SPACES_OF[instruction.name]:
            continue
        if form.view == form.space != _GLOBAL:
            continue  # not a generic address, which `wrong-address-space` reports
        edits = _edits(computation, instruction, number, form.space)
        start, end = opcode_span(instruction.found)
        is_converted = form.windows.get(form.space) == 1
        yield GenericAccess(start, end, instruction.name, form.space, is_converted, edits)


def _is_generic(shape: Shape) -> bool:
    """Whether instructions of a shape access memory without a state space."""
    return not any(each.startswith(_SPACES) for each in modifiers_of(shape.opcode))


def _address(instruction: DecodedInstruction) -> int:
    """Returns the number of the operand that is an address; -1 if there is none."""
    numbers = range(len(instruction.operands))
    forms = (instruction.operands[number].form for number in numbers)
    return next((n for n, form in zip(numbers, forms, strict=True) if form is _ADDRESS), -1)


_ADDRESS: Final = OperandForm.ADDRESS


def _is_register(computation: Computation, instruction: DecodedInstruction, number: int) -> bool:
    """Whether an address is in a register; ptxas knows where a variable is."""
    named = _named(instruction.operands[number].elements[0])
    return named is not None and computation.width(instruction, named) > 0


def _named(operand: OperandSyntax) -> OperandSyntax | None:
    """Returns the name in an operand, to which a constant may be added, as an operand."""
    part = named_part(operand)
    return None if part is None else operand._replace(text=part[0], elements=(), has_offset=False)


def _edits(
    computation: Computation, instruction: DecodedInstruction, number: int, space: str
) -> tuple[SpanEdit, ...]:
    """Returns the edits that name the state space, and that use an address within it."""
    inserted = _insertion(instruction, space)
    if space == _GLOBAL:
        return (inserted,)
    operand = instruction.operands[number].elements[0]
    inner = _unconverted(computation, instruction, operand)
    if inner is None:
        return ()
    name, converted = inner
    start = shifted(operand.start, instruction.found.start)
    return inserted, SpanEdit(start, along(start, len(name)), converted)


def _insertion(instruction: DecodedInstruction, space: str) -> SpanEdit:
    offset = opcode_start(instruction.found.text) + len(instruction.name)
    for modifier in instruction.modifiers:
        if modifier not in _BEFORE_SPACE:
            break
        offset += len(modifier)
    place = position(instruction.found, offset)
    return SpanEdit(place, place, space)


def _unconverted(
    computation: Computation, instruction: DecodedInstruction, operand: OperandSyntax
) -> tuple[str, str] | None:
    """Returns the register in an address, and what `cvta` makes it from, if that still holds."""
    named = _named(operand)
    maker = None if named is None else computation.maker(instruction, named)
    if named is None or maker is None or maker.name != "cvta" or ".to" in maker.modifiers:
        return None
    source = maker.operands[1]
    is_usable = source.form is OperandForm.IDENTIFIER and not source.elements
    if not is_usable or not computation.is_kept(maker, source, instruction):
        return None
    return named.text, source.text


@rule(
    "generic-access",
    on=GenericAccess,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*_OPCODES),
    in_compiler_output=None,
)
def generic_access(mismatch: GenericAccess, _: RuleContext) -> Finding:
    """Reports a generic load, store or atomic operation whose address is in a known state space.

    ## Why is this bad?
    The state space of a generic access is determined at run time. ptxas does not look for the
    `cvta` that made the address: the access stays generic. A generic access to shared memory takes
    the same path through the hardware as an access to global memory, and ptxas does not reorder it
    with shared or global accesses.

    The severity is hint if a `cvta` makes the address generic on purpose. An access to a variable
    by name is not reported: ptxas finds the state space of the variable.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry copy(.param .u64 from, .param .u64 to)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [from];
        ld.param.u64 %rd2, [to];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        ld.u32 %r1, [%rd3];
        st.global.u32 [%rd4], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry copy(.param .u64 from, .param .u64 to)
    {
        .reg .b32 %r<2>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [from];
        ld.param.u64 %rd2, [to];
        cvta.to.global.u64 %rd3, %rd1;
        cvta.to.global.u64 %rd4, %rd2;
        ld.global.u32 %r1, [%rd3];
        st.global.u32 [%rd4], %r1;
        ret;
    }
    ```
    """
    opcode, space = mismatch.opcode, mismatch.space
    message = (
        f"use `{opcode}{space}`: the address is always in `{space}`, but a generic access "
        "determines the state space at run time"
    )
    repairs: tuple[Repair, ...] = ()
    if mismatch.edits:
        repairs = (
            Repair(f"Replace with `{opcode}{space}`", mismatch.edits, Applicability.CERTAIN),
        )
    severity = Severity.HINT if mismatch.is_converted else None
    return Finding(message, severity=severity, repairs=repairs)
