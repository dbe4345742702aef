"""The rule false-uniform-branch.

Source: PTX ISA, "bra" and "brx.idx": `.uni` guarantees that all active threads of a
warp have the same guard and the same target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.collectives.mismatches import related_to
from ptx_ls.lint.collectives.reasons import DivisionReason, reason_of_use
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
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPCODES: Final = ("bra", "brx")
_UNIFORM: Final = ".uni"


class FalseUniformBranch(NamedTuple):
    """A branch with `.uni` on which the lanes of a warp do not agree.

    `register`: the guard or index that differs. `modifier`: the place of `.uni`.
    """

    opcode: str
    register: str
    reason: DivisionReason
    modifier: tuple[FunctionPosition, FunctionPosition]
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[FalseUniformBranch]:
    """Yields the branches of a function whose `.uni` is a false promise."""
    chosen = {
        shape
        for shape in seen.text.shapes_of(_OPCODES)
        if _UNIFORM in modifiers_of(shape.opcode) and (shape.guard or shape.name == "brx")
    }
    if not chosen:
        return
    uniformity = function_uniformity(seen.function, seen.module)
    for found in seen.text.statements_of(seen.text.with_shapes(chosen)):
        if not isinstance(found.record, Shape) or found.record not in chosen:
            continue
        instruction = uniformity.values.given.decoder.of_statement(found)
        guard = uniformity.guard_of(found)
        reads = [each for each in instruction.uses if uniformity.flow.uses.ways[each] & READS]
        for use in reads if instruction.name == "brx" else [] if guard is None else [guard]:
            if uniformity.may_be_known(use) and uniformity.read(use).is_surely_divergent:
                at = found.text.find(_UNIFORM)
                yield FalseUniformBranch(
                    found.record.opcode,
                    uniformity.flow.name_of(use),
                    reason_of_use(uniformity, use),
                    (position(found, at), position(found, at + len(_UNIFORM))),
                    found.start,
                    found.end,
                )
                break


@rule(
    "false-uniform-branch",
    on=FalseUniformBranch,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(*_OPCODES),
)
def false_uniform_branch(mismatch: FalseUniformBranch, _: RuleContext) -> Finding:
    """Reports a branch with `.uni` whose guard or target differs between lanes of a warp.

    ## Why is this bad?
    `.uni` asserts that all active lanes of a warp branch to the same target. ptxas relies on this
    assertion and does not check it. If active lanes branch to different targets, the behaviour is
    undefined. A condition on `%laneid`, on the low bits of `%tid` or on the result of `elect.sync`
    differs between lanes.

    ## Example
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra.uni DONE;
        st.global.b32 [%rd1], %r1;
    DONE:
        st.global.b32 [%rd1+4], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra DONE;
        st.global.b32 [%rd1], %r1;
    DONE:
        st.global.b32 [%rd1+4], %r1;
        ret;
    }
    ```
    """
    source = mismatch.reason.source
    reason = f", because it depends on {source}" if source else ""
    edit = SpanEdit(*mismatch.modifier, "")
    return Finding(
        f"`{mismatch.opcode}` asserts that all lanes of a warp branch to the same target, but "
        f"`{mismatch.register}` differs between lanes{reason}",
        repairs=(Repair("Remove `.uni`", (edit,), Applicability.UNSAFE),),
        related=related_to(mismatch.reason)[1:],
    )
