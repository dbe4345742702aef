from tests.support.lint import check_declarations, check_lint, check_module


def test_vote() -> None:
    check_lint("""
    vote.all.pred %p1, %p2;
    ^^^^^^^^^^^^^ removed-feature: `vote.all.pred` was removed in PTX ISA 6.4 for sm_70 and newer
    """)


def test_directives() -> None:
    check_declarations("""
    .entry k() .maxnctapersm 4 { ret; }
    //         ^^^^^^^^^^^^^ removed-feature: `.maxnctapersm` was removed in PTX ISA 2.1
    .tex .u32 image;
    ^^^^ removed-feature: `.tex` was removed in PTX ISA 1.5
    """)
    check_module("""
    .version 2.0
    .target sm_20
    .entry k() .maxnctapersm 4 { ret; }
    //         ^^^^^^^^^^^^^ deprecated-feature: `.maxnctapersm` has been deprecated since PTX ISA 2
    """)
    check_module("""
    .version 1.4
    .target sm_13
    .entry k() .maxnctapersm 4 { ret; }
    """)


def test_functions_of_the_runtime() -> None:
    check_declarations("""
    .extern .func (.param .b32 status) cudaDeviceSynchronize();
    .entry k() {
        .param .b32 status;
        .reg .b64 %rd<2>;
        call (status), cudaDeviceSynchronize;
    //                 ^^^^^^^^^^^^^^^^^^^^^ removed-feature: `cudaDeviceSynchronize` was removed
        mov.b64 %rd1, cudaDeviceSynchronize;
    //                ^^^^^^^^^^^^^^^^^^^^^ removed-feature: `cudaDeviceSynchronize` was removed
        { .shared .b32 cudaDeviceSynchronize; mov.b64 %rd1, cudaDeviceSynchronize; }
        ret;
    }
    """)
    check_declarations("""
    .func cudaDeviceSynchronize() { ret; }
    .entry k() { call cudaDeviceSynchronize; ret; }
    """)
    check_module("""
    .version 8.0
    .target sm_89
    .extern .func cudaDeviceSynchronize();
    .entry k() { call cudaDeviceSynchronize; ret; }
    """)
