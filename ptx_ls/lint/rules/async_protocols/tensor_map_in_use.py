"""The rule tensor-map-in-use.

Source: PTX ISA, "tensormap.replace", "cp.async.bulk.tensor".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.protocols.broken_protocol import BrokenProtocol, broken_at_event, is_about
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, related_at, rule
from ptx_ls.protocols.tensor_maps import OPCODE, tensor_maps
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "tensor-map-in-use"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the changes of a function to tensor maps that copies may still use."""
    if is_understood(seen.function, seen.text):
        maps = tensor_maps(seen.function, seen.module)
        yield from broken_at_event(_NAME, maps.sites, maps.violations)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def tensor_map_in_use(mismatch: BrokenProtocol, _: RuleContext) -> Finding:
    """Reports a change of a tensor map that a copy may still use.

    ## Why is this bad?
    `cp.async.bulk.tensor` is asynchronous, and may read its tensor map until the copy is complete.
    If a thread changes the tensor map earlier, the copy may use a mixture of the old map and the
    new map. Wait for the copy first.

    ```text
    copy with the map ─▶ mbarrier.try_wait or cp.async.bulk.wait_group ─▶ tensormap.replace
    ```

    ## Example
    ```ptx
    .version 8.3
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 map, .param .b64 data)
    .reqntid 32
    {
        .reg .pred %p<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        .shared .align 128 .b8 tile[1024];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [map];
        ld.param.b64 %rd2, [data];
        mov.b32 %r3, 0;
        cvta.to.global.u64 %rd3, %rd1;
        mov.u32 %r1, tile;
        mov.u32 %r2, full;
        elect.sync _|%p1, -1;
        @%p1 mbarrier.init.shared::cta.b64 [%r2], 1;
        @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
        bar.warp.sync -1;
        @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r1], [%rd1, {%r3}], [%r2];
        @%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd2;
        fence.proxy.tensormap::generic.release.gpu;
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
        @!%p2 bra wait;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.3
    .target sm_90a
    .address_size 64
    .visible .entry kernel(.param .b64 map, .param .b64 data)
    .reqntid 32
    {
        .reg .pred %p<3>;
        .reg .b32 %r<4>;
        .reg .b64 %rd<4>;
        .shared .align 128 .b8 tile[1024];
        .shared .align 8 .b64 full;
        ld.param.b64 %rd1, [map];
        ld.param.b64 %rd2, [data];
        mov.b32 %r3, 0;
        cvta.to.global.u64 %rd3, %rd1;
        mov.u32 %r1, tile;
        mov.u32 %r2, full;
        elect.sync _|%p1, -1;
        @%p1 mbarrier.init.shared::cta.b64 [%r2], 1;
        @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 1024;
        bar.warp.sync -1;
        @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r1], [%rd1, {%r3}], [%r2];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
        @!%p2 bra wait;
        @%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd2;
        fence.proxy.tensormap::generic.release.gpu;
        ret;
    }
    ```
    """
    return Finding(
        f"`{mismatch.opcode}` changes a tensor map while a copy may still read it: no wait for the "
        "copy precedes this instruction",
        related=related_at(mismatch.other, "this copy uses the tensor map"),
    )
