"""Series of mistakes: the same one each time, or one with a new name or number each time."""

from __future__ import annotations

from benchmarks.growth.series import END, HEADER, KERNEL, Series, in_kernel, in_module, plain
from ptx_ls import isa


def _near_misses(n: int) -> str:
    """Makes names that are declared with one letter more than they are used with."""
    declared = "".join([f"\t.reg .b32 value{i}x;\n" for i in range(n)])
    return (
        HEADER + KERNEL + declared + "".join([f"\tmov.u32 value{i}, 1;\n" for i in range(n)]) + END
    )


def _distinct_modifiers(n: int) -> str:
    """Makes instructions with known modifiers, in a different combination each time."""
    words = (
        ".rn .rz .rm .rp .ftz .sat .approx .full .lo .hi .wide .cc .u16 .s16 .u32 .s32 .u64 .s64"
        " .f16 .f32 .f64 .b8 .b16 .b32 .b64 .global .shared .local .const .v2 .v4 .relaxed"
    ).split()
    lines = []
    for i in range(n):
        chosen = "".join([word for bit, word in enumerate(words) if (i * 2654435761 >> bit) & 1])
        lines.append(f"\tadd{chosen} %r1, %r2, %r3;\n")
    return HEADER + KERNEL + "".join(lines) + END


_LEGAL = (
    "add.rn.ftz.sat.f32 %f1, %f2, %f3;",
    "atom.acq_rel.gpu.global.add.u32 %r1, [%rd1], %r2;",
    "cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16;",
    "cvt.rn.ftz.sat.f32.s32 %f1, %r1;",
    "fma.rn.ftz.f32 %f1, %f2, %f3, %f4;",
    "ld.relaxed.gpu.global.L1::no_allocate.v2.f32 {%f1, %f2}, [%rd1];",
    "mad.wide.u32 %rd1, %r1, %r2, %rd2;",
    (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4},"
        " {%r5,%r6}, {%f1,%f2,%f3,%f4};"
    ),
    "multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r1;",
    (
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r1], %r2,"
        " [%r3];"
    ),
    "setp.lt.and.ftz.f32 %p1, %f1, %f2, %p2;",
    "st.global.cg.v4.u32 [%rd1], {%r1,%r2,%r3,%r4};",
    "tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%r2}];",
    (
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %rd1, %rd2, 1, 1, 1,"
        " 0, 0;"
    ),
)
"""Legal instructions whose modifiers are replaced."""


def _distinct_mistakes(n: int) -> str:
    """Makes instructions with two modifiers replaced by others of the opcode; few are the same."""
    lines = [f"\t{_mistaken(*divmod(i, len(_LEGAL)))}\n" for i in range(n)]
    return (HEADER + KERNEL).replace("sm_90\n", "sm_90a\n") + "".join(lines) + END


def _mistaken(number: int, template: int) -> str:
    opcode, _, operands = _LEGAL[template].partition(" ")
    name, modifiers = isa.split_modifiers(opcode)
    instruction = isa.database().instruction(name)
    assert instruction is not None  # noqa: S101  each template has a known opcode
    known = sorted(instruction.known)
    changed = list(modifiers)
    for _ in range(2):
        number, slot = divmod(number, len(changed))
        number, other = divmod(number, len(known))
        changed[slot] = known[other]
    return f"{name}{''.join(changed)} {operands}"


_OLD = (HEADER + KERNEL).replace("8.5", "6.0").replace("sm_90", "sm_60")
_BAD_MMA = "\tmma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
_BAD_MMA += "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};\n"

SERIES: tuple[Series, ...] = (
    in_kernel("uses of one undeclared register", "\tadd.u32 %r1, %x, 1;\n"),
    in_kernel("undeclared registers", "\tadd.u32 %r1, %x#, 1;\n"),
    in_kernel("undeclared registers without `%`", "\tadd.u32 %r1, x#y, 1;\n"),
    Series("undeclared registers with similar names", _near_misses),
    in_kernel("registers beyond the end of a bank", "\tadd.u32 %r1, %r#0, 1;\n"),
    in_kernel("uses of one undeclared label", "\t@%p1 bra nowhere;\n"),
    in_kernel("undeclared labels", "\t@%p1 bra $L#;\n"),
    in_kernel("uses of one undeclared variable", "\tld.global.u32 %r1, [missing];\n"),
    in_kernel("undeclared variables", "\tld.global.u32 %r1, [missing#];\n"),
    in_kernel("calls to one undeclared function", "\tcall missing, (%r1);\n"),
    in_kernel("undeclared functions", "\tcall missing#, (%r1);\n"),
    in_module(
        "functions with an undeclared name each", ".func f#()\n{\n\tmov.u32 %x, missing#;\n}\n"
    ),
    in_kernel("repeated declarations of a register", "\t.reg .b32 x;\n"),
    in_kernel("registers declared twice each", "\t.reg .b32 x#;\n\t.reg .b32 x#;\n"),
    in_kernel("repeated declarations of a label", "x:\n"),
    in_kernel("labels declared twice each", "x#:\nx#:\n"),
    in_module("repeated declarations of a variable", ".global .u32 x;\n"),
    in_module("variables declared twice each", ".global .u32 x#;\n.global .u32 x#;\n"),
    in_module("repeated definitions of a function", ".func f()\n{\n\tret;\n}\n"),
    in_module("functions defined twice each", ".func f#() { ret; }\n.func f#() { ret; }\n"),
    in_module(
        "a function declared in two ways", ".func f(.param .b32 x);\n.func f(.param .b64 x);\n"
    ),
    in_kernel("a bank declared with different sizes", "\t.reg .b32 %x<#9>;\n"),
    in_kernel("instructions without a semicolon", "\tadd.u32 %r1, %r2, %r3\n"),
    in_kernel("declarations without a semicolon", "\t.reg .b32 x#\n"),
    in_kernel("instructions without a comma", "\tadd.u32 %r1 %r2, %r3;\n"),
    in_kernel("instructions without an operand", "\tadd.u32 %r1, %r2;\n"),
    in_kernel("instructions with an empty operand", "\tadd.u32 %r1, , %r2;\n"),
    in_kernel("instructions with one operand too many", "\tadd.u32 %r1, %r2, %r3, %r4;\n"),
    in_kernel("uses of one unknown opcode", "\taddd.u32 %r1, %r2, %r3;\n"),
    in_kernel("unknown opcodes", "\tadd#.u32 %r1, %r2, %r3;\n"),
    in_kernel("uses of one unknown modifier", "\tadd.foo.u32 %r1, %r2, %r3;\n"),
    in_kernel("unknown modifiers", "\tadd.foo#.u32 %r1, %r2, %r3;\n"),
    Series("different combinations of modifiers", _distinct_modifiers),
    Series("different illegal instructions", _distinct_mistakes),
    in_kernel("uses of one unknown directive", "\t.foo 1;\n"),
    in_kernel("unknown directives", "\t.foo# 1;\n"),
    in_module("uses of one unknown directive in a module", ".foo 1;\n"),
    in_module("unknown directives in a module", ".foo# 1;\n"),
    in_kernel("repetitions of one type mismatch", "\tadd.u64 %rd1, %r1, %r2;\n"),
    in_kernel("type mismatches", "\tadd.u64 x#, x#, 1;\n\t.reg .b32 x#;\n"),
    in_kernel("numbers of the wrong type", "\tadd.u32 %r1, %r2, #.5;\n"),
    in_kernel("numbers out of range", "\tadd.u32 %r1, %r2, 99999999999#;\n"),
    in_kernel("vectors of the wrong size", "\tld.global.v4.u32 {%r1, %r2}, [%rd1];\n"),
    in_kernel("addresses without brackets", "\tld.global.u32 %r1, %rd1;\n"),
    in_kernel("illegal mma", _BAD_MMA),
    in_kernel("illegal cp.async", "\tcp.async.cg.shared.global.L1::foo [%r1], [%rd1], #;\n"),
    in_kernel("illegal atom", "\tatom.global.max.f32 %f1, [%rd1], %f#;\n"),
    in_kernel("illegal cvt", "\tcvt.rn.s32.f32 %r1, %f#;\n"),
    plain(
        "instructions that need a newer version", "\tredux.sync.add.u32 %r1, %r2, -1;\n", _OLD, END
    ),
    in_kernel("instructions that need another target", "\twgmma.fence.sync.aligned;\n"),
    in_kernel(
        "calls with the wrong arguments", "\tcall f, (%r1, %r#);\n", module=".func f() { ret; }\n"
    ),
    in_kernel("assignments", "\t%r1 = add.u32 %r2, %r3;\n"),
    in_kernel("opcodes with a space instead of a dot", "\tadd u32 %r1, %r2, %r3;\n"),
    in_module("instructions at module level", "\tadd.u32 %r1, %r2, %r3;\n"),
    in_module("statements after a stray `*/`", "\tadd.u32 %r1, %r2, #;\nL#:\n", before="*/\n"),
    in_module("labels at module level", "L#:\n"),
    in_module("registers at module level", ".reg .b32 %r#;\n"),
    in_module(
        "directives before the body of a kernel",
        ".maxntid 1 .reqntid 1 ",
        ".entry k() ",
        "{\n\tret;\n}\n",
    ),
    in_module(
        "directives before the body of a function", ".noreturn\n", ".func f()\n", "{\n\tret;\n}\n"
    ),
    in_module(
        "pragmas before the body of a kernel",
        '.pragma "nounroll"; ',
        ".entry k() ",
        "{\n\tret;\n}\n",
    ),
    in_module("bodies without a head", "{\n\tret;\n}\n"),
    in_module("heads without a body", ".func f#()\n"),
    in_module("heads without a closing parenthesis", ".func f#(.param .b32 x\n"),
    in_module("functions without a closing brace", ".func f#()\n{\n\tret;\n"),
    in_module("functions with one brace too many", ".func f#()\n{\n\tret;\n}\n}\n"),
    in_kernel("blocks without a closing brace", "\t{\n"),
    in_kernel("closing braces without a block", "\t}\n"),
    in_kernel("unclosed parentheses", "\tcall (%r1, f;\n"),
    in_kernel("unclosed brackets", "\tld.global.u32 %r1, [%rd1;\n"),
    in_kernel("unclosed vectors", "\tld.global.v2.u32 {%r1, %r2, [%rd1];\n"),
    in_kernel("unclosed strings", '\t.pragma "nounroll;\n'),
    in_kernel("unclosed comments", "\t/* comment\n"),
    in_kernel("stray `*/`", "\t*/\n"),
    plain("`.version` directives", ".version 8.5\n"),
    in_module("`.target` directives", ".target sm_90\n"),
    plain("different `.version` directives", ".version #.0\n"),
    plain("headers", HEADER),
    in_kernel("module directives in a body", "\t.version 8.5\n\t.func f#();\n"),
    in_module("aliases of undeclared functions", ".alias a#, b#;\n"),
    in_module("arrays with too many initial values", ".global .b8 s#[2] = {1, 2, 3};\n"),
    in_module("initial values with undeclared names", ".global .u64 v# = missing#;\n"),
    in_module("arrays without a size", ".global .b8 s#[];\n"),
    in_module("wrong alignments", ".global .align 3 .b32 v#;\n"),
    in_kernel("locations without a file", "\t.loc # 1 1\n"),
    in_kernel("suppressed mistakes", "\tadd.u32 %r1, %x#, 1; // ptx-ls: ignore\n"),
    in_kernel(
        "suppressed mistakes of one rule", "\t// ptx-ls: ignore[unknown-opcode]\n\tadd#.u32 %r1;\n"
    ),
    in_kernel("unknown pragmas", '\t.pragma "foo#";\n'),
)
