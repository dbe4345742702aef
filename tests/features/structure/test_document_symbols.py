"""The outline: functions with what they declare, variables, debug sections."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.structure.document_symbols import DocumentSymbol, document_symbols
from ptx_ls.source import Position

CORPUS = Path(__file__).parents[2] / "corpus"
TEXTS = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted([*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")])
]


def shown(symbols: list[DocumentSymbol], depth: int = 0) -> Iterator[str]:
    """Symbols as one reads them, those within others further in."""
    for symbol in symbols:
        detail = f" | {symbol.detail}" if symbol.detail else ""
        yield f"{'  ' * depth}{symbol.group.name.lower()} {symbol.name}{detail}"
        yield from shown(symbol.children, depth + 1)


def check_ranges(document: Document, symbols: list[DocumentSymbol]) -> None:
    """A name is within its symbol, which is within the document."""
    for symbol in symbols:
        assert symbol.range.start <= symbol.selection.start
        assert symbol.selection.start <= symbol.selection.end <= symbol.range.end
        for place in (*symbol.range, *symbol.selection):
            assert document.clamped(place) == place
        check_ranges(document, symbol.children)


def check_outline(text: str, expected: str) -> Document:
    """Checks the outline of a text."""
    document = Document.read(dedent(text.removeprefix("\n")))
    found = document_symbols(document).symbols
    assert "\n".join(shown(found)) == dedent(expected.removeprefix("\n")).rstrip()
    check_ranges(document, found)
    return document


def test_heads_without_a_parenthesis_have_their_bodies() -> None:
    for head in ("k(.param .u64 a, .param .b32 n\n{", "k(.param .u64 a, .param .b32 n {"):
        check_outline(
            f".entry {head}\n.reg .b32 x;\nL: ret;\n}}\n.global .b32 g;\n",
            """
            kernel k | .entry (.u64, .b32)
              parameter a | .u64
              parameter n | .b32
              registers registers | 1 .b32
                register x | .b32
              label L
            variable g | .global .b32
            """,
        )
    check_outline(
        ".func (.param .b32 r f(.param .b32 x)\n{\n.reg .b32 %r<3>;\nret;\n}\n.func g() { ret; }\n"
        ".func {\nL: ret;\n}\n",
        """
        function f
          registers registers | 3 .b32
            register %r<3> | .b32
        function g | ()
        function .func {
          label L
        """,
    )


def test_parameters_without_a_comma() -> None:
    check_outline(
        ".entry k(\n.param .u64 a // .param .u64 no\n.param .b32 n[4]\n.param .u8 last)\n{\n}\n",
        """
        kernel k | .entry (.u64, .b32[4], .u8)
          parameter a | .u64
          parameter n | .b32[4]
          parameter last | .u8
        """,
    )


def test_kernels() -> None:
    check_outline(
        """
        .version 8.0
        .visible .entry _Z5saxpyifPf(
            .param .u32 _Z5saxpyifPf_param_0,
            .param .align 8 .b8 pair[16]
        )
        {
            .reg .pred %p<2>;
            .reg .b32 %r<20>, single;
            .reg .v4 .f32 texel;
            .shared .align 4 .b8 tile[4][8];
        loop:
            @%p1 bra loop;
            { // callseq
                .param .v2 .f32 out;
            inner:
            }
            {
                ret;
            }
        }
        """,
        """
        kernel saxpy(int, float, float*) | .entry _Z5saxpyifPf
          parameter parameter 0 | .u32
          parameter pair | .b8[16]
          registers registers | 2 .pred, 21 .b32, 1 .v4.f32
            register %p<2> | .pred
            register %r<20> | .b32
            register single | .b32
            register texel | .v4.f32
          local tile | .shared .b8[4][8]
          label loop
          scope { }
            local out | .param .v2.f32
            label inner
        """,
    )


def test_declarations_without_their_end() -> None:
    check_outline(
        """
        .func f()
        {
            .reg .f32 %f<4>
            .reg .b32 r
            .reg x
            ret;
        }
        .global .align 4 .b8 table[] = {1,
            2
        """,
        """
        function f | ()
          registers registers | 4 .f32, 1 .b32, 1
            register %f<4> | .f32
            register r | .b32
            register x
        variable table | .global .b8
        """,
    )


def test_what_the_module_declares() -> None:
    check_outline(
        """
        .extern .func (.param .b32 status) vprintf(.param .b64 format);
        .const .f32 scale = 0f3F800000;
        .func (.reg .f32 r) f(.reg .f32 a) { ret; }
        .global .u64 _ZN2ns5tableE[] = {f};
        .section .debug_str {
        L:
            .b8 0
        }
        """,
        """
        function vprintf | (.b64) -> .b32, declared
        constant scale | .const .f32
        function f | (.f32) -> .f32
          register r | .f32
          register a | .f32
        variable ns::table | .global .u64[] _ZN2ns5tableE
        section .debug_str
        """,
    )


def test_tables_of_branches_and_calls() -> None:
    check_outline(
        """
        .func f() {
        targets: .branchtargets one, two;
        shape: .callprototype _ (.param .b32 _);
        one: two: ret;
        }
        """,
        """
        function f | ()
          label targets | branch target list
          prototype shape | call prototype
          label one
          label two
        """,
    )


def test_names_are_where_they_are_written() -> None:
    document = check_outline(".func f() { ret; }.func g() {\n}", "function f | ()\nfunction g | ()")
    first, second = document_symbols(document).symbols
    lines = document.lines
    for symbol, name in ((first, "f"), (second, "g")):
        start, end = symbol.selection
        assert lines[start.line][start.column : end.column] == name
    assert first.range.end == second.range.start == Position(0, 18)
    document = edited(document, Position(0, 0), Position(0, 0), "\n\n")
    moved, _ = document_symbols(document).symbols
    assert moved.selection.start == Position(2, 6)


def test_of_many_functions_the_later_ones_have_no_details() -> None:
    text = "".join(f".func f{n}() {{ .reg .b32 r; ret; }}\n" for n in range(9))
    found = document_symbols(Document.read(text), most=4).symbols
    assert [bool(symbol.children) for symbol in found] == [True] * 2 + [False] * 7


def test_a_scope_without_its_end_goes_on_to_that_of_the_function() -> None:
    document = check_outline(
        ".func f()\n{\n{ .reg .b32 t;\nret;\nret\n\n.func g() { }\n",
        """
        function f | ()
          scope { }
            registers registers | 1 .b32
              register t | .b32
        function g | ()
        """,
    )
    function, _ = document_symbols(document).symbols
    assert function.range.end == function.children[0].range.end > Position(4, 0)


@settings(max_examples=60)
@given(
    st.sampled_from(TEXTS),
    st.integers(0, 10**6),
    st.integers(0, 60),
    st.sampled_from([*"{}();:", "/*", "\n", "L:\n", "{" * 30, ".func f() {\n", ".reg .b32 é;"]),
)
@example(".version 8.0\n.target sm_80\n\n\n.visible .entry k()\n{\n}\n", 0, 4, "\n")
def test_any_edit(text: str, start: int, line: int, typed: str) -> None:
    start %= len(text)
    document = Document.read(text[:200] + text[start : start + 2000])
    document_symbols(document)
    document = edited(document, Position(line, 3), Position(line, 4), typed)
    found = document_symbols(document).symbols
    check_ranges(document, found)
    assert found == document_symbols(Document.read(document.text)).symbols


def test_labels_of_code_that_part_of_a_warp_runs() -> None:
    check_outline(
        """
        .entry k()
        {
        .reg .pred %p;
        .reg .b32 %r;
        mov.u32 %r, %laneid;
        setp.ne.u32 %p, %r, 0;
        @%p bra NEXT;
        FIRST:
        add.u32 %r, %r, 1;
        NEXT:
        add.u32 %r, %r, 2;
        ret;
        }
        """,
        """
        kernel k | .entry ()
          registers registers | 1 .pred, 1 .b32
            register %p | .pred
            register %r | .b32
          label FIRST | part of a warp, by %laneid
          label NEXT
        """,
    )


def test_labels_of_debug_data_are_left_out() -> None:
    check_outline(
        """
        .visible .entry k()
        {
        $L__func_begin0:
        .loc 1 4 0
        $L__tmp1:
        $L__BB0_1:
            bra $L__BB0_1;
        $L__func_end0:
        }
        .section .debug_str
        {
        $L__info_string0:
        .b8 0
        }
        """,
        """
        kernel k | .entry ()
          label $L__BB0_1
        section .debug_str
        """,
    )
