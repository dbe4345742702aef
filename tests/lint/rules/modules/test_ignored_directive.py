from tests.support.lint import check_declarations, check_lint, check_module


def test_blocks_without_their_size() -> None:
    check_declarations("""
    .entry k() .minnctapersm 2 { ret; }
    //         ^^^^^^^^^^^^^ ignored-directive: `.minnctapersm` has no effect without `.maxntid`
    .entry l() .reqntid 32 .minnctapersm 2 { ret; }
    .entry m() .minnctapersm 2 .maxntid 32 { ret; }
    """)


def test_threads_of_a_multiprocessor() -> None:
    check_declarations("""
    .entry k() .maxntid 2048 { ret; }
    .entry l() .maxntid 64, 33 { ret; }
    //         ^^^^^^^^ ignored-directive: `.maxntid` has no effect: 2,112 threads do not fit
    .entry m() .reqntid 2049 { ret; }
    //         ^^^^^^^^ ignored-directive: `.reqntid` has no effect: 2,049 threads do not fit
    .entry n() .maxntid 65 .minnctapersm 21 { ret; }
    .entry o() .maxntid 65 .minnctapersm 22 { ret; }
    //                     ^^^^^^^^^^^^^ ignored-directive: `.minnctapersm` has no effect: 2,112
    """)
    check_module("""
    .version 8.0
    .target sm_86
    .entry k() .maxntid 512 .minnctapersm 4 { ret; }
    //                      ^^^^^^^^^^^^^ ignored-directive: `.minnctapersm` has no effect: 2,048
    """)


def test_blocks_of_a_multiprocessor() -> None:
    check_declarations("""
    .entry k() .maxntid 32 .minnctapersm 32 { ret; }
    .entry l() .maxntid 32 .minnctapersm 33 { ret; }
    //                     ^^^^^^^^^^^^^ ignored-directive: `.minnctapersm` has no effect: 33 blocks
    """)


def test_registers() -> None:
    check_declarations("""
    .entry k() .maxnreg 255 { ret; }
    .entry l() .maxnreg 256 { ret; }
    //         ^^^^^^^^ ignored-directive: `.maxnreg` has no effect: 256 registers exceed 255, the
    .entry m() .maxnreg 24 { ret; }
    .entry n() .maxnreg 23 { ret; }
    //         ^^^^^^^^ ignored-directive: ptxas raises `.maxnreg` to 24, the minimum for a thread
    """)


def test_pragmas() -> None:
    check_lint("""
    .pragma "nounroll";
    .pragma "unroll";
    //      ^^^^^^^^ ignored-directive: unknown pragma `unroll` has no effect
    .pragma "nounroll 3";
    //      ^^^^^^^^^^^^ ignored-directive: unknown pragma `nounroll 3` has no effect
    """)
    check_module("""
    .version 9.5
    .target sm_90
    .entry k() .pragma "unroll"; {
    //                 ^^^^^^^^ ignored-directive: unknown pragma `unroll` has no effect
    .pragma "used_bytes_mask 0xf";
    .pragma "used_bytes_mask all";
    //      ^^^^^^^^^^^^^^^^^^^^^ ignored-directive: pragma `used_bytes_mask` takes a mask
    .pragma "mma_throughput more";
    ret; }
    """)
