"""The rule address-round-trip.

Source: the machine code of ptxas 13.5 for sm_90 and newer, which reads the start of the window of
shared memory although it is added and subtracted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.isa.version import parse_target
from ptx_ls.lint.performance.computation import Computation
from ptx_ls.lint.performance.instructions import opcode_span
from ptx_ls.lint.performance.replacing import replacement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.rule import SpanEdit
    from ptx_ls.values.decoding import DecodedInstruction

_OPCODE: Final = "cvta"
_BACK: Final = "cvta.to.shared"
_SPACE: Final = ".shared"
_FIRST_TARGET: Final = 90


class AddressRoundTrip(NamedTuple):
    """A conversion of an address to generic and back.

    Attributes:
        start: where the opcode of the conversion back begins.
        end: where it ends.
        line: the instruction that does the same; "" if the address is changed in between.
        there: the place of the conversion to generic, if it comes right before.
        edits: the edits that write the instruction.
    """

    start: FunctionPosition
    end: FunctionPosition
    line: str
    there: FunctionSpan | None
    edits: tuple[SpanEdit, ...]


def find(seen: CheckInput) -> Iterator[AddressRoundTrip]:
    """Yields the conversions of a function that undo others."""
    shapes = {each for each in seen.text.shapes_of((_OPCODE,)) if each.opcode.startswith(_BACK)}
    target = next(filter(None, map(parse_target, seen.module.context.target)), None)
    if not shapes or target is None or target[0] < _FIRST_TARGET:
        return
    computation = Computation(seen)
    for instruction in computation.instructions(shapes):
        form = computation.values.operand(instruction.found, 1).affine
        if form is not None and form.windows == {_SPACE: 1} and not form.is_mapped:
            yield _found(computation, instruction)


def _found(computation: Computation, instruction: DecodedInstruction) -> AddressRoundTrip:
    span, maker = opcode_span(instruction.found), None
    if len(instruction.operands) > 1:
        maker = computation.maker(instruction, instruction.operands[1])
    if maker is None or maker.name != _OPCODE or ".to" in maker.modifiers:
        return AddressRoundTrip(*span, "", None, ())
    result, source = instruction.operands[0], maker.operands[1]
    if not computation.is_kept(maker, source, instruction):
        return AddressRoundTrip(*span, "", opcode_span(maker.found), ())
    line = f"mov{instruction.modifiers[-1]} {result.text}, {source.text}"
    edits = replacement(instruction.found, [line])
    return AddressRoundTrip(*span, line, opcode_span(maker.found), edits)


@rule(
    "address-round-trip",
    on=AddressRoundTrip,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(_OPCODE),
    in_compiler_output=None,
)
def address_round_trip(mismatch: AddressRoundTrip, _: RuleContext) -> Finding:
    """Reports a shared memory address that is converted to a generic address and back.

    ## Why is this bad?
    ptxas does not remove the two conversions: on sm_90 and newer, it reads the base address of
    shared memory, adds it, and subtracts it again. Use the address from before the conversions
    instead.

    ## Example
    ```ptx
    .version 7.8
    .target sm_90
    .address_size 64
    .shared .align 4 .b32 sums[256];
    .visible .entry clear()
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<5>;
        mov.u32 %r1, %tid.x;
        mov.u64 %rd1, sums;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        cvta.shared.u64 %rd4, %rd3;
        cvta.to.shared.u64 %rd4, %rd4;
        st.shared.u32 [%rd4], 0;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.8
    .target sm_90
    .address_size 64
    .shared .align 4 .b32 sums[256];
    .visible .entry clear()
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<4>;
        mov.u32 %r1, %tid.x;
        mov.u64 %rd1, sums;
        mul.wide.u32 %rd2, %r1, 4;
        add.s64 %rd3, %rd1, %rd2;
        st.shared.u32 [%rd3], 0;
        ret;
    }
    ```
    """
    message = (
        "this conversion undoes an earlier `cvta.shared`: use the address from before that "
        "conversion"
    )
    related = (
        (Related(*mismatch.there, "the address is converted to a generic address here"),)
        if mismatch.there
        else ()
    )
    repairs: tuple[Repair, ...] = ()
    if mismatch.edits:
        title = f"Replace with `{mismatch.line}`"
        repairs = (Repair(title, mismatch.edits, Applicability.CERTAIN),)
    return Finding(message, repairs=repairs, related=related)
