"""Series of statements that compute something, for the rules about values and control flow."""

from __future__ import annotations

from typing import Final

from benchmarks.growth.series import HEADER, Series, in_kernel, listed

_SET: Final = """\
\t.shared .align 8 .b8 tile[4096];
\t.local .align 8 .b8 stack[256];
\tld.param.u64 %rd1, [parameter];
\tcvta.to.global.u64 %rd2, %rd1;
\tmov.u64 %rd3, %rd2;
\tmov.u32 %r1, %ntid.x;
\tmov.u32 %r2, %tid.x;
\tmov.u32 %r3, tile;
\tmov.u32 %r4, 0;
\tmov.f32 %f1, 0f00000000;
"""
"""Sets the registers that a series reads."""
_CALLED: Final = """\
.func (.param .b32 result) called(.param .b32 number)
{
\t.reg .b32 %r<2>;
\tld.param.b32 %r1, [number];
\tst.param.b32 [result], %r1;
\tret;
}
"""


def _computing(name: str, pattern: str, before: str = "", module: str = "") -> Series:
    """Returns a series of statements in a kernel whose registers are set."""
    return in_kernel(name, pattern, _SET + before, module)


SERIES: tuple[Series, ...] = (
    _computing("sums in one register", "\tadd.u32 %r4, %r4, %r2;\n"),
    _computing("products in one register", "\tmad.lo.u32 %r4, %r4, %r2, %r1;\n"),
    _computing(
        "bit operations on one register", "\tand.b32 %r4, %r4, %r2;\n\tshl.b32 %r4, %r4, 1;\n"
    ),
    _computing(
        "floating-point operations on one register", "\tfma.rn.f32 %f1, %f1, %f1, 0f3F800000;\n"
    ),
    _computing("quotients", "\tdiv.u32 %r4, %r4, 7;\n\trem.u32 %r4, %r1, %r4;\n"),
    _computing("carries", "\tadd.cc.u32 %r4, %r4, %r2;\n\taddc.u32 %r2, %r2, %r4;\n"),
    _computing("constants moved to one register", "\tmov.u32 %r5, #;\n"),
    _computing("copies", "\tmov.u32 %r5, %r4;\n\tmov.u32 %r4, %r2;\n\tmov.u32 %r2, %r5;\n"),
    _computing(
        "conversions of numbers",
        "\tcvt.rn.f32.s32 %f1, %r2;\n\tadd.f32 %f2, %f1, %f1;\n\tmov.b32 %r2, %f2;\n",
    ),
    _computing(
        "guarded statements",
        "\tsetp.lt.u32 %p1, %r4, %r1;\n\t@%p1 add.u32 %r4, %r4, 1;\n\t@!%p1 mov.u32 %r4, %r2;\n",
    ),
    _computing("selections", "\tsetp.lt.s32 %p1, %r4, %r1;\n\tselp.b32 %r4, %r4, %r2, %p1;\n"),
    _computing(
        "branches that join again",
        "\tsetp.lt.u32 %p1, %r4, %r1;\n\t@%p1 bra A#;\n\tadd.u32 %r4, %r4, 1;\n\tbra B#;\n"
        "A#:\n\tsub.u32 %r4, %r4, %r2;\nB#:\n",
    ),
    _computing(
        "counting loops",
        "L#:\n\tadd.u32 %r4, %r4, 1;\n\tsetp.lt.u32 %p1, %r4, %r1;\n\t@%p1 bra L#;\n",
    ),
    _computing(
        "loops with two entries",
        "\tsetp.lt.u32 %p1, %r4, %r1;\n\t@%p1 bra X#;\nY#:\n\tadd.u32 %r4, %r4, 1;\n"
        "X#:\n\tadd.u32 %r4, %r4, 2;\n\tsetp.lt.u32 %p2, %r4, %r1;\n\t@%p2 bra Y#;\n",
    ),
    _computing(
        "branches back to one label",
        "\tadd.u32 %r4, %r4, #;\n\tsetp.eq.u32 %p1, %r4, %r1;\n\t@%p1 bra START;\n",
        "START:\n",
    ),
    listed(
        "targets of an indirect branch",
        "T#",
        f"{HEADER}.visible .entry kernel()\n{{\n\t.reg .b32 %r<2>;\n\tmov.u32 %r1, %tid.x;\n"
        "TABLE: .branchtargets ",
        ";\n\tbrx.idx %r1, TABLE;\nT0:\n\tret;\n}\n",
    ),
    _computing(
        "accesses to shared memory",
        "\tst.shared.u32 [%r3+#], %r2;\n\tld.shared.u32 %r4, [%r3+4];\n\tadd.u32 %r3, %r3, %r4;\n",
    ),
    _computing(
        "accesses to global memory",
        "\tld.global.f32 %f2, [%rd3+4];\n\tadd.f32 %f1, %f1, %f2;\n\tadd.s64 %rd3, %rd3, 4;\n"
        "\tst.global.f32 [%rd3], %f1;\n",
    ),
    _computing(
        "accesses to local memory",
        "\tmov.u64 %rd4, stack;\n\tst.local.u32 [%rd4+4], %r2;\n\tld.local.u32 %r4, [%rd4];\n",
    ),
    _computing(
        "variables of a function",
        "\t.shared .b32 v#;\n\tst.shared.u32 [v#], %r2;\n\tld.shared.u32 %r4, [v#];\n",
    ),
    _computing(
        "addresses of variables",
        "\t.shared .b32 v#;\n\tmov.u32 %r5, v#;\n\tst.shared.u32 [%r5], %r2;\n"
        "\tld.shared.u32 %r4, [%r5];\n",
    ),
    _computing(
        "blocks with a register of the same name",
        "\t{\n\t.reg .b32 t;\n\tmov.b32 t, %r2;\n\tadd.u32 %r4, %r4, t;\n\t}\n",
    ),
    _computing(
        "calls with arguments of the same name",
        "\t{\n\t.param .b32 a;\n\tst.param.b32 [a], %r4;\n\t.param .b32 b;\n"
        "\tcall.uni (b), called, (a);\n\tld.param.b32 %r4, [b];\n\t}\n",
        module=_CALLED,
    ),
)
