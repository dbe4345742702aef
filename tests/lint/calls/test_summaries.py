"""Tests of what is known of called functions, and of the callers that an edit of one concerns."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import lint
from ptx_ls.lint.calls.call_summary import CallSummary, PassedPointer, PointerAccess
from ptx_ls.lint.calls.summaries import call_summaries
from ptx_ls.source import Position

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = """
.visible .entry kernel(.param .u64 result)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    .local .align 16 .b8 frame[16];
    mov.u64 %rd1, frame;
    st.local.v2.u64 [%rd1], {0, 0};
    call.uni (%r1), look, (%rd1);
    ld.param.u64 %rd2, [result];
    st.global.u32 [%rd2], %r1;
    ret;
}
"""
LOOK = """
.func (.reg .u32 value) look(.reg .u64 address)
{
    ld.local.u32 value, [address+8];
    ret;
}
"""


_PLAIN = CallSummary(orders=False)


def check_summary(body: str, expected: CallSummary | None, *, others: str = "") -> None:
    """Fails unless a function with two pointers in .param is known by a summary."""
    function = ".func look(.param .u64 a, .param .u64 b)\n{\n    .reg .b32 %r<4>;\n"
    function += f"    .reg .b64 %rd<4>;\n    .reg .pred %p<2>;\n{body}\n}}\n"
    caller = ".visible .entry k() { call look, (0, 0); ret; }\n"
    found = call_summaries(Document.read(HEADER + others + function + caller))
    look = found.get("look")
    assert (None if look is None else look._replace(body=None)) == expected


def test_accesses_in_each_call() -> None:
    check_summary(
        """
        ld.param.u64 %rd1, [a];
        ld.param.u64 %rd2, [b];
        ld.global.v2.u32 {%r1, %r2}, [%rd1+8];
        setp.eq.u32 %p1, %r1, 0;
        @%p1 st.u32 [%rd2], %r1;
        @%p1 bra done;
        st.u32 [%rd2+4], %r1;
    done:
        cvta.to.shared.u64 %rd3, %rd2;
        st.shared.u32 [%rd3], %r2;
        ret;
        """,
        _PLAIN._replace(
            accesses=(
                PointerAccess(0, ".global", 8, 8, 8, 8),
                PointerAccess(1, "generic", 0, 0, 4, 4),
            ),
            reads=frozenset({0, 1}),
            only_reads=frozenset({0}),
        ),
    )


def test_function_that_does_not_return() -> None:
    check_summary("trap;", _PLAIN._replace(returns=False))
    check_summary("ret;", _PLAIN)
    check_summary("mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; @%p1 exit;", _PLAIN)


def test_pointer_that_is_passed_on() -> None:
    inner = """
    .func inner(.reg .u64 p, .reg .u64 q) { st.shared.u32 [q+4], 1; ret; }
    """
    check_summary(
        "ld.param.u64 %rd1, [b];\nadd.u64 %rd2, %rd1, 16;\ncall inner, (0, %rd2);\nret;",
        _PLAIN._replace(
            accesses=(PointerAccess(1, ".shared", 20, 20, 4, 4),),
            passed=(PassedPointer(1, 16, "inner", 1),),
            reads=frozenset({1}),
            callees=frozenset({"inner"}),
        ),
        others=inner,
    )


def test_recursion_ends() -> None:
    check_summary(
        "ld.param.u64 %rd1, [a];\nadd.u64 %rd2, %rd1, 4;\n"
        "{ .param .u64 x; .param .u64 y; st.param.u64 [x], %rd2; st.param.u64 [y], %rd2;\n"
        "call look, (x, y); }\nst.u32 [%rd1], 1;\nret;",
        _PLAIN._replace(
            accesses=(
                PointerAccess(0, "generic", 0, 0, 4, 4),
                PointerAccess(0, "generic", 4, 4, 4, 4),
            ),
            passed=(PassedPointer(0, 4, "look", 0), PassedPointer(0, 4, "look", 1)),
            reads=frozenset({0}),
            callees=frozenset({"look"}),
        ),
    )


@pytest.mark.parametrize(
    ("body", "orders"),
    [
        ("bar.sync 0;\nret;", True),
        ("bar.warp.sync -1;\nret;", True),
        ("membar.gl;\nret;", False),
    ],
)
def test_barriers(body: str, *, orders: bool) -> None:
    check_summary(body, CallSummary(orders=orders))


def test_unreadable_function() -> None:
    check_summary("st.u32 [%rd1, 1;\nret;", None)


@pytest.mark.parametrize(
    ("before", "after"),
    [("+8]", "+16]"), ("ld.local", "ld.shared"), ("look(", "loom(")],
)
def test_edit_of_a_called_function(before: str, after: str) -> None:
    document = Document.read(HEADER + LOOK + KERNEL)
    assert lint(document) == []
    lines = document.text[: document.text.index(before)].split("\n")
    row, column = len(lines) - 1, len(lines[-1])
    start, end = Position(row, column), Position(row, column + len(before))
    now = edited(document, start, end, after)
    found = lint(now)
    assert found == lint(Document.read(now.text)) != []
    assert lint(edited(now, start, Position(row, column + len(after)), before)) == []
