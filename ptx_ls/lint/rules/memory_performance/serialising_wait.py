"""The rule serialising-wait.

Source: PTX ISA, "cp.async.wait_group", "wgmma.wait_group", "tcgen05.wait".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.fixes.statements import without_statement
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.covered_waits import CoveredWait, covered_waits
from ptx_ls.protocols.pipelined_loops import DeepWait, deep_waits
from ptx_ls.protocols.wait_sites import OPCODES, WaitSites, has_waits
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.function_values import function_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found

_OPERATIONS: Final = {
    "wgmma": "matrix instructions",
    "tcgen05.ld": "loads",
    "tcgen05.st": "stores",
}
_COPIES: Final = "copies"


class SerialisingWait(NamedTuple):
    """A wait for more than needed.

    Attributes:
        operations: what it waits for.
        n_pending: how many groups it could leave pending; None if it could be left out.
        distance: after how many iterations a copy is read; 0 if it could be left out.
        other: a later wait for the same, or the copy.
    """

    operations: str
    n_pending: int | None
    distance: int
    other: FunctionSpan
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[SerialisingWait]:
    """Yields the waits of a function for more than needed."""
    if not has_waits(seen.text):
        return
    values = function_values(seen.function, seen.module)
    if not values.is_readable:
        return
    sites = WaitSites(values)
    found = [*map(_covered, covered_waits(sites)), *map(_deep, deep_waits(sites))]
    yield from sorted(found, key=lambda each: each.start)


def _covered(each: CoveredWait) -> SerialisingWait:
    operations = _OPERATIONS.get(each.of, _COPIES)
    return SerialisingWait(operations, None, 0, _span(each.later), *_span(each.wait))


def _deep(each: DeepWait) -> SerialisingWait:
    return SerialisingWait(
        _COPIES, each.n_pending, each.distance, _span(each.copy), *_span(each.wait)
    )


def _span(found: Found) -> FunctionSpan:
    return found.start, found.end


@rule(
    "serialising-wait",
    on=SerialisingWait,
    severity=Severity.INFORMATION,
    find=find,
    looks_at=Instructions(*OPCODES),
    in_compiler_output=None,
)
def serialising_wait(mismatch: SerialisingWait, context: RuleContext) -> Finding:
    """Reports a wait that keeps asynchronous operations from overlapping.

    ## Why is this bad?
    Copies and matrix instructions are asynchronous so that they overlap with each other and with
    other work. Two kinds of wait prevent this overlap:

    - a wait that is followed only by operations of the same kind, and then by another wait for all
      of these operations. Without the first wait, these operations could run at the same time;
    - a wait for the newest groups, in a loop that copies data for a later iteration.
      `cp.async.wait_group N` leaves the N newest groups pending.

    A wait in a loop is reported if all addresses are known, each iteration commits one group, and
    nothing reads the data of a copy in the iteration that issues the copy.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry sum(.param .b64 data, .param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<8>;
        .reg .b64 %rd<8>;
        .shared .align 4 .b8 left[128];
        .shared .align 4 .b8 right[128];
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, left;
        add.s32 %r3, %r3, %r2;
        mov.u32 %r4, right;
        add.s32 %r4, %r4, %r2;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        cp.async.ca.shared.global [%r3], [%rd4], 4;
        cp.async.wait_all;
        cp.async.ca.shared.global [%r4], [%rd4+128], 4;
        cp.async.wait_all;
        ld.shared.b32 %r5, [%r3];
        ld.shared.b32 %r6, [%r4];
        add.s32 %r7, %r5, %r6;
        add.s64 %rd5, %rd2, %rd3;
        st.global.b32 [%rd5], %r7;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry sum(.param .b64 data, .param .b64 result)
    .reqntid 32
    {
        .reg .b32 %r<8>;
        .reg .b64 %rd<8>;
        .shared .align 4 .b8 left[128];
        .shared .align 4 .b8 right[128];
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        mov.u32 %r3, left;
        add.s32 %r3, %r3, %r2;
        mov.u32 %r4, right;
        add.s32 %r4, %r4, %r2;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        cp.async.ca.shared.global [%r3], [%rd4], 4;
        cp.async.ca.shared.global [%r4], [%rd4+128], 4;
        cp.async.wait_all;
        ld.shared.b32 %r5, [%r3];
        ld.shared.b32 %r6, [%r4];
        add.s32 %r7, %r5, %r6;
        add.s64 %rd5, %rd2, %rd3;
        st.global.b32 [%rd5], %r7;
        ret;
    }
    ```
    """
    if mismatch.n_pending is None:
        repairs = without_statement(
            mismatch.start, mismatch.end, context, "the wait", Applicability.UNSAFE
        )
        return Finding(
            f"this wait keeps {mismatch.operations} from overlapping: the next wait waits for the "
            "same operations, and no instruction in between uses their results",
            related=(
                Related(*mismatch.other, "this instruction waits for all of these operations"),
            ),
            repairs=repairs,
        )
    when = "in the next iteration"
    if mismatch.distance > 1:
        when = f"{mismatch.distance} iterations later"
    return Finding(
        f"this instruction waits for copies whose data is first read {when}: `cp.async.wait_group "
        f"{mismatch.n_pending}` would let these copies continue",
        related=(Related(*mismatch.other, f"the data of this copy is read {when}"),),
    )
