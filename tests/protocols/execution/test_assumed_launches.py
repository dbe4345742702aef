"""Faults that occur in all launches of a kernel that are tried."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.protocols.execution.assumed_launches import AssumedLaunches
from ptx_ls.protocols.execution.clusters import ClusterShape
from ptx_ls.protocols.execution.faults import StuckWait
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.threads.uniformity.launches import BlockShape
from ptx_ls.values.function_values import function_values

RING = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry products(.param .u32 n) .reqntid 32
{
.reg .pred %first, %p, %done;
.reg .b32 %r<9>;
.shared .align 8 .b64 full[2];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, full;
setp.eq.u32 %first, %r2, 0;
@%first mbarrier.init.shared::cta.b64 [%r3], 1;
@%first mbarrier.init.shared::cta.b64 [%r3+8], COUNT;
bar.sync 0;
mov.u32 %r4, 0;
mov.u32 %r5, 0;
mov.u32 %r6, 0;
TILE:
shl.b32 %r7, %r5, 3;
add.u32 %r7, %r7, %r3;
@%first tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r7];
WAIT:
mbarrier.try_wait.parity.shared::cta.b64 %done, [%r7], %r6;
@!%done bra WAIT;
xor.b32 %r5, %r5, 1;
setp.eq.u32 %p, %r5, 0;
selp.u32 %r8, 1, 0, %p;
xor.b32 %r6, %r6, %r8;
add.u32 %r4, %r4, 32;
setp.lt.u32 %p, %r4, %r1;
@%p bra TILE;
bar.sync 0;
END
ret;
}
"""
INVALIDATE = """\
@%first mbarrier.inval.shared::cta.b64 [%r3];
@%first mbarrier.inval.shared::cta.b64 [%r3+8];"""


@pytest.mark.parametrize("end", ["", INVALIDATE])
@pytest.mark.parametrize(("count", "is_stuck"), [("1", False), ("2", True)])
def test_second_object_of_a_ring(count: str, end: str, *, is_stuck: bool) -> None:
    # Few elements are one tile, for which the second object is not used.
    document = Document.read(RING.replace("COUNT", count).replace("END", end))
    function = next(each for each in document.leaves() if ".entry" in each.text)
    values = function_values(function, module_facts(document))
    shape = ClusterShape(BlockShape((32, 1, 1), is_stated=True), (1, 1, 1))
    assert isinstance(AssumedLaunches(values, shape).fault(), StuckWait) == is_stuck
