"""The effects of instructions on memory and on other threads, compared with the manual."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.isa import database
from ptx_ls.isa.event_words import (
    ACCESSES,
    ACTIONS,
    COMPLETIONS,
    EXECUTED_BY,
    MEANS,
    ORDERS,
    PROXIES,
    SCOPES,
    SPACES,
)
from ptx_ls.isa.memory_events import MemoryEvents, memory_events
from ptx_ls.semantics.instructions.memory_events import ShapeEvents, events_of
from ptx_ls.semantics.symbols.region_text import region_text

UNTOUCHED = frozenset(
    {"reads carry", "writes carry", "transfers control", "ends", "signals", "observes"}
)
"""Effects that concern neither memory nor other threads."""
NONE = {"alloca.allocate", "stackrestore.restore", "nanosleep.delay"}
"""Forms whose other effects concern only the thread itself."""


def shown(events: MemoryEvents) -> list[str]:
    """The events in a short notation."""
    found = []
    for each in events.accesses:
        size = each.size or (str(each.n_bytes) if each.n_bytes else "?")
        size += f"x{each.lanes}" if each.lanes else ""
        words = [each.kind, each.operand, size, each.space, each.order or "-"]
        words += [each.scope] if each.scope else []
        words += [each.proxy] if each.proxy != "generic" else []
        words += [each.by] if each.by != "address" else []
        found.append(" ".join(words))
    for sync in events.syncs:
        number = sync.argument or ("" if sync.amount is None else str(sync.amount))
        words = [f"{sync.action}:", sync.operand, number, sync.space, sync.order, sync.scope]
        words += [sync.proxy, f"of {sync.of}" if sync.of else ""]
        found.append(" ".join(filter(None, words)))
    found += [f"by {events.executed_by}"] if events.executed_by != "thread" else []
    found += [f"until {events.completion}"] if events.completion else []
    found += [f"holds {' '.join(events.in_flight)}"] if events.in_flight else []
    return found


def check_events(statement: str, *expected: str) -> ShapeEvents | None:
    """The events of a statement, which must be `expected`; no `expected` for any."""
    document = Document.read(f".entry k() {{\n{statement}\n}}\n")
    shapes = [shape for each in document.functions for shape in region_text(each.function).shapes]
    found = [events_of(shape) for shape in shapes]
    if expected:
        assert len(found) == 1
        assert found[0] is not None
        assert shown(found[0].events) == list(expected)
        events = found[0].events
        named = {each.operand for each in events.accesses} | {each.operand for each in events.syncs}
        assert named - {""} <= found[0].places.keys()
    return found[0] if found else None


BULK = "mbarrier::complete_tx::bytes"
DONE = "release cluster"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        # 9.7.9.8-9: ld; weak unless it says otherwise, the access of a vector is one of its size
        ("ld.u32 %r1, [%rd1];", ["reads a 4 generic weak"]),
        ("ld.shared.f64 %fd1, [%r1];", ["reads a 8 shared::cta weak"]),
        ("ld.shared::cluster.b8 %rs1, [%r1];", ["reads a 1 shared::cluster weak"]),
        ("ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1];", ["reads a 16 global weak"]),
        ("ld.volatile.shared.u32 %r1, [%r2];", ["reads a 4 shared::cta volatile sys"]),
        ("ld.relaxed.cta.global.u64 %rd1, [%rd2];", ["reads a 8 global relaxed cta"]),
        ("ld.acquire.sys.u32 %r1, [%rd1];", ["reads a 4 generic acquire sys"]),
        ("ld.mmio.relaxed.sys.global.u32 %r1, [%rd1];", ["reads a 4 global mmio sys"]),
        ("ld.global.nc.v2.u64 {%rd1,%rd2}, [%rd3];", ["reads a 16 global weak readonly"]),
        ("ld.param.u64 %rd1, [p];", ["reads a 8 param weak"]),
        ("ldu.global.u32 %r1, [%rd1];", ["reads a 4 global weak readonly"]),
        # 9.7.9.11-14: st, st.async, st.bulk
        ("st.local.b16 [%r1], %rs1;", ["writes a 2 local weak"]),
        ("st.release.gpu.global.u32 [%rd1], %r1;", ["writes a 4 global release gpu"]),
        ("st.volatile.u32 [%rd1], %r1;", ["writes a 4 generic volatile sys"]),
        (
            f"st.async.weak.shared::cluster.{BULK}.v2.b32 [%r1], {{%r2,%r3}}, [%r4];",
            [
                "writes a 8 shared::cluster weak",
                f"mbarrier complete: mbar 8 {DONE}",
                "until mbarrier",
            ],
        ),
        ("st.bulk.weak.shared::cta [%rd1], %rd2, 0;", ["writes a size shared::cta weak"]),
        # 9.7.13.5-7: atom, red; relaxed at the scope of the device by default
        ("atom.global.add.u32 %r1, [%rd1], 1;", ["updates a 4 global relaxed gpu"]),
        (
            "atom.acq_rel.cta.shared.cas.b64 %rd1, [%r1], %rd2, %rd3;",
            ["updates a 8 shared::cta acq_rel cta"],
        ),
        (
            "atom.global.add.noftz.v4.f16x2 {%r1,%r2,%r3,%r4}, [%rd1], {%r5,%r6,%r7,%r8};",
            ["updates a 16 global relaxed gpu"],
        ),
        ("atom.exch.b128 %rq1, [%rd1], %rq2;", ["updates a 16 generic relaxed gpu"]),
        ("red.release.sys.global.add.u64 [%rd1], %rd2;", ["updates a 8 global release sys"]),
        (
            f"red.async.relaxed.cluster.shared::cluster.{BULK}.add.u32 [%r1], %r2, [%r3];",
            [
                "updates a 4 shared::cluster relaxed cluster",
                f"mbarrier complete: mbar 4 {DONE}",
                "until mbarrier",
            ],
        ),
        # 9.7.9.26: multimem; reductions are relaxed at the scope of the system by default
        ("multimem.ld_reduce.global.add.u32 %r1, [%rd1];", ["reads a 4 global weak"]),
        ("multimem.red.global.add.u64 [%rd1], %rd2;", ["updates a 8 global relaxed sys"]),
        ("multimem.st.release.gpu.global.u32 [%rd1], %r1;", ["writes a 4 global release gpu"]),
        # 9.7.9.25: asynchronous copies
        (
            "cp.async.cg.shared.global [%r1], [%rd1], 16;",
            [
                "writes dst cp-size shared::cta weak",
                "reads src cp-size global weak",
                "until cp.async",
            ],
        ),
        (
            "cp.async.ca.shared.global [%r1], [%rd1], 16, %r2;",
            [
                "writes dst cp-size shared::cta weak",
                "reads src ? global weak",
                "until cp.async",
            ],
        ),
        ("cp.async.commit_group;", ["commit: of cp.async"]),
        ("cp.async.wait_group 1;", ["wait: N of cp.async"]),
        ("cp.async.wait_all;", ["commit: of cp.async", "wait: 0 of cp.async"]),
        (
            "cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];",
            [
                "updates addr 8 shared::cta relaxed cta",
                "mbarrier track uncounted: addr 1 of cp.async",
                "until mbarrier",
            ],
        ),
        (
            f"cp.async.bulk.shared::cluster.global.{BULK} [%r1], [%rd1], 64, [%r2];",
            [
                "writes dstMem size shared::cluster weak async",
                "reads srcMem size global weak async",
                f"mbarrier complete: mbar size {DONE}",
                "until mbarrier",
            ],
        ),
        (
            "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;",
            [
                "writes dstMem size global weak async",
                "reads srcMem size shared::cta weak async",
                "until bulk",
            ],
        ),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], 64;",
            [
                "updates dstMem size global relaxed sys async",
                "reads srcMem size shared::cta weak async",
                "until bulk",
            ],
        ),
        (
            f"cp.async.bulk.tensor.2d.shared::cta.global.{BULK} [%r1], [%rd1, {{%r2,%r3}}], [%r4];",
            [
                "writes dstMem ? shared::cta weak async",
                "reads tensorMap ? global weak async tensor map",
                "reads tensorMap 128 generic weak tensormap",
                f"mbarrier complete: mbar {DONE}",
                "until mbarrier",
            ],
        ),
        (
            "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r2}], [%r1];",
            [
                "writes tensorMap ? global weak async tensor map",
                "reads srcMem ? shared::cta weak async",
                "reads tensorMap 128 generic weak tensormap",
                "until bulk",
            ],
        ),
        ("cp.async.bulk.commit_group;", ["commit: of bulk"]),
        ("cp.async.bulk.wait_group 0;", ["wait: N of bulk"]),
        ("cp.async.bulk.wait_group.read 0;", ["wait reads: N of bulk"]),
        # 9.7.13.15: mbarrier; the block is the scope by default
        (
            "mbarrier.init.shared.b64 [%r1], 4;",
            ["writes addr 8 shared::cta weak", "mbarrier init: addr count shared::cta"],
        ),
        (
            "mbarrier.arrive.shared.b64 %rd1, [%r1];",
            [
                "updates addr 8 shared::cta release cta",
                "mbarrier arrive: addr 1 shared::cta release cta",
            ],
        ),
        (
            "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1], 2;",
            [
                "updates addr 8 shared::cluster release cluster",
                "mbarrier arrive: addr count shared::cluster release cluster",
            ],
        ),
        (
            "mbarrier.arrive.expect_tx.shared.b64 %rd1, [%r1], 64;",
            [
                "updates addr 8 shared::cta release cta",
                "mbarrier expect: addr txCount shared::cta relaxed cta",
                "mbarrier arrive: addr 1 shared::cta release cta",
            ],
        ),
        (
            "mbarrier.arrive_drop.noComplete.shared.b64 %rd1, [%r1], 2;",
            [
                "updates addr 8 shared::cta release cta",
                "mbarrier partial drop: addr count shared::cta release cta",
            ],
        ),
        (
            "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r1], 16;",
            [
                "updates addr 8 shared::cluster relaxed cluster",
                "mbarrier complete: addr txCount shared::cluster relaxed cluster",
            ],
        ),
        (
            "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;",
            [
                "reads addr 8 shared::cta acquire cta",
                "mbarrier test: addr state shared::cta acquire cta",
            ],
        ),
        (
            "mbarrier.try_wait.parity.acquire.cluster.b64 %p1, [%rd1], 1;",
            [
                "reads addr 8 generic acquire cluster",
                "mbarrier wait: addr phaseParity generic acquire cluster",
            ],
        ),
        # 9.7.13.1-4: barriers and fences
        ("bar.sync 0;", ["barrier sync: a acq_rel cta", "by cta"]),
        ("bar.sync 1, 64;", ["barrier sync: a b acq_rel cta", "by live warp"]),
        ("barrier.arrive 1, 64;", ["barrier arrive: a b release cta", "by live warp"]),
        ("bar.red.and.pred %p1, 0, %p2;", ["barrier reduce: a acq_rel cta", "by cta"]),
        ("bar.warp.sync -1;", ["warp barrier: membermask acq_rel cta", "by members"]),
        ("barrier.cluster.arrive.aligned;", ["cluster arrive: release cluster", "by cluster"]),
        ("barrier.cluster.arrive.relaxed;", ["cluster arrive: relaxed cluster", "by cluster"]),
        ("barrier.cluster.wait;", ["cluster wait: acquire cluster", "by cluster"]),
        ("fence.gpu;", ["fence: acq_rel gpu"]),
        ("fence.sc.sys;", ["fence: sc sys"]),
        ("membar.gl;", ["fence: sc gpu"]),
        ("fence.mbarrier_init.release.cluster;", ["init fence: shared::cta release cluster"]),
        ("fence.proxy.async.shared::cta;", ["proxy fence: shared::cta async"]),
        (
            "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;",
            ["proxy fence: addr size generic acquire gpu tensormap"],
        ),
        # 9.7.14: matrices; each of the first lanes gives the address of a row
        (
            "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1,%r2}, [%r3];",
            ["reads p 16x16 shared::cta weak", "by warp"],
        ),
        (
            "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1], {%r2,%r3,%r4,%r5};",
            ["writes p 16x32 shared::cta weak", "by warp"],
        ),
        (
            "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {a,b,c,d,e,f,g,h}, [p];",
            ["reads p ? shared::cta weak", "by warp"],
        ),
        # 9.7.15: wgmma
        (
            "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {a,b,c,d}, x, y, 1, 1, 1, 0, 0;",
            [
                "reads a-desc ? shared::cta weak async descriptor",
                "reads b-desc ? shared::cta weak async descriptor",
                "by warpgroup",
                "until wgmma",
                "holds d",
            ],
        ),
        ("wgmma.fence.sync.aligned;", ["register fence:", "by warpgroup"]),
        ("wgmma.wait_group.sync.aligned 1;", ["wait: N of wgmma", "by warpgroup"]),
        # 9.7.16: tcgen05
        (
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64;",
            ["writes dst 4 shared::cta weak", "allocate: nCols", "by warp"],
        ),
        (
            "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1,%r2}, [%r3];",
            ["reads taddr ? tensor -", "by warp", "until tcgen05.ld", "holds r"],
        ),
        ("tcgen05.wait::st.sync.aligned;", ["wait: 0 of tcgen05.st", "by warp"]),
        ("tcgen05.fence::before_thread_sync;", ["fence before:"]),
        (
            "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1];",
            [
                "updates mbar 8 shared::cluster release cluster",
                "commit: of tcgen05",
                f"mbarrier arrive: mbar 1 {DONE}",
                "until mbarrier",
            ],
        ),
        # others
        (
            "setmaxnreg.dec.sync.aligned.u32 40;",
            ["release registers: imm-reg-count", "by warpgroup"],
        ),
        ("griddepcontrol.wait;", ["grid wait: acquire gpu"]),
        ("elect.sync %r1|%p1, -1;", ["elect: membermask", "by members"]),
        ("shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", ["exchange: membermask", "by members"]),
        (
            "tensormap.replace.tile.rank.shared::cta.b1024.b32 [%rd1], 1;",
            ["writes addr 128 shared::cta weak", "reads addr 128 shared::cta weak"],
        ),
        ("discard.global.L2 [%rd1], 128;", ["writes a size global weak"]),
        ("prefetch.global.L1 [%rd1];", ["prefetch: a global"]),
        ("suld.b.1d.b32.trap %r1, [s, {%r2}];", ["reads a ? surface weak surface coordinates"]),
        ("exit;", ["exit:"]),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,%fd2},{%fd3},{%fd4},{%fd1,%fd2};",
         ["by warp"]),
    ],
)  # fmt: skip
def test_events_of_a_statement(statement: str, expected: list[str]) -> None:
    check_events(statement, *expected)


@pytest.mark.parametrize("statement", ["add.u32 %r1, %r2, 4;", "bra L;", "mov.u32 %r1, %tid.x;"])
def test_most_instructions_have_none(statement: str) -> None:
    found = check_events(statement)
    assert found is not None
    assert found.events.is_none


def test_events_of_a_wrong_instruction_are_unknown() -> None:
    assert check_events("ld.u33 %r1, [%rd1];") is None
    assert check_events("nonsense %r1;") is None


@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_every_form_that_concerns_memory_has_events(opcode: str) -> None:
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        effects = set(instruction.effects(form)) - UNTOUCHED
        rows = instruction.facts(form).events
        name = f"{opcode}.{form.id}"
        assert bool(rows.events) == (bool(effects) and name not in NONE) or form.id == "legacy", (
            name
        )
        if not any(each.texts.get("action") for each in rows.events):  # `call`, hints
            kinds = {each.kind for each in rows.events}
            assert ("reads memory" in effects) == bool(kinds & {"reads", "updates"}), name
            assert ("writes memory" in effects) == bool(kinds & {"writes", "updates"}), name
        assert ("asynchronous" in effects) == bool(rows.completion), name


@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_words_are_known(opcode: str) -> None:
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        for first in (True, False):
            slots = {each.name: each.values[0 if first else -1] for each in form.row.slots}
            found = memory_events(instruction, form, slots)
            assert found.executed_by in EXECUTED_BY
            assert found.completion in {"", *COMPLETIONS}
            for access in found.accesses:
                assert access.kind in ACCESSES
                assert access.space in SPACES
                assert access.proxy in PROXIES
                assert access.order in {"", *ORDERS}
                assert access.scope in {"", *SCOPES}
                assert access.by in MEANS
            for sync in found.syncs:
                assert sync.action in ACTIONS
                assert sync.space in {"", *SPACES}
                assert sync.order in {"", *ORDERS}
                assert sync.scope in {"", *SCOPES}


@given(st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    check_events(text)
