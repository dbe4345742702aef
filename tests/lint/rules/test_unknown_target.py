from tests.support.lint import check_module


def test_near_one_is_proposed() -> None:
    check_module("""
    .version 8.0
    .target sm_91
    //      ^^^^^ unknown-target: unknown target `sm_91`; did you mean `sm_90`?
    """)


def test_option() -> None:
    check_module("""
    .version 8.0
    .target sm_90, texmode_unifed
    //             ^^^^^^^^^^^^^^ unknown-target: unknown target `texmode_unifed`; did you mean
    """)


def test_newer_version_may_have_it() -> None:
    check_module("""
    .version 99.0
    //       ^^^^ unknown-version: PTX ISA 99.0 is newer than ptx-ls knows, which is 9.5
    .target sm_999
    """)


def test_compute() -> None:
    check_module("""
    .version 8.0
    .target compute_90
    """)
