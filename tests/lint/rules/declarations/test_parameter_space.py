from tests.support.lint import check_declarations, check_module


def test_at_most() -> None:
    check_module("""
    .version 8.1
    .target sm_70
    .entry k(.param .b8 a[32764]) { ret; }
    .entry l(.param .b8 a[32765]) { ret; }
    //     ^ parameter-space: the parameters of `l` take 32,765 bytes, expected at most 32,764
    """)


def test_gaps_count() -> None:
    check_module("""
    .version 8.1
    .target sm_70
    .entry k(.param .b8 a, .param .align 16 .b8 b[32740], .param .b32 c) { ret; }
    .entry l(.param .b8 a[32760], .param .b8 b, .param .b32 c) { ret; }
    //     ^ parameter-space: the parameters of `l` take 32,768 bytes
    .entry m(.param .align 64 .b8 a[1], .param .align 64 .b8 b[1], .param .b8 c[32764]) { ret; }
    //     ^ parameter-space: the parameters of `m` take 32,829 bytes
    """)


def test_limits() -> None:
    check_declarations("""
    .entry k(.param .b8 a[4352]) { ret; }
    .entry l(.param .b8 a[4353]) { ret; }
    //     ^ parameter-space: the parameters of `l` take 4,353 bytes, expected at most 4,352
    """)
    check_module("""
    .version 8.1
    .target sm_61
    .entry k(.param .b8 a[4353]) { ret; }
    //     ^ parameter-space: the parameters of `k` take 4,353 bytes, expected at most 4,352
    """)
    check_module("""
    .version 1.4
    .target sm_13
    .entry k(.param .b8 a[256]) { exit; }
    .entry l(.param .b8 a[257]) { exit; }
    //     ^ parameter-space: the parameters of `l` take 257 bytes, expected at most 256
    """)


def test_handles_take_nothing() -> None:
    check_module("""
    .version 8.1
    .target sm_70
    .entry k(.param .texref t, .param .b8 a[32764], .param .surfref s) { ret; }
    """)


def test_functions_and_prototypes_have_no_limit() -> None:
    check_declarations("""
    .func f(.param .b8 a[99999]) { ret; }
    .entry k(.param .b8 a[99999]);
    """)
