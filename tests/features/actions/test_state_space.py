"""State spaces for accesses by generic addresses whose origin is known."""

from __future__ import annotations

import pytest

from tests.support.actions import check_action, check_not_offered

TITLE = "Add an explicit state space"
MODULE = """\
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b32 g[4];
.shared .align 4 .b32 s[4];
.visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u64 q)
{{
.reg .pred %p<9>;
.reg .b32 %r<9>;
.reg .b64 %rd<9>;
ld.param.u64 %rd1, [q];
{}
ret;
}}
"""


def check(body: str, expected: str) -> None:
    """The access at `<|>` with its state space."""
    check_action(MODULE.format(body), TITLE, MODULE.format(expected))


@pytest.mark.parametrize(
    "origin",
    [
        "cvta.to.global.u64 %rd2, %rd1;",
        "ld.param.u64 %rd2, [p];",
        "cvta.global.u64 %rd2, g;",
        "mov.u64 %rd2, g;",
        "cvta.to.global.u64 %rd3, %rd1; add.s64 %rd2, %rd3, 16;",
        "cvta.to.global.u64 %rd3, %rd1; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd2, %rd4, %rd3;",
        "cvta.to.global.u64 %rd2, %rd1; L: add.s64 %rd2, %rd2, 4; @%p1 bra L;",
        "cvta.to.global.u64 %rd2, %rd1; @%p1 bra L; cvta.global.u64 %rd2, g; L:",
    ],
)
def test_global(origin: str) -> None:
    check(f"{origin}\n<|>ld.u32 %r1, [%rd2+4];", f"{origin}\nld.global.u32 %r1, [%rd2+4];")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<|>st.v2.u32 [%rd2], {%r1, %r2};", "st.global.v2.u32 [%rd2], {%r1, %r2};"),
        ("<|>atom.add.u32 %r1, [%rd2], 1;", "atom.global.add.u32 %r1, [%rd2], 1;"),
        ("@%p1 <|>red.add.u32 [%rd2], 1;", "@%p1 red.global.add.u32 [%rd2], 1;"),
        ("<|>ld.relaxed.gpu.u32 %r1, [%rd2];", "ld.relaxed.gpu.global.u32 %r1, [%rd2];"),
        ("<|>ld.volatile.u32 %r1, [%rd2];", "ld.volatile.global.u32 %r1, [%rd2];"),
    ],
)
def test_the_place_among_modifiers(before: str, after: str) -> None:
    origin = "cvta.to.global.u64 %rd2, %rd1;"
    check(f"{origin}\n{before}", f"{origin}\n{after}")


def test_shared() -> None:
    origin = "cvta.to.shared.u64 %rd2, %rd1;"
    check(f"{origin}\n<|>ld.u32 %r1, [%rd2];", f"{origin}\nld.shared.u32 %r1, [%rd2];")


def test_a_variable_in_place_of_its_generic_address() -> None:
    origin = "cvta.shared.u64 %rd2, s;"
    check(f"{origin}\n<|>ld.u32 %r1, [%rd2+4];", f"{origin}\nld.shared.u32 %r1, [s+4];")


@pytest.mark.parametrize(
    "body",
    [
        "<|>ld.u32 %r1, [%rd1];",
        "<|>ld.u32 %r1, [%rd2];",
        "cvta.to.global.u64 %rd2, %rd1; <|>ld.global.u32 %r1, [%rd2];",
        "@%p1 cvta.to.global.u64 %rd2, %rd1; <|>ld.u32 %r1, [%rd2];",
        "cvta.to.global.u64 %rd2, %rd1; @%p1 mov.u64 %rd2, %rd1; <|>ld.u32 %r1, [%rd2];",
        "cvta.shared.u64 %rd3, s; add.s64 %rd2, %rd3, 4; <|>ld.u32 %r1, [%rd2];",
        "cvta.to.global.u64 %rd3, %rd1; sub.s64 %rd2, %rd1, %rd3; <|>ld.u32 %r1, [%rd2];",
        "cvta.to.global.u64 %rd3, %rd1; add.s64 %rd2, %rd3, %rd3; <|>ld.u32 %r1, [%rd2];",
    ],
)
def test_nobody_knows(body: str) -> None:
    check_not_offered(MODULE.format(body), TITLE)


def test_a_large_function_is_searched_when_asked() -> None:
    origin = "cvta.to.global.u64 %rd2, %rd1;" + "\nmov.u32 %r2, 1;" * 8000
    check(f"{origin}\n<|>ld.u32 %r1, [%rd2];", f"{origin}\nld.global.u32 %r1, [%rd2];")


def test_two_spaces() -> None:
    body = (
        "cvta.to.global.u64 %rd2, %rd1; @%p1 bra L; cvta.to.shared.u64 %rd2, %rd1; "
        "L: <|>ld.u32 %r1, [%rd2];"
    )
    reason = "`%rd2` may hold an address of `.global` or `.shared`"
    check_not_offered(MODULE.format(body), TITLE, reason)
