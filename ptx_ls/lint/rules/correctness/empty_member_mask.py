"""The rule empty-member-mask.

Source: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync" and
"bar.warp.sync".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.moved_constants import judged, moved_constant
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import shifted
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found

_OPCODES: Final = ("shfl", "vote", "match", "redux", "elect", "bar", "barrier")
_WITH_MASK_LAST: Final = ("shfl", "vote", "match", "redux", "elect")
"""The instructions whose last operand is the mask."""
_SYNC: Final = ".sync"
_MASK: Final = "membermask"
_LANES: Final = 32


class EmptyMemberMask(NamedTuple):
    """A mask of lanes that names none."""

    opcode: str
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[EmptyMemberMask]:
    """Yields the masks of a function that name no lane."""
    for use in unusual_constants(seen.function):
        mask = use.constant(_MASK)
        if mask is not None and mask.whole is not None and mask.whole % (1 << _LANES) == 0:
            yield EmptyMemberMask(use.shape.opcode, mask.start, mask.end)
    yield from _in_registers(seen)


def _in_registers(seen: CheckInput) -> Iterator[EmptyMemberMask]:
    """Yields the masks in registers that are always 0.

    A compiler would have found out what it computes, so there, these are only constants that it
    moved to registers.
    """
    shapes = {each for each in seen.text.shapes_of(_WITH_MASK_LAST) if _ends_with_register(each)}
    if not shapes:
        return
    if seen.is_generated:
        flow = function_flow(seen.function, seen.module.never_returning)
        yield from judged(flow, shapes, lambda found: _moved(flow, found))
        return
    from ptx_ls.values.function_values import function_values  # noqa: PLC0415  for few functions

    values = function_values(seen.function, seen.module)
    for found in seen.text.statements_of(seen.text.with_shapes(shapes)):
        shape = found.record
        if isinstance(shape, Shape) and shape in shapes:
            number = len(shape.operands) - 1
            if values.operand(found, number).constant == 0:
                mask = written_operands(shape, found.text)[number]
                start, end = (shifted(each, found.start) for each in (mask.start, mask.end))
                yield EmptyMemberMask(shape.opcode, start, end)


def _moved(flow: FunctionFlow, found: Found) -> EmptyMemberMask | None:
    """Returns the mask of a statement if it is 0, and in a register."""
    if not isinstance(found.record, Shape):
        return None
    mask = moved_constant(flow, found, len(found.record.operands) - 1)
    is_empty = mask is not None and mask.number % (1 << _LANES) == 0
    return EmptyMemberMask(found.record.opcode, *mask.span) if mask and is_empty else None


def _ends_with_register(shape: Shape) -> bool:
    is_masked = _SYNC in shape.opcode and len(shape.operands) > 1
    return is_masked and shape.operands[-1].form is OperandForm.IDENTIFIER


@rule(
    "empty-member-mask",
    on=EmptyMemberMask,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_OPCODES),
)
def empty_member_mask(mismatch: EmptyMemberMask, _: RuleContext) -> Finding:
    """Reports a member mask that is 0.

    ## Why is this bad?
    The mask selects the lanes that take part, and must include the lane that executes the
    instruction. Otherwise, the behaviour is undefined.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0;
        st.global.b32 [%rd1], %r2;
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
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    return Finding(f"the mask of `{mismatch.opcode}` is 0, but must include the executing lane")
