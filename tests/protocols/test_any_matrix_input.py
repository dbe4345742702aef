"""Nothing raises on any text with matrix instructions, clusters, tensor maps and barriers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.protocols.clusters import clusters
from ptx_ls.protocols.dependent_grids import dependent_grid
from ptx_ls.protocols.matrix_groups import matrix_groups
from ptx_ls.protocols.named_barriers import named_barriers
from ptx_ls.protocols.register_pool import register_pool
from ptx_ls.protocols.tensor_maps import tensor_maps
from ptx_ls.protocols.tensor_memory import tensor_memory
from ptx_ls.semantics.symbols.module_facts import module_facts

_HEAD = [
    ".version 8.6", ".target sm_100a", ".address_size 64", ".visible .entry k(.param .u64 n)",
]  # fmt: skip
_DECLARATIONS = [
    ".reqntid 256", ".maxnreg 128", "{", ".reg .pred %p<4>;", ".reg .b32 %r<9>;",
    ".reg .b64 %rd<9>;", ".shared .align 128 .b8 s[1024];", "mov.u32 %r1, %tid.x;",
    "mov.u32 %r2, s;", "setp.lt.u32 %p1, %r1, 128;", "setp.eq.u32 %p3, %r1, 0;",
]  # fmt: skip
_PRODUCT = (
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r5, %r6, %r7, %r8}, "
    "%rd1, %rd2, 1, 1, 1, 0, 0;"
)
_COPY = (
    "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
    "[%r2], [%rd1, {%r4}], [%r2];"
)
_LINES = [
    "wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;", "mov.u32 %r5, %r6;",
    "wgmma.wait_group.sync.aligned 0;", "@%p1 wgmma.wait_group.sync.aligned 1;", "bar.sync 0;",
    _PRODUCT,
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 64;", "wgmma.mma_async {%r5};",
    "@%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 64;", "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;", "tcgen05.wait::st.sync.aligned;",
    "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r5, %r6}, [%r3];", "tcgen05.ld {", "bar.arrive 1, 64;",
    "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r3], {%r5, %r6};", "bar.sync 1, 64;",
    "@%p3 tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd1, %rd2, %r4, 0;", "bar.arrive %r1, 64;",
    "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd3];", "@%p1 exit;",
    "mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r2], 0;", "@!%p2 bra A;", "@%p1 bra B;",
    "barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;", "barrier.cluster",
    "mapa.shared::cluster.u32 %r7, %r2, %r1;", "mapa.shared::cluster.u32 %r7, %r2, 0;", "A:", "B:",
    "ld.shared::cluster.u32 %r8, [%r7];", "st.shared::cluster.u32 [%r7+4], %r8;", "call f;",
    "setmaxnreg.inc.sync.aligned.u32 232;", "@%p1 setmaxnreg.dec.sync.aligned.u32 40;", "bra A;",
    "setmaxnreg.dec.sync.aligned.u32 %r1;", "griddepcontrol.wait;", "ld.global.u32 %r5, [%rd1];",
    "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;", "trap;", "{", "}",
    "fence.proxy.tensormap::generic.release.gpu;", "ld.param.u64 %rd1, [n];",
    "elect.sync _|%p2, -1;",
    "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", "tensormap.replace.tile",
    _COPY,
]  # fmt: skip


def check_text(text: str) -> None:
    """Asks for everything that the protocols find in a text."""
    document = Document.read(text)
    module = module_facts(document)
    for function in document.leaves():
        memory = tensor_memory(function, module)
        grid, barriers = dependent_grid(function, module), named_barriers(function, module)
        maps, cluster = tensor_maps(function, module), clusters(function, module)
        for sites, found in (
            (memory.sites, memory.violations),
            (grid.sites, [*grid.violations()]),
            (barriers.sites, barriers.violations),
            (maps.sites, maps.violations),
            (cluster.sites, cluster.violations),
        ):
            assert all(-1 <= each.origin < len(sites) for each in found)
            assert all(-1 <= each.number < len(sites) for each in found)
        assert all(each.lanes > 1 for each in memory.repeated())
        pool, groups = register_pool(function, module), matrix_groups(function, module)
        pool.shortage()
        assert len(pool.reversed_changes()) <= len(pool.sites)
        assert len(groups.uncommitted) + len(groups.unfenced) <= 2 * len(groups.sites)
        for each in groups.early_accesses:
            assert groups.flow.statement(each.use).start != each.origin.start
            groups.is_overwrite(each)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=30))
def test_any_lines(lines: list[str]) -> None:
    check_text("\n".join([*_HEAD, *lines]))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=25))
def test_any_kernel(lines: list[str]) -> None:
    body = [each for each in lines if each not in "{}"]
    check_text("\n".join([*_HEAD, *_DECLARATIONS, *body, "ret;", "}"]))
