"""The statements that belong to another one through groups and mbarrier objects."""

from __future__ import annotations

from textwrap import dedent

from ptx_ls.document.document import Document
from ptx_ls.protocols.chains.function_chains import FunctionChains
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity

HEAD = """\
.version 8.6
.target sm_100a
.address_size 64
.extern .shared .align 1024 .b8 dynamic[];
.visible .entry k(.param .align 64 .b8 map[128], .param .u32 n)
.reqntid 128
{
.reg .pred %p<9>;
.reg .b32 %r<40>;
.reg .b64 %rd<9>;
.shared .align 8 .b64 full;
.shared .align 8 .b64 ring[3];
.shared .align 128 .b8 tile[4096];
ld.param.u32 %r1, [n];
"""


def check_partners(body: str, *expected: str) -> None:
    """Checks the partners of each statement; lines count from that after the head.

    `1: committed by 2, complete at 3?` has a `?` after what is not sure; `ring` and other names of
    objects come first, as `ring: 1 2 3`.
    """
    document = Document.read(f"{HEAD}{dedent(body).strip()}\nret;\n}}\n")
    located = document.functions[1]
    uniformity = function_uniformity(located.function, module_facts(document))
    assert uniformity.is_known
    chains = FunctionChains(uniformity)

    def line(number: int) -> int:
        start = chains.sites.sites[number].found.start
        return located.position(start).line + 1 - HEAD.count("\n")

    found = []
    for group in chains.objects:
        uses = " ".join(str(line(each.number)) for each in group.uses)
        found.append(f"{group.name}{' (ring)' if group.is_ring else ''}: {uses}")
    for number in range(len(chains.sites.sites)):
        partners = [
            f"{each.relation} {line(each.number)}{'' if each.is_sure else '?'}"
            for each in chains.partners(number)
        ]
        if partners and not chains.objects_of(number):
            found.append(f"{line(number)}: {', '.join(partners)}")
    assert found == [*expected]


def test_groups_of_bulk_copies() -> None:
    check_partners(
        """
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 64;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group.read 0;
        cp.async.bulk.wait_group 0;
        """,
        "1: committed by 2, source read at 3, complete at 4",
        "2: commits 1",
        "3: completes 1",
        "4: completes 1",
    )


def test_one_object() -> None:
    check_partners(
        """
        mbarrier.init.shared::cta.b64 [full], 1;
        mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;
        cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%rd1], 64, [full];
        L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
        @!%p1 bra L;
        """,
        "full: 1 2 2 3 4",
    )


def test_a_ring_of_objects() -> None:
    """Its size is that of the objects that are created one after another."""
    check_partners(
        """
        mbarrier.init.shared::cta.b64 [ring], 1;
        mbarrier.init.shared::cta.b64 [ring+8], 1;
        mbarrier.init.shared::cta.b64 [ring+16], 1;
        mbarrier.init.shared::cta.b64 [full], 1;
        mov.u32 %r2, ring;
        shl.b32 %r3, %r1, 3;
        add.u32 %r4, %r2, %r3;
        mbarrier.arrive.shared::cta.b64 _, [%r4];
        """,
        "ring (ring): 1 2 3 8",
        "full: 4",
    )


def test_a_ring_of_which_the_stage_is_bounded() -> None:
    check_partners(
        """
        mbarrier.init.shared::cta.b64 [dynamic], 1;
        mbarrier.init.shared::cta.b64 [dynamic+8], 1;
        mbarrier.init.shared::cta.b64 [dynamic+16], 1;
        mov.u32 %r2, dynamic;
        and.b32 %r3, %r1, 1;
        shl.b32 %r3, %r3, 3;
        add.u32 %r4, %r2, %r3;
        mbarrier.arrive.shared::cta.b64 _, [%r4];
        """,
        "dynamic (ring): 1 2 8",
        "dynamic+16: 3",
    )


def test_an_address_that_the_last_iteration_computed() -> None:
    check_partners(
        """
        mbarrier.init.shared::cta.b64 [dynamic], 1;
        mbarrier.init.shared::cta.b64 [dynamic+8], 1;
        mov.u32 %r2, dynamic;
        L: mbarrier.arrive.shared::cta.b64 _, [%r2];
        mov.u32 %r2, dynamic;
        add.u32 %r2, %r2, 8;
        setp.ne.u32 %p1, %r1, 0;
        @%p1 bra L;
        """,
        "dynamic (ring): 1 2 4",
    )


def test_operations_that_an_object_tracks() -> None:
    check_partners(
        """
        mbarrier.init.shared::cta.b64 [full], 1;
        tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [full];
        L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
        @!%p1 bra L;
        """,
        "full: 1 3 4",
        "2: committed by 3, complete at 4",
    )
