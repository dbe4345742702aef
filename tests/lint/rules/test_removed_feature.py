from tests.support.lint import check_declarations, check_lint, check_module


def test_vote() -> None:
    check_lint("""
    vote.all.pred %p1, %p2;
    ^^^^^^^^^^^^^ removed-feature: `vote.all.pred` is no longer supported, it needs PTX ISA 6.3 or
    """)


def test_directives() -> None:
    check_declarations("""
    .entry k() .maxnctapersm 4 { ret; }
    //         ^^^^^^^^^^^^^ removed-feature: `.maxnctapersm` is no longer supported, it needs a
    .tex .u32 image;
    ^^^^ removed-feature: `.tex` is no longer supported, it needs a version before PTX ISA 1.5
    """)
    check_module("""
    .version 2.0
    .target sm_20
    .entry k() .maxnctapersm 4 { ret; }
    //         ^^^^^^^^^^^^^ deprecated-feature: `.maxnctapersm` is deprecated since PTX ISA 2.0
    """)
    check_module("""
    .version 1.4
    .target sm_13
    .entry k() .maxnctapersm 4 { ret; }
    """)
