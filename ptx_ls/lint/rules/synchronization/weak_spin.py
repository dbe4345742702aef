"""The rule weak-spin.

Source: PTX ISA, "Memory Consistency Model"; machine code of ptxas, which keeps no such loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.statement_uses import name_span
from ptx_ls.lint.candidates.statements import has_branches
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Related,
    Repair,
    RuleContext,
    SpanEdit,
    rule,
)
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import along
from ptx_ls.threads.flags.weak_spins import weak_spins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan

_LOAD = "ld"
_WEAK = ".weak"
_WITHOUT_VOLATILE: Final = frozenset({"ca", "cg", "cs", "lu", "cv", "nc"})
"""Modifiers that `.volatile` excludes."""


class WeakSpinLoop(NamedTuple):
    """A weak load that a loop waits for.

    `opcode`: the load with its modifiers. `branch`: the place of the condition for the next round.
    """

    opcode: str
    branch: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[WeakSpinLoop]:
    """Yields the weak loads of a function that a loop waits for."""
    if not is_understood(seen.function, seen.text):
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    for load, guard in weak_spins(flow):
        opcode = load.text[load.text.index(_LOAD) :].split()[0]
        start = along(load.start, load.text.index(opcode))
        yield WeakSpinLoop(opcode, name_span(flow, guard)[0], start, along(start, len(opcode)))


@rule(
    "weak-spin",
    on=WeakSpinLoop,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(_LOAD),
    given=has_branches,
)
def weak_spin(mismatch: WeakSpinLoop, _: RuleContext) -> Finding:
    """Reports a loop that uses a weak load to wait for other threads.

    ## Why is this bad?
    A load without `.volatile`, `.relaxed` or `.acquire` is weak. If nothing else in the loop writes
    memory or orders accesses, ptxas is allowed to move the load out of the loop, and does so. The
    loop then ends at once or never, whatever other threads write.

    `.acquire` also makes the earlier writes of the other thread visible; `.volatile` and `.relaxed`
    only make the loop read the value again. The fix writes `.volatile`, because `.acquire` and
    `.relaxed` need a scope, which only the author of the kernel can choose. Cache operators such as
    `.cv` do not help.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry wait(.param .b64 flag)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [flag];
    again:
        ld.global.b32 %r1, [%rd1];
        setp.eq.s32 %p1, %r1, 0;
        @%p1 bra again;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry wait(.param .b64 flag)
    {
        .reg .pred %p<2>;
        .reg .b32 %r<2>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [flag];
    again:
        ld.acquire.gpu.global.b32 %r1, [%rd1];
        setp.eq.s32 %p1, %r1, 0;
        @%p1 bra again;
        st.global.b32 [%rd1], %r1;
        ret;
    }
    ```
    """
    name = mismatch.opcode
    rest = name.removeprefix(_LOAD).replace(_WEAK, "", 1)
    edit = SpanEdit(mismatch.start, mismatch.end, f"{_LOAD}.volatile{rest}")
    is_plain = _WITHOUT_VOLATILE.isdisjoint(rest.split("."))
    repair = Repair("Make the load volatile", (edit,), Applicability.GUESS)
    return Finding(
        f"this loop may never see a value that another thread writes: `{name}` is weak, so the "
        "loop may read memory only once",
        related=(
            Related(
                *mismatch.branch, "whether the loop continues depends only on the loaded value"
            ),
        ),
        repairs=(repair,) if is_plain and "::" not in rest else (),
    )
