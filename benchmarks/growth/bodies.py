"""Series in the body of a correct function: declarations, instructions, labels, blocks."""

from __future__ import annotations

from benchmarks.growth.series import END, HEADER, KERNEL, Series, in_kernel, listed, plain


def _branches_forward(n: int) -> str:
    """Makes a branch to each of n labels, all of which come after the branches."""
    branches = "".join([f"\t@%p1 bra $L{i};\n" for i in range(n)])
    labels = "".join([f"$L{i}:\n\tadd.u32 %r1, %r1, 1;\n" for i in range(n)])
    return HEADER + KERNEL + branches + labels + END


def _branches_backward(n: int) -> str:
    """Makes a branch to each of n labels, all of which come before the branches."""
    labels = "".join([f"$L{i}:\n\tadd.u32 %r1, %r1, 1;\n" for i in range(n)])
    branches = "".join([f"\t@%p1 bra $L{i};\n" for i in range(n)])
    return HEADER + KERNEL + labels + branches + END


def _nested_loops(n: int) -> str:
    """Makes nested loops."""
    heads = "".join([f"$L{i}:\n" for i in range(n)])
    ends = "".join([f"\t@%p1 bra $L{i};\n" for i in reversed(range(n))])
    return HEADER + KERNEL + heads + ends + END


def _switch(n: int) -> str:
    """Makes a `brx.idx` with n targets."""
    labels = "".join([f"$L{i}:\n\tadd.u32 %r1, %r1, 1;\n" for i in range(n)])
    targets = ", ".join([f"$L{i}" for i in range(n)])
    lists = f"table:\n\t.branchtargets {targets};\n\tbrx.idx %r1, table;\n"
    return HEADER + KERNEL + lists + labels + END


def _indirect_call(n: int) -> str:
    """Makes a `call` that may reach n functions."""
    functions = "".join([f".func f{i}() {{ ret; }}\n" for i in range(n)])
    targets = ", ".join([f"f{i}" for i in range(n)])
    lists = f"table:\n\t.calltargets {targets};\n\tcall %rd1, (), table;\n"
    return HEADER + functions + KERNEL + lists + END


def _distinct_registers(n: int) -> str:
    """Makes uses of n registers of one bank, each written once and read once."""
    lines = "".join([f"\tadd.u32 %x{i + 1}, %x{i}, 1;\n" for i in range(n)])
    return f"{HEADER}{KERNEL}\t.reg .b32 %x<{n + 1}>;\n{lines}{END}"


def _scattered(n: int) -> str:
    """Makes uses of n registers, all written at the start and read at the end."""
    writes = "".join([f"\tmov.u32 %x{i}, {i};\n" for i in range(n)])
    reads = "".join([f"\tst.global.u32 [%rd1], %x{i};\n" for i in range(n)])
    return f"{HEADER}{KERNEL}\t.reg .b32 %x<{n}>;\n{writes}{reads}{END}"


_ASM = "\t// begin inline asm\n\tadd.u32 %r1, %r2, %r3;\n\t// end inline asm\n"

SERIES: tuple[Series, ...] = (
    in_kernel("registers", "\t.reg .b32 r#;\n"),
    in_kernel("registers with a use each", "\t.reg .b32 r#;\n\tmov.u32 r#, #;\n"),
    in_kernel("register banks", "\t.reg .b32 %x#_<9>;\n"),
    in_kernel("register banks with a use each", "\t.reg .b32 %x#_<9>;\n\tmov.u32 %x#_1, #;\n"),
    listed("registers in one declaration", "r#", f"{HEADER}{KERNEL}\t.reg .b32 ", f";\n{END}"),
    Series("registers in one bank", _distinct_registers),
    Series("registers with long live ranges", _scattered),
    in_kernel("local variables", "\t.local .b32 v#;\n"),
    in_kernel("`.param` variables in a body", "\t.param .b32 v#;\n"),
    in_kernel("instructions", "\tadd.s32 \t%r1, %r2, %r3;\n"),
    in_kernel("numbers", "\tadd.s32 \t%r1, %r2, #;\n"),
    in_kernel("floating-point numbers", "\tadd.f32 \t%f1, %f2, #.5;\n"),
    in_kernel("addresses", "\tld.global.u32 %r1, [%rd1+#];\n"),
    in_kernel("vectors", "\tld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n"),
    in_kernel("guards", "\t@%p1 add.s32 %r1, %r2, %r3;\n"),
    in_kernel("comparisons", "\tsetp.lt.s32 %p1|%p2, %r1, #;\n\tselp.u32 %r1, 1, 0, %p1;\n"),
    in_kernel("conversions", "\tcvt.rzi.u32.f32 %r1, %f1;\n\tcvt.u64.u32 %rd1, %r1;\n"),
    in_kernel("special registers", "\tmov.u32 %r1, %tid.x;\n\tmov.u64 %rd1, %clock64;\n"),
    in_kernel("atomics", "\tatom.global.acq_rel.gpu.add.u32 %r1, [%rd1], %r2;\n"),
    in_kernel("shuffles", "\tshfl.sync.down.b32 %r1|%p1, %r2, 16, 31, -1;\n"),
    in_kernel("barriers", "\tbar.sync 0;\n"),
    in_kernel("matrix instructions", "\tldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];\n"),
    in_kernel("asynchronous copies", "\tcp.async.ca.shared.global [%r1], [%rd1], 4;\n"),
    in_kernel(
        "texture reads",
        "\ttex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];\n",
        module=".global .texref t;\n",
    ),
    in_kernel("variables", "\tld.global.u32 %r1, [v];\n", module=".global .u32 v;\n"),
    in_kernel("kernel parameters", "\tld.param.u64 %rd1, [parameter];\n"),
    in_kernel("inline assembly", _ASM),
    in_kernel("one-line inline assembly", "\t{ .reg .b32 t; add.u32 t, %r1, #; }\n"),
    in_kernel("returns", "\tret;\n"),
    in_kernel("labels", "$L#:\n"),
    in_kernel("labels with `$` on one line", "$L#: "),
    in_kernel("branches to the next line", "\t@%p1 bra $L#;\n$L#:\n"),
    in_kernel("loops", "$L#:\n\tadd.u32 %r1, %r1, 1;\n\t@%p1 bra $L#;\n"),
    plain("forward branches to one label", "\t@%p1 bra $END;\n", HEADER + KERNEL, f"$END:\n{END}"),
    in_kernel("backward branches to one label", "\t@%p1 bra $START;\n", before="$START:\n"),
    Series("branches forward", _branches_forward),
    Series("branches backward", _branches_backward),
    Series("nested loops", _nested_loops),
    Series("targets of one switch", _switch),
    in_kernel(
        "switches",
        "table#:\n\t.branchtargets $L#, $M#;\n\tbrx.idx %r1, table#;\n$L#:\n$M#:\n\tret;\n",
    ),
    Series("targets of an indirect call", _indirect_call),
    in_kernel(
        "call prototypes",
        "proto#:\n\t.callprototype _ (.param .b32 _);\n"
        "\t{\n\t.param .b32 a;\n\tst.param.b32 [a], 1;\n\tcall %rd1, (a), proto#;\n\t}\n",
    ),
    in_kernel("blocks", "\t{\n\tadd.u32 %r1, %r2, %r3;\n\t}\n"),
    in_kernel("blocks with declarations", "\t{\n\t.reg .b32 t;\n\tmov.u32 t, #;\n\t}\n"),
    in_kernel("empty blocks", "\t{ }\n"),
    plain("lines of inline assembly", "\t{add.f32 %f1, %f2, %f3;}\n", HEADER + KERNEL, END),
)
