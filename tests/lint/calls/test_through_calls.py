"""Tests of what rules about threads report where a function calls others."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from tests.support.fixture import assert_diagnostics, parse_fixture

RULES = ("missing-barrier", "divergent-barrier", "early-copy-access")
HEADER = """\
.version 8.0
.target sm_80
.address_size 64
.shared .align 16 .b8 tile[2048];
"""
STORE = """
.func store(.param .b32 value)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [value];
    mov.u32 %r2, %tid.x;
    shl.b32 %r2, %r2, 2;
    mov.u32 %r3, tile;
    add.u32 %r3, %r3, %r2;
    st.shared.b32 [%r3], %r1;
    ret;
}
"""
LOAD = """
.func (.reg .b32 found) load(.reg .b32 index)
{
    .reg .b32 %r<3>;
    shl.b32 %r1, index, 2;
    mov.u32 %r2, tile;
    add.u32 %r2, %r2, %r1;
    ld.shared.b32 found, [%r2];
    ret;
}
"""


def check_kernel(functions: str, body: str) -> list[str]:
    """Returns the messages of some rules in a kernel, if these are at the marked places."""
    head = """
.visible .entry kernel(.param .b64 result)
.reqntid 128
{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<4>;
    ld.param.b64 %rd1, [result];
    mov.u32 %r1, %tid.x;
    xor.b32 %r2, %r1, 64;
"""
    end = "    st.global.b32 [%rd1], %r3;\n    ret;\n}\n"
    fixture = parse_fixture(f"{HEADER}{functions}{head}{body}{end}")
    found = [each for each in lint(Document.read(fixture.text)) if each.rule in RULES]
    assert_diagnostics(fixture, found)
    return [each.message for each in found]


def test_message_names_the_function() -> None:
    messages = check_kernel(
        STORE + LOAD,
        """
    { .param .b32 value; st.param.b32 [value], %r1; call store, (value); }
    call (%r3), load, (%r2);
//  ^^^^^^^^^^^^^^^^^^^^^^^^ missing-barrier
""",
    )
    expected = (
        "in `load`, thread 0 reads byte 256 of `tile`, which thread 64 writes, and no barrier"
    )
    assert messages == [f"{expected} orders the two accesses"]


def test_a_mistake_in_a_function_alone_is_reported_there() -> None:
    check_kernel(
        """
.func copy(.param .b64 source)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [source];
    mov.u32 %r1, tile;
    cp.async.ca.shared.global [%r1], [%rd1], 4;
    cp.async.commit_group;
    ld.shared.b32 %r2, [%r1];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ early-copy-access
    cp.async.wait_group 0;
    st.global.b32 [%rd1], %r2;
    ret;
}
""",
        """
    { .param .b64 source; st.param.b64 [source], %rd1; call copy, (source); }
    mov.u32 %r3, %r1;
""",
    )


@pytest.mark.parametrize(
    "barrier",
    [
        ".func wait() { bar.sync 0; ret; }",
        ".func inner() { bar.sync 0; ret; }\n.func wait() { call inner; ret; }",
        ".func wait();",  # nothing is known of it
        ".func wait() { call wait; ret; }",  # nothing is known of the inner call
        ".func wait() { .reg .pred p; setp.eq.u32 p, 1, 1; @p call wait; @p bar.sync 0; ret; }",
    ],
)
def test_function_that_may_order(barrier: str) -> None:
    check_kernel(
        f"{STORE}{LOAD}{barrier}\n",
        """
    { .param .b32 value; st.param.b32 [value], %r1; call store, (value); }
    call wait;
    call (%r3), load, (%r2);
""",
    )


def test_guard_of_a_call() -> None:
    check_kernel(
        ".func wait() { bar.sync 0; ret; }\n",
        """
    and.b32 %r3, %r1, 31;
    setp.lt.u32 %p1, %r3, 8;
    @%p1 call wait;
//  ^^^^^^^^^^^^^^^ divergent-barrier
    setp.lt.u32 %p2, %r1, 64;
    @!%p2 bra NEXT;
    mov.u32 %r3, %r2;
NEXT:
    call wait;
""",
    )


def test_name_of_the_caller_that_a_function_uses_for_another_thing() -> None:
    check_kernel(
        STORE + LOAD,
        """
    { .reg .b32 tile; mov.u32 tile, %r1;
    { .param .b32 value; st.param.b32 [value], tile; call store, (value); }
    call (%r3), load, (%r2); }
""",
    )


def test_result_in_memory() -> None:
    check_kernel(
        STORE
        + """
.func (.param .b32 lane) lane_of(.param .b32 thread)
{
    .reg .b32 %r<3>;
    ld.param.b32 %r1, [thread];
    and.b32 %r2, %r1, 31;
    st.param.b32 [lane], %r2;
    ret;
}
""",
        """
    { .param .b32 value; st.param.b32 [value], %r1; call store, (value); }
    {
    .param .b32 thread;
    .param .b32 lane;
    st.param.b32 [thread+0], %r1;
    call.uni (lane), lane_of, (thread);
    ld.param.b32 %r4, [lane+0];
    }
    shl.b32 %r4, %r4, 2;
    mov.u32 %r5, tile;
    add.u32 %r5, %r5, %r4;
    ld.shared.b32 %r3, [%r5];
//  ^^^^^^^^^^^^^^^^^^^^^^^^^ missing-barrier
""",
    )
