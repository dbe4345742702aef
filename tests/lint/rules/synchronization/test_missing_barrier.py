"""Tests of the rule missing-barrier: its words, and how sure it is."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.source import Severity

RULE = "missing-barrier"
TEXT = """\
.version 8.0
.target TARGET
.address_size 64
.visible .entry k(.param .u32 n) .reqntid THREADS
{
.reg .pred %p<3>;
.reg .b32 %r<9>;
.shared .align 4 .b8 sm[1024];
mov.u32 %r1, %tid.x;
ld.param.u32 %r2, [n];
shl.b32 %r3, %r1, 2;
mov.u32 %r4, sm;
add.s32 %r5, %r4, %r3;
st.shared.u32 [%r5], %r1;
BETWEEN
ld.shared.u32 %r6, [sm+8];
setp.eq.u32 %p2, %r6, %r2;
@%p2 trap;
ret;
}
"""
SOME_PATH = "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra L;\nbar.sync 0;\nL:"


def check_severity(target: str, threads: int, between: str, severity: Severity | None) -> str:
    """The message of the only finding in a kernel, if it has this severity; "" for none."""
    text = TEXT.replace("TARGET", target).replace("THREADS", str(threads))
    document = Document.read(text.replace("BETWEEN", between))
    found = [each for each in lint(document) if each.rule == RULE]
    assert [each.severity for each in found] == ([severity] if severity is not None else [])
    assert all(each.related for each in found)
    return found[0].message if found else ""


@pytest.mark.parametrize(
    ("target", "threads", "between", "severity"),
    [
        ("sm_90", 64, "", Severity.WARNING),
        ("sm_90", 64, "bar.sync 0;", None),
        ("sm_90", 64, SOME_PATH, Severity.INFORMATION),
        ("sm_90", 32, "", Severity.INFORMATION),
        ("sm_90", 32, "bar.warp.sync -1;", None),
        ("sm_60", 64, "", Severity.WARNING),
        ("sm_60", 32, "", None),
    ],
)
def test_how_sure_it_is(target: str, threads: int, between: str, severity: Severity | None) -> None:
    check_severity(target, threads, between, severity)


def test_words() -> None:
    expected = (
        "thread 32 reads byte 8 of `sm`, and thread 2 writes the same memory, but no barrier "
        "orders the two accesses"
    )
    assert check_severity("sm_90", 64, "", Severity.WARNING) == expected


BLOCKS = "mov.u32 %r7, %ctaid.x;\nmov.u32 %r8, %nctaid.x;\nsetp.OP.u32 %p1, A, B;\n@!%p1 ret;"


@pytest.mark.parametrize(
    ("operator", "left", "right", "severity"),
    [
        ("eq", "%r7", "%r8", None),  # the number of a block is smaller than that of all blocks
        ("ge", "%r7", "%r8", None),
        ("le", "%r8", "%r7", None),
        ("lt", "%r7", "%r8", Severity.WARNING),
        ("eq", "%r7", "%r2", Severity.WARNING),
    ],
)
def test_blocks_that_no_grid_has(
    operator: str, left: str, right: str, severity: Severity | None
) -> None:
    between = BLOCKS.replace("OP", operator).replace("A", left).replace("B", right)
    check_severity("sm_90", 64, between, severity)


def check_fixes(threads: int, between: str, count: int) -> None:
    """Fails unless the finding in a kernel for sm_90 has a number of fixes."""
    text = TEXT.replace("TARGET", "sm_90").replace("THREADS", str(threads))
    found = lint(Document.read(text.replace("BETWEEN", between)))
    assert [len(each.fixes) for each in found if each.rule == RULE] == [count]


def test_fix_only_where_one_barrier_of_the_block_is_needed() -> None:
    check_fixes(64, "", 1)
    check_fixes(32, "", 0)  # `bar.warp.sync` is enough
    check_fixes(64, "L:\nsub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;", 1)


def test_no_fix_in_an_inner_loop() -> None:
    loop = "add.u32 %r2, %r2, %r6;\nsetp.ne.u32 %p2, %r2, 0;\n@%p2 bra L;\nret;\n}\n"
    text = TEXT.partition("setp.eq")[0].replace("BETWEEN", "L:") + loop
    text = text.replace("TARGET", "sm_90").replace("THREADS", "64")
    found = [each for each in lint(Document.read(text)) if each.rule == RULE]
    assert [len(each.fixes) for each in found] == [0]


VOLATILE = TEXT.replace("st.shared", "st.volatile.shared").replace(
    "ld.shared", "ld.volatile.shared"
)
IDLE = VOLATILE.replace("@%p2 trap", "st.shared.u32 [%r5+512], %r6")


@pytest.mark.parametrize(
    ("text", "target", "between", "is_found"),
    [
        (IDLE, "sm_70", "", True),
        (IDLE, "sm_60", "", False),  # the lanes of a warp run together
        (IDLE, "sm_70", "bar.warp.sync -1;", False),
        (VOLATILE, "sm_70", "", False),  # what is loaded decides: it may be a flag
    ],
)
def test_volatile_lanes(text: str, target: str, between: str, *, is_found: bool) -> None:
    source = text.replace("TARGET", target).replace("THREADS", "32").replace("BETWEEN", between)
    found = [each for each in lint(Document.read(source)) if each.rule == RULE]
    assert [each.severity for each in found] == [Severity.INFORMATION] * is_found
