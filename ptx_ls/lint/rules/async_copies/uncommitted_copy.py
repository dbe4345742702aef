"""The rule uncommitted-copy.

Source: PTX ISA, "Asynchronous copy": cp.async.commit_group, cp.async.bulk.commit_group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statement_after
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, Repair, RuleContext, rule
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.group_hazards import BULK_GROUPS, CP_ASYNC, group_hazards
from ptx_ls.source import Applicability, Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan


class UncommittedCopy(NamedTuple):
    """An asynchronous copy whose group is never closed.

    Attributes:
        start, end: the place of the copy.
        n_copies: how many copies come one after another there.
        commit: the instruction that is missing.
        wait: a wait that does not include the copy.
    """

    start: FunctionPosition
    end: FunctionPosition
    n_copies: int
    commit: str
    wait: FunctionSpan | None


def find(seen: CheckInput) -> Iterator[UncommittedCopy]:
    """Yields the copies that no commit follows."""
    sites = async_sites(seen.function, seen.module)
    if sites is None:
        return
    for name, commit in ((CP_ASYNC, _COMMIT), (BULK_GROUPS, _BULK_COMMIT)):
        for each in group_hazards(sites, name).never_completed():
            if not each.is_committed:
                wait = None if each.wait is None else (each.wait.start, each.wait.end)
                yield UncommittedCopy(each.copy.start, each.copy.end, each.n_copies, commit, wait)


_COMMIT = "cp.async.commit_group;"
_BULK_COMMIT = "cp.async.bulk.commit_group;"


@rule(
    "uncommitted-copy",
    on=UncommittedCopy,
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions("cp"),
)
def uncommitted_copy(mismatch: UncommittedCopy, context: RuleContext) -> Finding:
    """Reports asynchronous copies that no `commit_group` puts into a group.

    ## Why is this bad?
    `cp.async.wait_group` and `cp.async.bulk.wait_group` wait for groups of copies. A copy belongs
    to a group when the thread that issued it executes `cp.async.commit_group` or
    `cp.async.bulk.commit_group`. Otherwise, no instruction waits for the copy: a thread may read
    the data or overwrite the source too early. Each kind of copy has its own groups:
    `cp.async.commit_group` does not commit bulk copies.

    A copy is reported only in kernels without calls, and only if no path leads from the copy to a
    commit.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<6>;
        .shared .align 16 .b8 buffer[512];
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        cvt.u64.u32 %rd3, %r2;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
        mov.u32 %r3, buffer;
        add.s32 %r3, %r3, %r2;
        cp.async.ca.shared.global [%r3], [%rd4], 4;
        cp.async.wait_group 0;
        ld.shared.b32 %r4, [%r3];
        st.global.b32 [%rd5], %r4;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry take(.param .b64 from, .param .b64 result)
    .reqntid 128
    {
        .reg .b32 %r<5>;
        .reg .b64 %rd<6>;
        .shared .align 16 .b8 buffer[512];
        ld.param.b64 %rd1, [from];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        shl.b32 %r2, %r1, 2;
        cvt.u64.u32 %rd3, %r2;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
        mov.u32 %r3, buffer;
        add.s32 %r3, %r3, %r2;
        cp.async.ca.shared.global [%r3], [%rd4], 4;
        cp.async.commit_group;
        cp.async.wait_group 0;
        ld.shared.b32 %r4, [%r3];
        st.global.b32 [%rd5], %r4;
        ret;
    }
    ```
    """
    what = "this copy is" if mismatch.n_copies == 1 else f"{mismatch.n_copies} copies are"
    message = f"{what} never committed to a group: no `{mismatch.commit[:-1]}` follows"
    related: tuple[Related, ...] = ()
    if mismatch.wait is not None:
        message += f", so no instruction waits for {'it' if mismatch.n_copies == 1 else 'them'}"
        related = (Related(*mismatch.wait, "this instruction waits only for committed groups"),)
    repairs: tuple[Repair, ...] = ()
    if mismatch.n_copies == 1:
        repairs = with_statement_after(
            mismatch.start, mismatch.end, mismatch.commit, context, Applicability.UNSAFE
        )
    return Finding(message, repairs=repairs, related=related)
