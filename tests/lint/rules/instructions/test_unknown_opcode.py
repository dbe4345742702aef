from tests.support.lint import check_fix, check_lint, check_module


def test_near_one_is_proposed() -> None:
    check_lint("""
    addd.s32 %r1, %r2, %r3;
    ^^^^ unknown-opcode: unknown opcode `addd`; did you mean `add`?
    ADD.s32 %r1, %r2, %r3;
    ^^^ unknown-opcode: unknown opcode `ADD`; did you mean `add`?
    """)


def test_name_of_cuda_or_of_machine_code() -> None:
    check_lint("""
    __syncthreads();
    ^^^^^^^^^^^^^ unknown-opcode: unknown opcode `__syncthreads`; did you mean `bar.sync`?
    atomicAdd(%rd1, %r1);
    ^^^^^^^^^ unknown-opcode: unknown opcode `atomicAdd`; did you mean `atom.add.u32`?
    LDG %r1, [%rd1];
    ^^^ unknown-opcode: unknown opcode `LDG`; did you mean `ld.global`?
    jmp DONE;
    ^^^ unknown-opcode: unknown opcode `jmp`; did you mean `bra`?
    DONE:
    """)
    check_fix("ldg.b32 %r1, [%rd1];\n", "ld.global.b32 %r1, [%rd1];\n")
    check_fix("iadd.s32 %r1, %r2, %r3;\n", "add.s32 %r1, %r2, %r3;\n")
    check_fix("imad %r1, %r2, %r3, %r4;\n", "mad.lo.s32 %r1, %r2, %r3, %r4;\n")


def test_a_dot_that_is_missing() -> None:
    check_fix("stglobal.b32 [%rd1], %r1;\n", "st.global.b32 [%rd1], %r1;\n")
    check_fix("setpeq.s32 %p1, %r1, %r2;\n", "setp.eq.s32 %p1, %r1, %r2;\n")
    check_fix("ldglobalncu32 %r1, [%rd1];\n", "ld.global.nc.u32 %r1, [%rd1];\n")
    check_fix("movb32 %r1, %r2;\n", "mov.b32 %r1, %r2;\n")
    check_fix("adds.s32 %r1, %r2, %r3;\n", "add.s32 %r1, %r2, %r3;\n")


def test_nothing_is_near() -> None:
    check_lint("""
    qwertyuiop %r1;
    ^^^^^^^^^^ unknown-opcode: unknown opcode `qwertyuiop`
    """)


def test_statement_of_another_language() -> None:
    check_lint("""
    int x = 5;
    ^^^ unknown-opcode: unknown opcode `int`
    if (%p1) bra DONE;
    ^^ unknown-opcode: unknown opcode `if`
    @%p1 IMAD R1, R2, R3, c[0x0][0x28];
    //   ^^^^ unknown-opcode: unknown opcode `IMAD`; did you mean `mad.lo.s32`?
    ad d.s32 %r1, %r2, %r3;
    ^^ unknown-opcode: unknown opcode `ad`; did you mean `add`?
    DONE:
    """)
    check_lint("""
    for (int i = 0;
    ^^^ unknown-opcode: unknown opcode `for`
    """)


def test_label_before_an_instruction() -> None:
    check_lint("""
    NEXT add.s32 %r1, %r2, %r3;
    ^^^^ unknown-opcode: missing `:` after the label `NEXT`
    """)


def test_known_opcode_with_a_syntax_error() -> None:
    check_lint("""
    add.s32 %r1 %r2, %r3;
    //          ^^^ syntax-error: expected `,`
    """)


def test_under_a_guard() -> None:
    check_lint("""
    @!%p1 brra DONE;
    //    ^^^^ unknown-opcode: unknown opcode `brra`; did you mean `bra`?
    DONE:
    """)


def test_newer_version_has_the_benefit_of_the_doubt() -> None:
    check_module("""
    .version 99.0
    //       ^^^^ unknown-version: PTX ISA 99.0 is newer than 9.5, the latest version that ptx-ls
    .target sm_90
    .address_size 64
    .entry k() {
        brandnew;
        brandnew (;
        //        ^ syntax-error
    }
    """)


def test_fix() -> None:
    check_fix("addd.s32 %r1, %r2, %r3;\n", "add.s32 %r1, %r2, %r3;\n")
