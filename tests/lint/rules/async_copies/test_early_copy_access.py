"""Tests of the rule early-copy-access: edits of the example on its page."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import fix
from tests.support.edited_examples import check_edit


@pytest.mark.parametrize(
    ("old", "new", "reported"),
    [
        ("bar.sync 0;", "", []),  # no barrier at all: missing-barrier reports it
        ("cp.async.wait_group 0;", "cp.async.wait_all;", ["no barrier follows the wait of thread"]),
        ("cp.async.wait_group 0;\n", "cp.async.wait_group 0;\n    bar.sync 1;\n", []),
        ("cp.async.wait_group 0;\n", "cp.async.wait_group 0;\n    call f;\n", []),  # f may wait
        ("sub.s32 %r5, %r3, %r2", "mov.b32 %r5, %r2", []),  # the address is unknown
        ("cp.async.wait_group 0;", "cp.async.wait_group 1;", ["has not waited for the copy"]),
        ("[%r5+508]", "[%r4]", []),  # a thread reads what it copied itself
    ],
)
def test_edited_example(old: str, new: str, reported: list[str]) -> None:
    check_edit("early-copy-access", old, new, *reported)


NO_WAIT = """\
.version 7.0
.target sm_80
.address_size 64
.visible .entry shift(.param .b64 from, .param .b64 result)
.reqntid {n_threads}
{{
    .reg .b32 %r<7>;
    .reg .b64 %rd<6>;
    .shared .align 16 .b8 buffer[512];
    ld.param.b64 %rd1, [from];
    ld.param.b64 %rd2, [result];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    cvt.u64.u32 %rd3, %r2;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    mov.u32 %r3, buffer;
    add.s32 %r4, %r3, %r2;
    cp.async.ca.shared.global [%r4], [%rd4], 4;
    cp.async.commit_group;
    sub.s32 %r5, %r3, %r2;
    ld.shared.b32 %r6, [%r5+{last}];
    st.global.b32 [%rd5], %r6;
    cp.async.wait_group 0;
    ret;
}}
"""


@pytest.mark.parametrize(
    ("n_threads", "barrier"), [(128, "bar.sync 0;"), (32, "bar.warp.sync -1;")]
)
def test_one_finding_for_a_missing_wait_and_barrier(n_threads: int, barrier: str) -> None:
    text = NO_WAIT.format(n_threads=n_threads, last=4 * n_threads - 4)
    assert [each.rule for each in lint(Document.read(text))] == ["early-copy-access"]
    fixed = fix(text, has_unsafe=True).text
    assert f"    cp.async.wait_all;\n    {barrier}\n    ld.shared" in fixed
    assert lint(Document.read(fixed)) == []


@pytest.mark.parametrize(
    ("wait", "messages"),
    [
        ("", ["the copy is issued here"]),
        (
            "cp.async.wait_group 1;",
            ["the copy is issued here", "this wait may leave the newest groups pending"],
        ),
    ],
)
def test_wait_that_leaves_the_group_pending(wait: str, messages: list[str]) -> None:
    text = NO_WAIT.format(n_threads=128, last=508).replace("commit_group;", f"commit_group; {wait}")
    [found] = lint(Document.read(text))
    assert [each.message for each in found.related] == messages
