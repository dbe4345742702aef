"""The rule missing-wait.

Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". If a result of
`wgmma.mma_async` is read before a `wgmma.wait_group`, ptxas inserts one when it generates code.
Pending results are forgotten at labels and at instructions that leave a block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.calls.call_sites import position, statements_with
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import find_names, names_in
from ptx_ls.syntax.offsets import along, place_of, shifted
from ptx_ls.syntax.operands import OperandForm, OperandSyntax
from ptx_ls.syntax.record import Kind, Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import RegionText

_OPCODE: Final = "wgmma"
_COMPUTES: Final = "wgmma.mma_async"
_WAITS: Final = "wgmma.wait_group"
_LEAVES: Final = frozenset({"bra", "brx", "call", "ret", "exit", "trap"})


class MissingWait(NamedTuple):
    """A read of a register that a matrix instruction may still have to write.

    If no instruction of the function waits, `register` is "" and the place is that of the matrix
    instruction.
    """

    register: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[MissingWait]:
    """Yields the first place of a function where ptxas has to wait for a matrix instruction."""
    text = seen.text
    own = text.shapes_of((_OPCODE,))
    if not any(shape.opcode.startswith(_COMPUTES) for shape in own) or not text.is_whole:
        return
    if any(shape.opcode.startswith(_WAITS) for shape in own):
        yield from _reads(text)
        return
    for found in statements_with(text, frozenset({_OPCODE})):
        start = found.text.find(_COMPUTES)
        if start >= 0:
            end = start + len(_COMPUTES)
            yield MissingWait("", position(found, start), position(found, end))
            return


def _reads(text: RegionText) -> Iterator[MissingWait]:
    pending: set[str] = set()
    for found in text.statements():
        read = found.record
        if not isinstance(read, Shape):
            if read.kind in (Kind.LABEL, Kind.FUNCTION, Kind.BROKEN):
                pending.clear()
        elif read.opcode.startswith(_COMPUTES):
            pending.update(names_in(written_operands(read, found.text)[0].text))
        elif read.opcode.startswith(_WAITS) or read.name in _LEAVES:
            pending.clear()
        elif pending and not read.opcode.startswith(_OPCODE):
            for operand in _sources(written_operands(read, found.text)):
                for name in find_names(operand.text):
                    if name[0] in pending:
                        place = shifted(place_of(operand.text, name.start()), operand.start)
                        start = shifted(place, found.start)
                        yield MissingWait(name[0], start, along(start, len(name[0])))
                        return


def _sources(operands: tuple[OperandSyntax, ...]) -> tuple[OperandSyntax, ...]:
    """Returns the operands that are read: all but the destination, or all of a store."""
    is_store = bool(operands) and operands[0].form is OperandForm.ADDRESS
    return operands if is_store else operands[1:]


@rule(
    "missing-wait",
    on=MissingWait,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(_OPCODE),
)
def missing_wait(mismatch: MissingWait, _: RuleContext) -> Finding:
    """Reports a result of `wgmma.mma_async` that is read before `wgmma.wait_group`.

    ## Why is this bad?
    The instruction is asynchronous, and its registers must not be used before it is done. The
    assembler inserts the wait and prints a message; it may also serialize the instructions, which
    costs time.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        st.global.f32 [%rd3], %f1;
        wgmma.wait_group.sync.aligned 0;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 a, .param .b64 b, .param .b64 result)
    {
        .reg .f32 %f<5>;
        .reg .b64 %rd<4>;
        ld.param.b64 %rd1, [a];
        ld.param.b64 %rd2, [b];
        ld.param.b64 %rd3, [result];
        wgmma.fence.sync.aligned;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
            {%f1, %f2, %f3, %f4}, %rd1, %rd2, 0, 1, 1, 0, 0;
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;
        st.global.f32 [%rd3], %f1;
        ret;
    }
    ```
    """
    if not mismatch.register:
        return Finding("no `wgmma.wait_group` of this function waits for `wgmma.mma_async`")
    return Finding(
        f"`{mismatch.register}` is read before a `wgmma.wait_group` that waits for it: "
        "`wgmma.mma_async` may still have to write it"
    )
