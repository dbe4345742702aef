"""The rule early-grid-access.

Source: PTX ISA, "griddepcontrol".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.protocols.dependent_grids import OPCODE, dependent_grid, waits_for_grids
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "early-grid-access"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the first access of a kernel to global memory that comes before the wait."""
    if waits_for_grids(seen.text) and is_understood(seen.function, seen.text):
        grid = dependent_grid(seen.function, seen.module)
        yield from broken_at_event(_NAME, grid.sites, grid.violations())


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.HINT,
    find=find,
    looks_at=Instructions(OPCODE),
)
def early_grid_access(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports an access to global memory before `griddepcontrol.wait`.

    ## Why is this bad?
    A kernel with `griddepcontrol.wait` may start while the earlier grids that it depends on are
    still running. Before the wait, an access may read data that an earlier grid has not yet
    written, or overwrite data that an earlier grid still reads. Before the wait, read only data
    that no earlier grid writes, such as constants. This rule is off by default, because a kernel
    does not show what other grids write.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .b64 data, .param .b64 result)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<6>;
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
        ld.global.b32 %r2, [%rd4];
        griddepcontrol.wait;
        st.global.b32 [%rd5], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel(.param .b64 data, .param .b64 result)
    {
        .reg .b32 %r<4>;
        .reg .b64 %rd<6>;
        ld.param.b64 %rd1, [data];
        ld.param.b64 %rd2, [result];
        mov.u32 %r1, %tid.x;
        mul.wide.u32 %rd3, %r1, 4;
        add.s64 %rd4, %rd1, %rd3;
        add.s64 %rd5, %rd2, %rd3;
        griddepcontrol.wait;
        ld.global.b32 %r2, [%rd4];
        st.global.b32 [%rd5], %r2;
        ret;
    }
    ```
    """
    return Finding(
        f"`{mismatch.opcode}` may run before earlier grids end: no `griddepcontrol.wait` precedes "
        "it"
    )
