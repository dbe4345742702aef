from tests.support.lint import check_declarations, check_module


def test_owner() -> None:
    check_declarations("""
    .func f() .maxntid 32 { ret; }
    //        ^^^^^^^^ misplaced-directive: `.maxntid` is allowed only on `.entry`
    .entry k() .noreturn { ret; }
    //         ^^^^^^^^^ misplaced-directive: `.noreturn` is allowed only on `.func`
    """)


def test_conflict() -> None:
    check_declarations("""
    .entry k() .maxntid 32 .reqntid 32 { ret; }
    //                     ^^^^^^^^ misplaced-directive: `.reqntid` cannot be combined with
    """)


def test_company() -> None:
    check_module("""
    .version 9.0
    .target sm_90
    .address_size 64
    .entry k() .blocksareclusters .reqntid 128 .reqnctapercluster 2 { ret; }
    .entry l() .blocksareclusters .reqntid 128 { ret; }
    //         ^^^^^^^^^^^^^^^^^^ misplaced-directive: needs `.reqnctapercluster`
    .entry m() .blocksareclusters { ret; }
    //         ^^^^^^^^^^^^^^^^^^ misplaced-directive: needs `.reqntid` and `.reqnctapercluster`
    """)


def test_arguments() -> None:
    check_declarations("""
    .entry k() .maxntid 1, 2, 3, 4 { ret; }
    //                           ^ misplaced-directive: `.maxntid` takes at most 3 numbers
    """)


def test_repetition_is_taken() -> None:
    check_declarations("""
    .entry k() .maxntid 32 .maxntid 32 { ret; }
    """)


def test_numbers() -> None:
    check_declarations("""
    .entry k() .maxnreg { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxnreg` takes a number
    .entry l() .maxntid { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxntid` takes 1 to 3 numbers
    .entry m() .maxntid 1, 0 { ret; }
    //                     ^ misplaced-directive: `.maxntid` takes positive numbers, found `0`
    .entry n() .maxclusterrank 4294967296 { ret; }
    //                         ^^^^^^^^^^ misplaced-directive: `.maxclusterrank` takes 32-bit
    .entry o() .explicitcluster 3 { ret; }
    //         ^^^^^^^^^^^^^^^^ misplaced-directive: `.explicitcluster` takes no number
    .entry p() .maxnreg 32, 3 { ret; }
    //                      ^ misplaced-directive: `.maxnreg` takes at most one number
    .entry q() .maxnreg 0x20 .maxclusterrank 0 { ret; }
    .entry r() .maxntid 32U, 1, 1 .minnctapersm 1 { ret; }
    """)


def test_body() -> None:
    check_declarations("""
    .func f()
    .entry k();
    .entry l()
    .entry m() { ret; }
    | misplaced-directive: missing `{` or `;` after the header of a kernel
    """)


def test_body_without_its_brace() -> None:
    check_declarations("""
    .entry k() .maxntid 32
    // a comment

    .global .u32 x;
    ^^^^^^^ misplaced-directive: missing `{` or `;` after the header of a kernel
    """)


def test_scope() -> None:
    check_declarations("""
    .pragma "nounroll";
    .file 1 "a.cu"
    .entry k()
    {
        .file 2 "b.cu"
    //  ^^^^^ misplaced-directive: `.file` is allowed only outside of functions
        ret;
    }
    p: .callprototype _ ();
    // ^^^^^^^^^^^^^^ misplaced-directive: `.callprototype` is allowed only in the body of a
    """)


def test_order_on_device_functions() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .func f() .noreturn .abi_preserve 4 .local_maxnreg 32 .language "CUDA C++" { exit; }
    .func g() .local_maxnreg 32 .abi_preserve 4 { ret; }
    //                          ^^^^^^^^^^^^^ misplaced-directive: `.abi_preserve` must come before
    .func h() .language 3 .language 4 { ret; }
    //                    ^^^^^^^^^ misplaced-directive: `.language` is given twice
    .entry k() .language 3 .language 4, "tile ir" .maxntid 32 .language 5 { ret; }
    """)


def test_functions_without_a_body() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .func f() .abi_preserve 4;
    .func g() .pragma "nounroll";
    .func h() .local_maxnreg 32;
    //        ^^^^^^^^^^^^^^ misplaced-directive: `.local_maxnreg` is allowed only on functions
    .entry k() .maxntid 32;
    //         ^^^^^^^^ misplaced-directive: `.maxntid` is allowed only on functions with a body
    .func (.reg .b32 r) i() .noreturn { exit; }
    //                      ^^^^^^^^^ misplaced-directive: `.noreturn` is allowed only on functions
    .entry l() {
        p: .callprototype _ () .noreturn .abi_preserve 4;
        q: .callprototype (.reg .b32 _) _ () .noreturn;
    //                                       ^^^^^^^^^ misplaced-directive: `.noreturn` is allowed
        ret;
    }
    """)


def test_an_empty_list_of_results_is_no_result() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .extern .func () f () .noreturn;
    .func () g () .noreturn .abi_preserve 4 { trap; }
    .func ( /* none */ ) h .noreturn { trap; }
    .func .attribute(.unified(1, 2)) () i () .noreturn;
    //               ^^^^^^^^ separate-compilation: `.unified`
    .func .attribute(.unified(1, 2)) (.reg .b32 r) j () .noreturn;
    //               ^^^^^^^^ separate-compilation: `.unified`
    //                                                  ^^^^^^^^^ misplaced-directive: `.noreturn`
    .func k() {
        p: .callprototype () _ () .noreturn;
        q: .callprototype () _ (.param .b32 a) .noreturn;
        ret;
    }
    """)


def test_values() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .func f() .abi_preserve_control 11 { ret; }
    .func g() .abi_preserve_control 12 { ret; }
    //                              ^^ misplaced-directive: `.abi_preserve_control` takes numbers
    .entry k() .language "c" { ret; }
    //                   ^^^ misplaced-directive: `.language` takes `"unknown"`, `"ptx"`
    .entry l() .language 11 { ret; }
    //                   ^^ misplaced-directive: `.language` takes numbers up to 10, found `11`
    .entry m() .minperctamemory 4, 4 { ret; }
    //                             ^ misplaced-directive: `.minperctamemory` takes at most one
    .entry n() .maxnreg WARP_SZ { ret; }
    .entry o() .maxnreg four { ret; }
    //         ^^^^^^^^ misplaced-directive: `.maxnreg` takes a number
    """)


def test_pragmas() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .pragma "nounroll";
    .pragma "frequency 4";
    //      ^^^^^^^^^^^^^ misplaced-directive: `.pragma "frequency"` is allowed only in the body of
    .entry k() .pragma "nounroll"; .pragma "mma_throughput"; { ret; }
    //                                     ^^^^^^^^^^^^^^^^ misplaced-directive: `.pragma "mma_thr
    .func f() { .pragma "enable_smem_spilling"; ret; }
    //                  ^^^^^^^^^^^^^^^^^^^^^^ misplaced-directive: `.pragma "enable_smem_spilling"`
    .entry l() { .pragma "enable_smem_spilling"; ret; }
    """)


def test_attributes() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .global .attribute(.managed) .u32 a;
    .global .attribute(.unified(1, 2)) .u32 b;
    //                 ^^^^^^^^ separate-compilation: `.unified` is allowed only in a module that is
    .shared .attribute(.managed) .u32 c;
    //                 ^^^^^^^^ misplaced-directive: `.managed` is allowed only on `.global`
    .global .attribute(.shared_) .u32 d;
    //                 ^^^^^^^^ misplaced-directive: `.shared_` is not an attribute, expected
    .global .attribute(.unified(1)) .u32 e;
    //                 ^^^^^^^^ misplaced-directive: `.unified` takes two numbers
    .func .attribute(.unified(1, 2), .unified(3, 4)) f() { ret; }
    //               ^^^^^^^^ separate-compilation: `.unified` is allowed only in a module that is
    //                               ^^^^^^^^ misplaced-directive: `.unified` is given twice
    .func .attribute(.unified(1, 2)) .attribute(.unified(3, 4)) g() { ret; }
    //               ^^^^^^^^ separate-compilation: `.unified` is allowed only in a module that is
    //                                          ^^^^^^^^ misplaced-directive: `.unified` is given
    .global .attribute(.managed) .attribute(.managed) .u32 f1;
    """)


def test_locations_outside_of_functions() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .file 1 "a.cu"
    .loc 1 1 1
    ^^^^ misplaced-directive: `.loc` is allowed only in the body of a function
    .entry k() {
    .loc 1 1 1
    ret;
    }
    """)


def test_locations_on_several_lines_and_beside_braces() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .file 1 "a.cu"
    .loc
    ^^^^ misplaced-directive: `.loc` is allowed only in the body of a function
      1
      1 1
    .entry k() { ret; }
    """)
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .file 1 "a.cu"
    .entry k() { ret; } .loc 1 1 1
    //                  ^^^^ misplaced-directive: `.loc` is allowed only in the body of a
    """)


def test_kernel_inside_of_a_function() -> None:
    check_declarations("""
    .func f() {
    .func g();
    .extern .entry k();
    //      ^^^^^^ misplaced-directive: `.entry` is allowed only outside of functions
    }
    .entry k();
    """)


def test_data_outside_of_sections() -> None:
    check_declarations("""
    .section .debug_str
    {
    .b8 1
    }
       .b8 2
    // ^^^ misplaced-directive: `.b8` is allowed only in a `.section`
    .b32 3
    .func f() {
       .b64 4
    // ^^^^ misplaced-directive: `.b64` is allowed only in a `.section`
    ret;
    }
    """)
