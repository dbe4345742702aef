from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.lint.session import lint
from tests.support.lint import check_declarations, check_lint, check_module

SOUND = [
    ".b8 0",
    ".b8 199,255,25",
    ".b32 5",
    ".b64 $L__a",
    ".b32 .debug_str",
    "$L__b:",
    "",
    "{",
    "}",
]
"""Lines of data as nvcc writes them."""
DOUBTFUL = [
    *[".b8 256", ".b8 1,300", ".b8 1000", ".b8\t256", ".b16 70000", ".b32 -2147483649", ".b8 a"],
    *[".b8 -3", ".b8 0xff", ".b16 7", ".u8 1", "/**/.b8 256", ".b8 1 .b8 512", "  .b8 999 // x"],
    *[".b32 1 /*", "*/ .b8 256", '.b64 "', ".b8 1,", ".b8 ٣", ".b8 1;"],
]


def wrong_lines(lines: list[str], end: str) -> list[tuple[int, str]]:
    text = end.join([".version 8.5", ".target sm_90", ".section .debug_str", "{", *lines, "}", ""])
    found = lint(Document.read(text))
    return [(it.range.start.line, it.message) for it in found if it.rule == "directive-value"]


def test_data() -> None:
    check_declarations("""
    .section .debug_str
    {
    a:
        .b8 255, -128, 0xff, 0377, 4294967296
        .b8 256
    //      ^^^ directive-value: `256` does not fit in `.b8`
        .b8 1, -129, 300
    //          ^^^ directive-value: `-129` does not fit in `.b8`
    //               ^^^ directive-value: `300` does not fit in `.b8`
        .b16 65536
    //       ^^^^^ directive-value: `65536` does not fit in `.b16`
        .b32 -2147483648, 99999999999
        .b32 -2147483649
    //        ^^^^^^^^^^ directive-value: `-2147483649` does not fit in `.b32`
        .b8 1 .b8 512
    //            ^^^ directive-value: `512` does not fit in `.b8`
    }
    """)


@given(
    st.lists(st.sampled_from(SOUND + DOUBTFUL), max_size=12),
    st.integers(0, 300),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_data_among_many_lines(lines: list[str], n_before: int, end: str) -> None:
    """Long sections are searched for doubtful data in chunks, short ones line by line."""
    padding = [".b8 1"] * n_before
    moved = [(line + n_before, message) for line, message in wrong_lines(lines, end)]
    assert wrong_lines([*padding, *lines], end) == moved
    assert wrong_lines([*padding, *lines, *[".b8 2"] * 600], end)[: len(moved)] == moved


def test_types_of_data() -> None:
    check_declarations("""
    .section .debug_str
    {
    a:
        .u8 1
    //  ^^^ directive-value: `.u8` is not allowed for section data, expected `.b8`, `.b16`, `.b32`
        .b1 1
    //  ^^^ directive-value: `.b1` is not allowed for section data
        .b16 a
    //       ^ directive-value: `a` does not fit in `.b16`, expected `.b32` or `.b64`
        .b64 a
        .b32 .debug_str
    }
    """)


def test_files() -> None:
    check_declarations("""
    .file 1 "a.cu"
    .file 2 "a.cu"
    .file 0x1 "b.cu"
    //    ^^^ directive-value: `.file 0x1` is already defined
    .file 4294967296 "c.cu"
    //    ^^^^^^^^^^ directive-value: `4294967296` does not fit in 32 bits
    """)


def test_prototypes() -> None:
    check_lint("""
    p: .callprototype (.param .b32 a) _ (.param .b64 _);
    .callprototype _ ();
    ^^^^^^^^^^^^^^ directive-value: `.callprototype` needs a label
    q:
    .callprototype callee ();
    //             ^^^^^^ directive-value: a prototype must be named `_`, found `callee`
    l:
    t: .branchtargets l;
    // a comment
    s: /* and another */
    .branchtargets l;
    u: add.s32 %r1, %r1, 1;
    .branchtargets l;
    ^^^^^^^^^^^^^^ directive-value: `.branchtargets` needs a label
    .branchtargets l;
    ^^^^^^^^^^^^^^ directive-value: `.branchtargets` needs a label
    """)


def test_aliases() -> None:
    check_declarations("""
    .func f() { ret; }
    .weak .func w() { ret; }
    .func g(.param .b32 x) { ret; }
    .func a();
    .func b();
    .func c();
    .alias a, f;
    .alias a, f;
    //     ^ directive-value: `a` is already an alias
    .alias b, w;
    //        ^ directive-value: `w` cannot be aliased, expected a function of this module
    .alias c, g;
    //        ^ directive-value: `g` and its alias have different numbers of parameters
    .func d();
    .alias d, d;
    //        ^ directive-value: `d` is its own alias
    .func e(.param .b64 x);
    .alias e, g;
    //        ^ directive-value: `g` and its alias have parameters of different types
    .alias f, g;
    //     ^ directive-value: `f` cannot be an alias, expected a function without a body
    """)


def test_frequencies() -> None:
    check_module("""
    .version 9.5
    .target sm_100
    .address_size 64
    .entry k() {
        .pragma "frequency 0x10";
        .pragma "frequency 0";
    //          ^^^^^^^^^^^^^ directive-value: `.pragma "frequency"` takes a positive number
        .pragma "frequency 12ab";
    //          ^^^^^^^^^^^^^^^^ directive-value: `.pragma "frequency"` takes a positive number
        .pragma "frequency ++5";
    //          ^^^^^^^^^^^^^^^ directive-value: `.pragma "frequency"` takes a positive number
        .pragma "frequency";
    //          ^^^^^^^^^^^ directive-value: `.pragma "frequency"` takes a positive number
        ret;
    }
    """)


def test_metadata() -> None:
    check_declarations("""
    .metadata_section {
        .metadata 0 {"a", "b"}
        .metadata 4294967295 {"a", .u64 4294967295}
        .metadata 0 {"c", .b32 5000000000}
    //            ^ directive-value: metadata node 0 is already defined
    //                         ^^^^^^^^^^ directive-value: `5000000000` does not fit in 32 bits
    }
    .metadata_section { }
    ^^^^^^^^^^^^^^^^^ directive-value: the module already has a `.metadata_section`
    .entry k() {
    .metadata_section { }
    ^^^^^^^^^^^^^^^^^ misplaced-directive: `.metadata_section`
    ret;
    }
    .entry j() { ret; }
    .metadata_section { .metadata_domain 1 }
    ^^^^^^^^^^^^^^^^^ directive-value: the module already has a `.metadata_section`
    //                  ^^^^^^^^^^^^^^^^ unsupported-target: needs PTX ISA 9.5 on the family sm_107f
    """)
