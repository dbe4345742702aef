"""Nothing raises on any text, and hazards are in the function that they are found in."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.protocols.async_sites import async_sites
from ptx_ls.protocols.group_hazards import BULK_GROUPS, CP_ASYNC, group_hazards
from ptx_ls.protocols.mbarriers.bulk_reads import early_bulk_reads
from ptx_ls.protocols.mbarriers.lifetimes import wrong_lifetimes
from ptx_ls.protocols.mbarriers.objects import mbarrier_objects
from ptx_ls.protocols.mbarriers.phases import repeated_parities, wrong_arrivals, wrong_bytes
from ptx_ls.protocols.mbarriers.waits import single_waits
from ptx_ls.protocols.memory.group_accesses import early_accesses
from ptx_ls.protocols.memory.proxy_hazards import proxy_hazards
from ptx_ls.semantics.symbols.module_facts import module_facts

_HEAD = [
    ".version 8.6", ".target sm_90a", ".address_size 64", ".visible .entry k(.param .u64 n)",
]  # fmt: skip
_DECLARATIONS = [
    ".reqntid 64", "{", ".reg .pred %p<4>;", ".reg .b32 %r<9>;", ".reg .b64 %rd<9>;",
    ".shared .align 128 .b8 s[1024];", ".shared .align 8 .b64 m[2];", "mov.u32 %r1, %tid.x;",
    "mov.u32 %r2, s;", "mov.u32 %r3, m;", "mad.lo.u32 %r4, %r1, 16, %r2;",
    "setp.eq.u32 %p1, %r1, 0;",
]  # fmt: skip
_LINES = [
    "cp.async.cg.shared.global [%r4], [%rd1], 16;", "cp.async.cg.shared.global [%r4], [%rd1",
    "@%p1 cp.async.ca.shared.global [%r2], [%rd1], 8, %r5;", "cp.async.commit_group;",
    "cp.async.wait_group 0;", "cp.async.wait_group %r1;", "@%p2 cp.async.wait_group 1;",
    "cp.async.wait_all;", "cp.async.mbarrier.arrive.noinc.shared.b64 [%r3];", "bar.sync 0;",
    "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 1024;", "bar.sync %r1;",
    "cp.async.bulk.commit_group;", "cp.async.bulk.wait_group.read 0;", "bar.warp.sync -1;",
    "@%p1 mbarrier.init.shared::cta.b64 [%r3], 1;", "mbarrier.init.shared::cta.b64 [%r3+8], %r1;",
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 1024;", "mbarrier.inval.shared.b64 [%r3];",
    "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 1024, [%r3];",
    "mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;", "@!%p2 bra A;", "@%p1 bra B;",
    "mbarrier.arrive.shared::cta.b64 %rd2, [%r3];", "mbarrier.test_wait.shared.b64 %p2, [%r3], 1;",
    "mapa.shared::cluster.u32 %r5, %r3, %r1;", "mbarrier.arrive.shared::cluster.b64 _, [%r5];",
    "ld.shared.u32 %r6, [%r4];", "st.shared.u32 [%r4], %r6;", "fence.proxy.async.shared::cta;",
    "@%p1 fence.proxy.async;", "st.release.gpu.global.u32 [%rd1], 1;", "A:", "B:", "bra A;",
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r2];", "call f;", "@%p1 exit;", "trap;",
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r1}, %rd1, %rd2, 1, 1, 1, 0, 0;",
    "add.u32 %r2, %r2, 64;", "xor.b32 %r4, %r4, 128;", "}", "{", "cp.async", "mbarrier.arrive;",
]  # fmt: skip


def check_text(text: str) -> None:
    """Asks for everything that the protocols find in a text."""
    document = Document.read(text)
    module = module_facts(document)
    for function in document.leaves():
        sites = async_sites(function, module)
        if sites is None:
            continue
        objects = mbarrier_objects(sites)
        found = [each.second for each in proxy_hazards(sites)]
        found += [each.read for each in early_bulk_reads(sites)]
        for name in (CP_ASYNC, BULK_GROUPS):
            hazards = group_hazards(sites, name)
            found += [each.access for each in early_accesses(sites, name)]
            found += [each.copy for each in hazards.never_completed()]
            found += [each.release for each in hazards.early_releases()]
        finders = (wrong_arrivals, wrong_bytes, repeated_parities, single_waits, wrong_lifetimes)
        for find in finders:
            assert len([*find(objects)]) <= len(sites.sites)
        places = {each.found.start for each in sites.sites}
        assert {each.start for each in found} <= places


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=30))
def test_any_lines(lines: list[str]) -> None:
    check_text("\n".join([*_HEAD, *lines]))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=25))
def test_any_kernel(lines: list[str]) -> None:
    body = [each for each in lines if each not in "{}"]
    check_text("\n".join([*_HEAD, *_DECLARATIONS, *body, "ret;", "}"]))
