"""Accesses at offsets that guards, loops and arithmetic decide."""

import pytest

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.rule_settings import DEFAULT_RULES
from ptx_ls.source import Severity

RULES = ("out-of-bounds", "misaligned-access", "wrong-address-space", "truncated-address")


def check_kernel(declarations: str, threads: str, body: str) -> list[str]:
    """Returns the rules on addresses that report something in a kernel."""
    text = (
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        f".visible .entry k(.param .u64 .ptr .global .align 16 p, .param .u32 n)\n{threads}\n{{\n"
        ".reg .pred %p<9>;\n.reg .b32 %r<29>;\n.reg .b64 %rd<29>;\n.reg .f32 %f<9>;\n"
        f"{declarations}\nld.param.u64 %rd1, [p];\nld.param.u32 %r20, [n];\nmov.u32 %r1, %tid.x;\n"
        f"{body}\nret;\n}}\n"
    )
    found = lint(Document.read(text), DEFAULT_RULES)
    assert [each for each in found if each.severity is Severity.ERROR] == []
    return [each.rule for each in found if each.rule in RULES]


RIGHT = {
    "aligned guard": (
        "",
        ".reqntid 128",
        """
    and.b32 %r2, %r1, 3;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra out;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.v4.f32 [%rd3], {%f1,%f1,%f1,%f1};
    out:
    """,
    ),
    "rem guard": (
        "",
        ".reqntid 128",
        """
    rem.u32 %r2, %r1, 4;
    setp.eq.u32 %p1, %r2, 0;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    @%p1 st.global.v4.f32 [%rd3], {%f1,%f1,%f1,%f1};
    """,
    ),
    "2d": (
        ".shared .b32 s[256];",
        ".reqntid 32, 8, 1",
        """
    mov.u32 %r2, %tid.y;
    mad.lo.u32 %r3, %r2, 32, %r1;
    shl.b32 %r4, %r3, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    """,
    ),
    "warp guard": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    shr.u32 %r2, %r1, 5;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra out;
    shl.b32 %r4, %r1, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    out:
    """,
    ),
    "early exit loop": (
        ".shared .b32 s[32];",
        "",
        """
    mov.u32 %r2, 0;
    mov.u32 %r5, s;
    l:
    shl.b32 %r4, %r2, 2;
    add.u32 %r6, %r5, %r4;
    ld.shared.u32 %r7, [%r6];
    setp.eq.u32 %p1, %r7, 0;
    @%p1 bra out;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 100;
    @%p2 bra l;
    out:
    """,
    ),
    "min": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    min.u32 %r2, %r1, 31;
    shl.b32 %r4, %r2, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    """,
    ),
    "two guards": (
        ".shared .b32 s[64];",
        ".reqntid 128",
        """
    setp.lt.u32 %p1, %r1, 64;
    setp.lt.u32 %p2, %r1, %r20;
    and.pred %p3, %p1, %p2;
    @!%p3 bra out;
    shl.b32 %r4, %r1, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    out:
    """,
    ),
    "returned before": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    setp.ge.u32 %p1, %r1, 32;
    @%p1 ret;
    shl.b32 %r4, %r1, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    """,
    ),
    "trap before": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra ok;
    trap;
    ok:
    shl.b32 %r4, %r1, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    """,
    ),
    "wrapping index": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    sub.u32 %r2, %r1, 32;
    setp.gt.u32 %p1, %r2, 31;
    @%p1 bra out;
    shl.b32 %r4, %r2, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    out:
    """,
    ),
    "64-bit wrap": (
        ".shared .b32 s[127];",
        ".reqntid 128",
        """
    add.s32 %r2, %r1, -1;
    setp.lt.s32 %p1, %r2, 0;
    @%p1 bra out;
    mul.wide.s32 %rd2, %r2, 4;
    mov.u64 %rd3, s;
    add.s64 %rd4, %rd3, %rd2;
    st.shared.u32 [%rd4], %r1;
    out:
    """,
    ),
    "loop down": (
        ".shared .b32 s[32];",
        "",
        """
    mov.u32 %r2, 31;
    mov.u32 %r5, s;
    l:
    shl.b32 %r4, %r2, 2;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    add.s32 %r2, %r2, -1;
    setp.ge.s32 %p2, %r2, 0;
    @%p2 bra l;
    """,
    ),
    "stride loop": (
        ".shared .b32 s[1024];",
        ".reqntid 128",
        """
    mov.u32 %r2, %r1;
    mov.u32 %r5, s;
    l:
    shl.b32 %r4, %r2, 2;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    add.u32 %r2, %r2, 128;
    setp.lt.u32 %p2, %r2, 1024;
    @%p2 bra l;
    """,
    ),
    "while loop top test": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    mov.u32 %r2, %r1;
    mov.u32 %r5, s;
    l:
    setp.ge.u32 %p2, %r2, 32;
    @%p2 bra out;
    shl.b32 %r4, %r2, 2;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    add.u32 %r2, %r2, 128;
    bra l;
    out:
    """,
    ),
    "double buffer": (
        ".shared .b32 s[64];",
        "",
        """
    mov.u32 %r2, 0;
    mov.u32 %r5, s;
    mov.u32 %r9, 0;
    l:
    shl.b32 %r4, %r9, 7;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    xor.b32 %r9, %r9, 1;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 100;
    @%p2 bra l;
    """,
    ),
    "modular stage": (
        ".shared .b32 s[96];",
        "",
        """
    mov.u32 %r2, 0;
    mov.u32 %r5, s;
    mov.u32 %r9, 0;
    l:
    shl.b32 %r4, %r9, 7;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    add.u32 %r9, %r9, 1;
    setp.eq.u32 %p3, %r9, 3;
    selp.b32 %r9, 0, %r9, %p3;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 100;
    @%p2 bra l;
    """,
    ),
    "pointer select": (
        ".shared .b32 a[16];\n.shared .b32 b[16];",
        "",
        """
    mov.u64 %rd2, a;
    mov.u64 %rd3, b;
    setp.lt.u32 %p1, %r1, 32;
    selp.b64 %rd4, %rd2, %rd3, %p1;
    st.shared.u32 [%rd4+60], %r1;
    """,
    ),
    "swizzle": (
        ".shared .align 16 .b8 s[2048];",
        ".reqntid 128",
        """
    mov.u32 %r5, s;
    shl.b32 %r2, %r1, 4;
    and.b32 %r3, %r1, 7;
    shl.b32 %r3, %r3, 4;
    xor.b32 %r4, %r2, %r3;
    add.u32 %r6, %r5, %r4;
    st.shared.v4.f32 [%r6], {%f1,%f1,%f1,%f1};
    """,
    ),
    "or as add": (
        ".shared .align 16 .b8 s[2048];",
        ".reqntid 128",
        """
    mov.u32 %r5, s;
    shl.b32 %r2, %r1, 4;
    or.b32 %r3, %r2, 8;
    add.u32 %r6, %r5, %r3;
    st.shared.v2.f32 [%r6], {%f1,%f1};
    """,
    ),
    "byte pointer peeled": (
        "",
        "",
        """
    ld.global.u64 %rd5, [%rd1];
    add.s64 %rd6, %rd5, 4;
    st.global.v4.f32 [%rd6], {%f1,%f1,%f1,%f1};
    """,
    ),
    "same array two names": (
        ".shared .b32 a[4];\n.shared .b32 b[16];",
        "",
        """
    mov.u32 %r2, a;
    mov.u32 %r3, b;
    sub.u32 %r4, %r3, %r2;
    add.u32 %r5, %r2, %r4;
    st.shared.u32 [%r5+60], %r1;
    """,
    ),
    "predicated off tail": (
        ".shared .b32 s[32];",
        ".reqntid 128",
        """
    mad.lo.u32 %r2, %r1, 3, 2;
    setp.lt.u32 %p1, %r2, 32;
    mov.u32 %r5, s;
    shl.b32 %r4, %r2, 2;
    add.u32 %r6, %r5, %r4;
    @%p1 st.shared.u32 [%r6], %r1;
    """,
    ),
    "signed guard": (
        ".shared .b32 s[64];",
        ".reqntid 128",
        """
    add.s32 %r2, %r1, -64;
    setp.ge.s32 %p1, %r2, 0;
    @!%p1 bra out;
    shl.b32 %r4, %r2, 2;
    mov.u32 %r5, s;
    add.u32 %r6, %r5, %r4;
    st.shared.u32 [%r6], %r1;
    out:
    """,
    ),
    "brx": (
        ".shared .b32 s[32];",
        "",
        """
    and.b32 %r2, %r1, 1;
    ts: .branchtargets a, b;
    brx.idx %r2, ts;
    a:
    mov.u32 %r5, s;
    bra c;
    b:
    mov.u32 %r5, s;
    add.u32 %r5, %r5, 4;
    c:
    st.shared.u32 [%r5+120], %r1;
    """,
    ),
}
"""Declarations, launch bounds and bodies of correct kernels."""
WRONG = {
    "2d": ("s[256]", "s[255]"),
    "returned before": ("s[32]", "s[31]"),
    "trap before": ("s[32]", "s[31]"),
    "64-bit wrap": ("s[127]", "s[126]"),
    "loop down": ("%r2, 31", "%r2, 32"),
    "swizzle": ("v4.f32 [%r6]", "v4.f32 [%r6+8]"),
    "signed guard": ("s[64]", "s[63]"),
    "same array two names": ("+60", "+64"),
}
"""Changes of some of them after which an access is wrong."""


@pytest.mark.parametrize("name", RIGHT)
def test_correct_kernel(name: str) -> None:
    assert check_kernel(*RIGHT[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_wrong_kernel(name: str) -> None:
    before, after = WRONG[name]
    declarations, threads, body = RIGHT[name]
    assert before in declarations + body
    changed = declarations.replace(before, after), threads, body.replace(before, after)
    assert check_kernel(*changed)
