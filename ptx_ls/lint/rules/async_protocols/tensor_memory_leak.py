"""The rule tensor-memory-leak.

Source: PTX ISA, "tcgen05.alloc", "tcgen05.dealloc".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.flow.block_ends import last_instruction
from ptx_ls.lint.protocols.broken_protocol import (
    BrokenProtocol,
    broken_at_origin,
    is_about,
    opcode_of,
    opcode_of_statement,
)
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.protocols.tensor_leaks import leaking_branches
from ptx_ls.protocols.tensor_memory import OPCODE, tensor_memory
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.protocols.tensor_memory import TensorMemory

_NAME = "tensor-memory-leak"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the allocations of a kernel that it never frees."""
    if is_understood(seen.function, seen.text):
        memory = tensor_memory(seen.function, seen.module)
        yield from broken_at_origin(_NAME, memory.sites, memory.violations)
        yield from _on_some_path(memory)


def _on_some_path(memory: TensorMemory) -> Iterator[BrokenProtocol]:
    """Yields the allocations that a kernel frees, but not where a branch leads to its end."""
    flow = memory.found.values.flow
    for number, block in leaking_branches(memory.found):
        site = memory.sites[number]
        branch = last_instruction(flow.text, memory.found.values.graph, block)
        if branch is not None:
            opcode, start, end = opcode_of(site)
            other, *place = opcode_of_statement(branch)
            yield BrokenProtocol(
                _NAME,
                opcode,
                "end",
                "",
                (place[0], place[1]),
                other,
                start,
                end,
                (site.found.start, site.found.end),
                (branch.start, branch.end),
                is_followed=False,
            )


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def tensor_memory_leak(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports a kernel that allocates Tensor Memory and does not free it.

    ## Why is this bad?
    All Tensor Memory must be freed before a kernel ends. Other blocks on the same multiprocessor
    wait in `tcgen05.alloc` until enough Tensor Memory is free. The rule also reports the
    allocation if a branch leads past all `tcgen05.dealloc` to the end of the kernel, and only
    parameters decide the branch.

    ```text
    tcgen05.alloc ─▶ ... ─▶ tcgen05.dealloc ─▶ ret
    ```

    ## Example
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    .reqntid 32
    {
        .reg .b32 %r<3>;
        .shared .align 4 .b32 address;
        mov.u32 %r1, address;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.6
    .target sm_100a
    .address_size 64
    .visible .entry kernel()
    .reqntid 32
    {
        .reg .b32 %r<3>;
        .shared .align 4 .b32 address;
        mov.u32 %r1, address;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 32;
        tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
        bar.warp.sync -1;
        ld.shared.b32 %r2, [address];
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 32;
        ret;
    }
    ```
    """
    if mismatch.other is not None:
        return Finding(
            "on some path to the end of the kernel, no `tcgen05.dealloc` frees this Tensor Memory, "
            "so other blocks may wait for it forever",
            related=(Related(*mismatch.other, "a path from here contains no `tcgen05.dealloc`"),),
        )
    return Finding(
        "no `tcgen05.dealloc` frees this Tensor Memory before the kernel ends, so other blocks "
        "may wait for it forever"
    )
