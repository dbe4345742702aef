"""Hovers on the state of asynchronous operations at an instruction."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls.document.document import Document
from ptx_ls.features.synchronization.state_at import is_about_synchronization, state_at
from ptx_ls.semantics.analysis import Analysis
from tests.support.fixture import parse_fixture

HEAD = """\
.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
.reqntid 128
{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
.shared .align 8 .b64 full;
.shared .align 128 .b8 tile[4096];
ld.param.u64 %rd1, [p];
ld.param.u32 %r1, [n];
setp.ne.u32 %p1, %r1, 0;
"""
FIRST = HEAD.count("\n")


def check_state(marked: str, expected: str) -> None:
    """Checks what is said at the cursor, in a kernel; `{3}` is the number of the third line."""
    fixture = parse_fixture(f"{HEAD}{dedent(marked).strip()}\nret;\n}}\n")
    analysis = Analysis(Document.read(fixture.text))
    assert is_about_synchronization(analysis, fixture.cursor) or not expected
    lines = {str(number): FIRST + number for number in range(1, 30)}
    said = state_at(analysis, fixture.cursor)
    wanted = expected
    for number, line in lines.items():
        wanted = wanted.replace(f"{{{number}}}", str(line))
    assert said == wanted


PIPELINE = """\
cp.async.ca.shared.global [tile], [%rd1], 16;
cp.async.commit_group;
cp.async.ca.shared.global [tile+16], [%rd1], 16;
cp.async.commit_group;
cp.async.wait_group 1;
bar.sync 0;
ld.shared.u32 %r2, [tile];
cp.async.wait_group 0;
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            1,
            (
                "The group of the copy is committed on line {2}. "
                "The copy is complete after the wait on line {5}. "
                "The result is first read on line {7}."
            ),
        ),
        (
            4,
            (
                "Commits the copy on line {3} as a group. Afterwards, 2 groups are in flight; "
                "the oldest is complete after the wait on line {5}."
            ),
        ),
        (
            5,
            (
                "Afterwards, the copy on line {1} is complete. "
                "At most 1 group may still be in flight after the wait."
            ),
        ),
        (8, "Afterwards, the copy on line {3} is complete. No group is in flight after the wait."),
        (6, ""),
        (7, ""),
    ],
)
def test_a_pipeline(line: int, expected: str) -> None:
    lines = PIPELINE.splitlines()
    lines[line - 1] = f"{lines[line - 1][:2]}<|>{lines[line - 1][2:]}"
    check_state("\n".join(lines), expected)


def test_only_some_paths() -> None:
    text = "{}cp.async.ca.shared.global [tile], [%rd1], 16;\n@%p1 bra L;\n{}cp.async.wait_all;\nL:"
    check_state(
        text.format("<|>", ""),
        (
            "The group of the copy is committed on line {3}, on some paths. "
            "The copy is complete after the wait on line {3}, on some paths."
        ),
    )
    check_state(
        text.format("", "<|>"),
        "Afterwards, the copy on line {1} is complete. No group is in flight after the wait.",
    )
    check_state(
        "@%p1 bra L;\ncp.async.ca.shared.global [tile], [%rd1], 16;\ncp.async.commit_group;\n"
        "L: cp.asy<|>nc.wait_group 1;",
        "At most 1 group may still be in flight after the wait.",
    )


def test_a_group_that_some_path_does_not_wait_for() -> None:
    check_state(
        """
        cp.async.ca.shared.global [tile], [%rd1], 16;
        cp.async.commit<|>_group;
        @%p1 bra L;
        cp.async.wait_group 0;
        L:
        """,
        "Commits the copy on line {1} as a group. Afterwards, 1 group is in flight; "
        "it is complete after the wait on line {4}, on some paths.",
    )


def test_perhaps_no_group() -> None:
    store = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 1024;"
    check_state(
        f"@%p1 {store}\n@%p1 cp.async.bulk.commit<|>_group;",
        "Commits the bulk copy on line {1} as a group. Afterwards, at most 1 group is in flight.",
    )


def test_operations_that_an_object_tracks() -> None:
    check_state(
        """
        tcgen<|>05.cp.cta_group::1.128x256b [%r1], %rd1;
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [full];
        L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [full], 0;
        @!%p1 bra L;
        """,
        "After line {2}, an mbarrier object tracks the operation on Tensor Memory. "
        "The operation on Tensor Memory is complete when the wait on line {3} returns true.",
    )


def test_an_earlier_iteration() -> None:
    check_state(
        """
        L: <|>cp.async.wait_group 1;
        cp.async.ca.shared.global [tile], [%rd1], 16;
        cp.async.commit_group;
        @%p1 bra L;
        """,
        "Waits for the copy on line {2}, but only on some paths or in some iterations. "
        "At most 1 group may still be in flight after the wait.",
    )


OBJECT = """\
mbarrier.init.shared::cta.b64 [full], 1;
mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 64;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 64, [full];
L: mbarrier.try_wait.parity.shared::cta.b64 %p2, [full], 0;
@!%p2 bra L;
ld.shared.u32 %r2, [tile];
"""
USES = """\
Uses the mbarrier object `full`; 1 arrival completes a phase. Initialised: line {1}. Bytes \
announced: line {2} (64 bytes). Arrivals: line {2}. Bytes reported: line {3}. Waits: line {4}."""


@pytest.mark.parametrize(
    ("opcode", "expected"),
    [
        ("mbarrier.init", USES),
        ("mbarrier.try_wait", USES),
        ("cp.async.bulk", f"The result is first read on line {{6}}.\n\n{USES}"),
    ],
)
def test_an_object(opcode: str, expected: str) -> None:
    check_state(OBJECT.replace(opcode, f"<|>{opcode}"), expected)


def test_an_object_of_which_only_this_use_is_known() -> None:
    check_state(
        "ld.shared.u32 %r2, [tile];\nmbarrier.<|>try_wait.parity.shared::cta.b64 %p2, [%r2], 0;", ""
    )


def test_an_object_with_many_uses() -> None:
    wait = "mbarrier.test_wait.parity.shared::cta.b64 %p2, [full], 0;\n"
    check_state(
        f"mbarrier.<|>init.shared::cta.b64 [full], 1;\n{wait * 5}",
        "Uses the mbarrier object `full`; 1 arrival completes a phase. "
        "Initialised: line {1}. Waits: 5 lines from {2} to {6}.",
    )


def test_who_executes_it() -> None:
    check_state(
        "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p2, %r2, 32;\n@%p2 bar.<|>arrive 1, 64;",
        "Executed only by warp 0 of each block.",
    )


def test_a_proxy_fence() -> None:
    check_state(
        """
        st.shared.u32 [tile], %r1;
        fence.pr<|>oxy.async.shared::cta;
        st.shared.u32 [tile+4], %r1;
        cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 64;
        """,
        "Orders the stores to shared memory on line {1} "
        "before the accesses of the async proxy on line {4}.",
    )


def test_registers_that_a_load_fills() -> None:
    check_state(
        """
        tcgen05.<|>ld.sync.aligned.32x32b.x1.b32 {%r2}, [%r1];
        tcgen05.wait::ld.sync.aligned;
        add.u32 %r3, %r2, 1;
        """,
        "The load is complete after the wait on line {2}. The result is first read on line {3}.",
    )


@pytest.mark.parametrize(
    "marked",
    [
        "cp.as<|>ync.commit_group",
        "a<|>dd.u32 %r2, %r1, 1;",
        "cp.async.commit_group 5<|>;",
        "this is not PTX; <|>cp.async.commit_group;",
    ],
)
def test_nothing_is_certain(marked: str) -> None:
    check_state(marked, "")


def test_a_bulk_wait_that_leaves_a_group() -> None:
    store = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 64;"
    two = f"{store}\ncp.async.bulk.commit_group;\n" * 2
    check_state(
        f"{two}cp.async.bulk.wait<|>_group 1;",
        "Afterwards, the bulk copy on line {1} is complete. "
        "At most 1 group may still be in flight after the wait.",
    )


@pytest.mark.parametrize(
    ("wait", "expected"),
    [
        ("cp.async.wait_group 1;", "At most 1 group may still be in flight after the wait."),
        ("cp.async.bulk.wait_group 0;", "No group is in flight after the wait."),
        (
            "cp.async.bulk.wait_group.read 2;",
            "At most 2 groups may still be reading their sources after the wait.",
        ),
        ("cp.async.bulk.wait_group.read 0;", "Every group has read its source after the wait."),
    ],
)
def test_a_wait_after_a_call(wait: str, expected: str) -> None:
    head = HEAD.replace(".visible", ".extern .func f();\n.visible")
    fixture = parse_fixture(f"{head}call.uni f;\n<|>{wait}\nret;\n}}\n")
    said = state_at(Analysis(Document.read(fixture.text)), fixture.cursor)
    assert said == expected


def test_many_bulk_copies_whose_sources_alone_are_awaited() -> None:
    store = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 64;\n"
    end = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n"
    group = f"LOOP<N>:\n{store * 4}{end}@%p1 bra LOOP<N>;\n"
    groups = "".join(group.replace("<N>", str(number)) for number in range(40))
    check_state(
        groups.replace("cp.async.bulk.com", "cp.async.bulk.c<|>om", 1),
        "Commits the 4 bulk copies on lines {2}, {3}, {4} and {5} as a group.",
    )
