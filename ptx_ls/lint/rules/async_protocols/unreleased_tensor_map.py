"""The rule unreleased-tensor-map.

Source: PTX ISA, "tensormap.replace", "fence.proxy.tensormap".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.lint.fixes.statements import with_statement_after
from ptx_ls.lint.protocols.broken_protocol import (
    BrokenProtocol,
    broken_at_event,
    broken_at_origin,
    is_about,
)
from ptx_ls.lint.rule import (
    CheckInput,
    Finding,
    Instructions,
    Repair,
    RuleContext,
    related_at,
    rule,
)
from ptx_ls.protocols.tensor_maps import OPCODE, tensor_maps
from ptx_ls.semantics.understood import is_understood
from ptx_ls.source import Applicability, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "unreleased-tensor-map"
_USE = "use"
_RELEASE = "fence.proxy.tensormap::generic.release.gpu;"


def find(seen: CheckInput) -> Iterator[BrokenProtocol]:
    """Yields the copies of a function with a tensor map that is not released."""
    if is_understood(seen.function, seen.text):
        maps = tensor_maps(seen.function, seen.module)
        used = [each for each in maps.violations if each.misuse.event == _USE]
        lost = [each for each in maps.violations if each.misuse.event != _USE]
        yield from broken_at_event(_NAME, maps.sites, used)
        yield from broken_at_origin(_NAME, maps.sites, lost)


@rule(
    _NAME,
    on=BrokenProtocol,
    where=is_about(_NAME),
    severity=Severity.WARNING,
    find=find,
    looks_at=Instructions(OPCODE),
)
def unreleased_tensor_map(mismatch: BrokenProtocol, context: RuleContext) -> Finding:
    """Reports a copy whose tensor map was changed but not released.

    ## Why is this bad?
    Copies read tensor maps through the tensormap proxy. A change made by `tensormap.replace`
    reaches that proxy only if the thread that made it releases the tensor map. Release a map that
    was changed in shared memory with `tensormap.cp_fenceproxy`, and any other map with
    `fence.proxy.tensormap::generic.release`. The thread that uses the tensor map must then acquire
    the map. Otherwise, the copy may use the old map, or a mixture of the old map and the new map.

    ```text
    tensormap.replace ─▶ cp_fenceproxy or fence ... release ─▶ fence ... acquire ─▶ copy with it
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
        @%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd2;
        fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
        @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r1], [%rd1, {%r3}], [%r2];
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
        @%p1 tensormap.replace.tile.global_address.global.b1024.b64 [%rd3], %rd2;
        fence.proxy.tensormap::generic.release.gpu;
        fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
        @%p1 cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes
            [%r1], [%rd1, {%r3}], [%r2];
    wait:
        mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;
        @!%p2 bra wait;
        ret;
    }
    ```
    """
    if mismatch.event != _USE:
        return Finding(
            "this change of a tensor map is lost: no instruction releases or copies the tensor map "
            "before the same field is changed again",
            related=related_at(mismatch.other, "the field is changed again here"),
        )
    repairs: tuple[Repair, ...] = ()
    if mismatch.other_statement is not None:
        repairs = with_statement_after(
            *mismatch.other_statement, _RELEASE, context, Applicability.UNSAFE
        )
    return Finding(
        "this instruction uses a tensor map that was changed but not released: insert "
        "`fence.proxy.tensormap::generic.release` after the change",
        related=related_at(mismatch.other, "the tensor map is changed here"),
        repairs=repairs,
    )
