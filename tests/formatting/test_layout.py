"""How PTX looks when it is laid out."""

from textwrap import dedent

import pytest

from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.formatter import formatted


def check_layout(before: str, after: str, **choices: int) -> None:
    """Fails unless the first text becomes the second one, which is its own layout."""
    style = FormatStyle(**(FormatStyle()._asdict() | choices))
    before, after = (dedent(text).removeprefix("\n") for text in (before, after))
    assert formatted(before, style) == after
    assert formatted(after, style) == after


def check_body(before: str, after: str, **choices: int) -> None:
    """The same for statements of a function."""
    head, before, after = ".func f()\n{\n", dedent(before), dedent(after).removeprefix("\n")
    after = "".join(f"    {line}" if line.strip() else line for line in after.splitlines(True))
    check_layout(f"{head}{before}}}\n", f"{head}{after}}}\n", **choices)


def test_opcodes_and_operands_stand_in_columns() -> None:
    check_body(
        """
        mov.u32 \t%r1,%tid.x ;
          ld.global.f32 %f1 , [ %rd1 + 4 ];
        wgmma.commit_group.sync.aligned;
        cvta.to.global.u64.and.more %rd1, %rd2;
        """,
        """
        mov.u32             %r1, %tid.x;
        ld.global.f32       %f1, [%rd1+4];
        wgmma.commit_group.sync.aligned;
        cvta.to.global.u64.and.more %rd1, %rd2;
        """,
    )


def test_guards_of_neighbours_stand_in_a_column() -> None:
    check_body(
        """
        @%p1 bra L;
        mov.u32 %r1, 1;
        @ %p1 ret;
        @! %p12 st.global.u32 [%rd1], %r1;
        @%p1 exit;
        """,
        """
        @%p1 bra            L;
        mov.u32             %r1, 1;
        @%p1   ret;
        @!%p12 st.global.u32 [%rd1], %r1;
        @%p1   exit;
        """,
    )


def test_comments_of_neighbours_stand_in_a_column() -> None:
    check_body(
        """
        ret; // one
        ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1]; /* two */
        exit;
        trap; // three
        { // a scope
        } // its end
        """,
        """
        ret;                                               // one
        ld.global.v4.f32    {%f1, %f2, %f3, %f4}, [%rd1];  /* two */
        exit;
        trap;                               // three
        { // a scope
        } // its end
        """,
    )


def test_a_very_long_line_does_not_move_the_comments_of_others() -> None:
    check_body(
        """
        ret; // one
        ld.param.u64 %rd1, [a_name_that_somebody_else_has_made_up_and_that_is_long]; // two
        """,
        """
        ret;                                // one
        ld.param.u64        %rd1, [a_name_that_somebody_else_has_made_up_and_that_is_long];  // two
        """,
    )


def test_labels_and_scopes() -> None:
    check_layout(
        """
        .func f() { loop: bra loop; { inner: bra inner; {ret;} } }
        """,
        """
        .func f()
        {
        loop:
            bra                 loop;
            {
            inner:
                bra                 inner;
                {
                    ret;
                }
            }
        }
        """,
    )


def test_a_comment_that_reads_like_a_label_stands_like_one() -> None:
    check_layout(
        """
        .func f()
        {
        // %bb.0:
        // an ordinary one
        ret;
        }
        """,
        """
        .func f()
        {
        // %bb.0:
            // an ordinary one
            ret;
        }
        """,
    )


def test_parameters_keep_one_line_or_lines_of_their_own() -> None:
    check_layout(
        """
        .extern .func  (.param .b32 r) vprintf
        (
        \t.param .b64 a,
        \t.param .b64 b   // behind
        )
        ;
        .func g( .param .b32 a,.param .b32 b ) ;
        """,
        """
        .extern .func (.param .b32 r) vprintf(
            .param .b64 a,
            .param .b64 b                       // behind
        );
        .func g(.param .b32 a, .param .b32 b);
        """,
    )
    check_layout(
        ".func g(.param .b32 a_long_one,.param .b32 another_long_one);\n",
        """
        .func g(
            .param .b32 a_long_one,
            .param .b32 another_long_one
        );
        """,
        width=50,
    )


def test_directives_of_a_head_have_lines_of_their_own() -> None:
    check_layout(
        '.entry k() .maxntid 4,4 .pragma "nounroll"; .minnctapersm 2 { ret; }\n',
        """
        .entry k()
        .maxntid 4, 4
        .pragma "nounroll";
        .minnctapersm 2
        {
            ret;
        }
        """,
    )


def test_blank_lines() -> None:
    check_layout(
        """


        .version 8.0
        .target sm_80


        .address_size 64
        // of f
        .func f()
        {

            ret;


            ret;

        }
        // of g
        .func g() { }
        .func h();

        """,
        """
        .version 8.0
        .target sm_80

        .address_size 64
        // of f
        .func f()
        {
            ret;

            ret;
        }

        // of g
        .func g()
        {
        }

        .func h();
        """,
    )


def test_calls() -> None:
    check_body(
        """
        { // callseq 0, 0
        .param .b64 param0;
        st.param.b64 [param0+0], %rd1;
        call.uni (retval0),
        f,
        (
        param0,
        param1
        );
        } // callseq 0
        ts: .branchtargets
        A, B;
        brx.idx %r1, ts;
        """,
        """
        { // callseq 0, 0
            .param .b64 param0;
            st.param.b64        [param0+0], %rd1;
            call.uni            (retval0), f, (param0, param1);
        } // callseq 0
        ts: .branchtargets A, B;
        brx.idx             %r1, ts;
        """,
    )


def test_long_operand_lists_wrap() -> None:
    check_body(
        "wgmma.mma_async.sync.aligned {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, %rd1, %rd2, 1, 1;\n",
        """
        wgmma.mma_async.sync.aligned
            {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7,
            %f8}, %rd1, %rd2, 1, 1;
        """,
        width=48,
    )


def test_initial_values_wrap() -> None:
    numbers = ",".join(map(str, range(100, 140)))
    check_layout(
        f".global .align 1 .b8 t[40]={{{numbers}}};\n",
        """
        .global .align 1 .b8 t[40] = {100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111,
            112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128,
            129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139};
        """,
        width=90,
    )
    check_layout(
        ".global .b8 rows[3][3] = {{1,2,3},{4,5,6},\n{7,8,9}};\n",
        """
        .global .b8 rows[3][3] = {{1, 2, 3},
            {4, 5, 6}, {7, 8, 9}};
        """,
        width=40,
    )


def test_debug_sections() -> None:
    check_layout(
        """
        \t.section\t.debug_str\t{
        $L__info_string0:
        .b8 116,114 , 97 // t
        .b64 $L__tmp2 - $L__tmp0
        \t}
        """,
        """
        .section .debug_str
        {
        $L__info_string0:
            .b8 116,114,97                      // t
            .b64 $L__tmp2-$L__tmp0
        }
        """,
    )


def test_several_statements_on_a_line() -> None:
    check_layout(
        '.version 8.0 .target sm_80, debug .file 1 "a  b"\n.global .u64 x=1<<3;\n',
        """
        .version 8.0
        .target sm_80, debug
        .file 1 "a  b"
        .global .u64 x = 1 << 3;
        """,
    )


def test_comments_inside_of_statements() -> None:
    check_body(
        """
        mov.u32 %r1, // why
          1;
        add.s32 %r1 /* a */,/*b*/ %r2, 1;
        add.s32 %r1, // first
        // on its own
        %r2, 1; /* x */ // y
        """,
        """
        mov.u32             %r1,            // why
            1;
        add.s32             %r1 /* a */, /*b*/ %r2, 1;
        add.s32             %r1,            // first
            // on its own
            %r2, 1;                         /* x */ // y
        """,
    )


def test_what_is_inside_of_comments_and_strings_stays() -> None:
    check_layout(
        """
           /* one
             two   */
        // ;  ,  {\x20\x20
        .pragma  "a  ,b" ;
        """,
        """
           /* one
             two   */
        // ;  ,  {
        .pragma "a  ,b";
        """,
    )


@pytest.mark.parametrize(
    "broken",
    ["add.s32  %r1 ,, %r2;\n", "add.s32 %r1\n", ";;\n", " .reg  .b32;  mov %r1\n", '"open  \n'],
)
def test_what_is_broken_stays_and_moves_nothing(broken: str) -> None:
    rest = "    ret;\n}\n\n.func g()\n{\n    ret;\n}\n"
    text = f".func f()\n{{\n    mov.u32             %r1, 1;\n{broken}{rest}"
    check_layout(text, text)


@pytest.mark.parametrize("broken", ["{\n", "}\n    ret;\n    {\n    {\n"])
def test_a_brace_without_partner_moves_no_other_function(broken: str) -> None:
    after = "}\n\n.func g()\n{\n    ret;\n}\n"
    found = formatted(f".func f()\n{{\n{broken}{after}", FormatStyle())
    assert found.endswith("\n.func g()\n{\n    ret;\n}\n")


def test_lines_for_other_tools_and_raw_text_stay() -> None:
    text = (
        '# 1  "a.i"\n\t@@DWARF .byte\t0x2d,  0x00\n'
        '.nv_intermediate_source_section {\n  .code_block {\n    .ir_name:  "x"\n'
        "    .sourceFileName: 1\n    .source_begin\n  a   b\n    .source_end\n  }\n}\n"
    )
    check_layout(text, text)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_stay(end: str) -> None:
    text = end.join([".func  f() {", "  ret;  // c", "}"])
    expected = end.join([".func f()", "{", "    ret;                                // c", "}", ""])
    assert formatted(text, FormatStyle()) == expected


@pytest.mark.parametrize(("text", "expected"), [("", ""), ("\n\n", ""), (" ", ""), ("//", "//\n")])
def test_hardly_any_text(text: str, expected: str) -> None:
    assert formatted(text, FormatStyle()) == expected


def test_tabs() -> None:
    check_layout(
        """
        .func f()
        {
        @%p1 mov.u32 %r1, 1; // c
        @%p12 ret;  // d



        ret;
        }
        """,
        """
        .func f()
        {
        \t@%p1  mov.u32   %r1, 1;       // c
        \t@%p12 ret;                    // d


        \tret;
        }
        """,
        indent=8,
        tabs=True,
        operand_column=16,
        comment_column=38,
        blank_lines=2,
    )


def test_nothing_aligned() -> None:
    check_body(
        """
        @%p1 mov.u32 %r1, 1;   // c

        ret;  // d
        """,
        """
        @%p1 mov.u32 %r1, 1;  // c
        ret;  // d
        """,
        operand_column=0,
        comment_column=0,
        blank_lines=0,
    )
