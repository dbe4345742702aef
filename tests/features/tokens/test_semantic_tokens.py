"""Semantic tokens: opcodes by class, registers by use, names by the kind of symbol."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.features.control_flow import unreachable
from ptx_ls.features.tokens.semantic_tokens import Highlighter
from ptx_ls.features.tokens.token_changes import difference
from ptx_ls.features.tokens.token_kinds import TokenKind, TokenTrait
from ptx_ls.features.tokens.token_patterns import Palette
from ptx_ls.features.tokens.token_rows import rows_of
from ptx_ls.source import Position
from ptx_ls.source.columns import ColumnUnit, from_units
from tests.support.fixture import parse_fixture

CORPUS = Path(__file__).parents[2] / "corpus"
HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"
KERNEL = (
    ".global .align 4 .b8 table[16];\n.const .f32 scale;\n.func helper(.param .b32 a);\n"
    ".visible .entry kernel(.param .u64 pointer, .param .u32 n) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %rd<4>;\n"
    ".shared .b32 tile[32];\n"
    "STATEMENTS\n}\n"
)
SHOWN = Palette(has_comments=True)


def numbers(rows: list[str]) -> list[int]:
    """The numbers that an editor is sent."""
    return [int(number) for number in ",".join(rows).split(",")] if rows else []


def all_numbers(highlighter: Highlighter, document: Document) -> list[int]:
    """The numbers of all tokens of a document."""
    return numbers(rows_of(highlighter.rows(document)))


def read(
    document: Document, data: list[int], unit: ColumnUnit = ColumnUnit.UTF_32
) -> list[tuple[int, str]]:
    """Tokens as one reads them: their line, and `text:kind.trait`."""
    found = []
    line = column = 0
    for index in range(0, len(data), 5):
        lines, columns, length, kind, traits = data[index : index + 5]
        column = columns if lines else column + columns
        line += lines
        text = document.lines[line]
        start, stop = (from_units(text, it, unit) for it in (column, column + length))
        assert start < stop
        words = [TokenKind(kind).name.lower()]
        words += [str(trait.name).lower() for trait in TokenTrait(traits)]
        found.append((line, f"{text[start:stop]}:{'.'.join(words)}"))
    return found


def check_tokens(statements: str, expected: str, palette: Palette = SHOWN) -> None:
    """The tokens of the line with the cursor `<|>`, or of all the statements without one.

    The whole document, the lines in view and a document that was edited agree on them.
    """
    marked = HEAD + KERNEL.replace("STATEMENTS", statements)
    fixture = parse_fixture(marked if "<|>" in statements else marked.replace(statements, "<|>"))
    text = marked.replace("<|>", "")
    first = fixture.cursor.line
    stop = first + 1 if "<|>" in statements else first + statements.count("\n") + 1
    document = Document.read(text)
    highlighter = Highlighter(palette)
    everything = read(document, all_numbers(highlighter, document), palette.unit)
    shown = " ".join(token for line, token in everything if first <= line < stop)
    assert shown == " ".join(expected.split())
    in_view = numbers(highlighter.rows_between(document, first, stop))
    assert read(document, in_view, palette.unit) == [
        (line, token) for line, token in everything if first <= line < stop
    ]


def test_arithmetic() -> None:
    check_tokens(
        "add.sat.s32 %r1, %r2, 5;",
        """add:opcode.arithmetic .sat:modifier .s32:type %r1:register.written.integer
        %r2:register.integer 5:number""",
    )


def test_a_register_of_bits_is_what_the_instruction_takes_it_for() -> None:
    check_tokens(
        "add.f32 %r1, %f2, 0f3F800000;",
        """add:opcode.arithmetic .f32:type %r1:register.written.float %f2:register.float
        0f3F800000:number""",
    )


def test_memory_addresses_and_guards() -> None:
    check_tokens(
        "@!%p1 ld.global.v2.u32 {%r1, %r2}, [%rd1+8];",
        """%p1:register.predicate.guard ld:opcode.memory .global:state_space .v2:type .u32:type
        %r1:register.written.integer %r2:register.written.integer %rd1:register.address 8:number""",
    )


def test_what_names_stand_for() -> None:
    check_tokens(
        "ld.param.u64 %rd1, [pointer];",
        """ld:opcode.memory .param:state_space .u64:type %rd1:register.written.integer
        pointer:parameter""",
    )
    check_tokens(
        "mov.u64 %rd1, tile;",
        "mov:opcode.data_movement .u64:type %rd1:register.written.integer tile:variable",
    )
    check_tokens(
        "mov.u64 %rd1, kernel;",
        "mov:opcode.data_movement .u64:type %rd1:register.written.integer kernel:kernel",
    )
    check_tokens(
        "call helper, (%r1);",
        "call:opcode.control_flow helper:function %r1:register.integer",
    )
    check_tokens(
        "mov.u32 %r1, %tid.x;",
        """mov:opcode.data_movement .u32:type %r1:register.written.integer
        %tid:special_register.readonly.predefined.integer .x:modifier""",
    )
    check_tokens(
        "mov.u32 %r1, WARP_SZ;",
        """mov:opcode.data_movement .u32:type %r1:register.written.integer
        WARP_SZ:constant.readonly.predefined""",
    )


def test_predicates_that_are_written_in_pairs() -> None:
    check_tokens(
        "setp.lt.s32 %p1|%p2, %r1, _;",
        """setp:opcode.comparison .lt:modifier .s32:type %p1:register.written.predicate
        %p2:register.written.predicate %r1:register.integer""",
    )


def test_classes_of_opcodes() -> None:
    check_tokens("bar.sync 0;", "bar:opcode.synchronization .sync:modifier 0:number")
    check_tokens("ret;", "ret:opcode.control_flow")
    check_tokens(
        "cvt.rn.f32.s32 %f1, %r1;",
        """cvt:opcode.conversion .rn:modifier .f32:type .s32:type %f1:register.written.float
        %r1:register.integer""",
    )


def test_what_is_not_known_keeps_its_place() -> None:
    check_tokens(
        "frob.s32 %r1, missing;",
        "frob:opcode .s32:type %r1:register.integer missing:variable",
    )
    check_tokens("bra.uni nowhere;", "bra:opcode.control_flow .uni:modifier nowhere:label")


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        (
            "ld.global.f32 %f1, [%rd2]<|>\nret;",
            """ld:opcode.memory .global:state_space .f32:type %f1:register.written.float
            %rd2:register.address""",
        ),
        (
            "@%p1 fma.rn.f32 %f1, %f2, <|>\nret;",
            """%p1:register.predicate.guard fma:opcode.arithmetic .rn:modifier .f32:type
            %f1:register.written.float %f2:register.float""",
        ),
        (
            "@%p1 st.shared.<|>\nret;",
            "%p1:register.predicate.guard st:opcode.memory .shared:state_space",
        ),
        ("@!%p1<|>\n}", "%p1:register.predicate.guard"),
        ("bra nowhere<|>\nret;", "bra:opcode.control_flow nowhere:label"),
        ("mov.u32 %r1, )<|>;", "mov:opcode.data_movement .u32:type %r1:register.integer"),
        ("frob.u32 %r1<|>\nret;", "frob:opcode .u32:type %r1:register.integer"),
    ],
)
def test_an_unfinished_instruction_is_coloured_as_what_it_becomes(
    statements: str, expected: str
) -> None:
    check_tokens(statements, expected)


def test_declarations() -> None:
    check_tokens(
        ".reg .f16x2 %h<7>;",
        ".reg:state_space .f16x2:type %h:register.declaration.definition.float 7:number",
    )
    check_tokens(
        ".local .align 8 .b8 stack[4*8];",
        """.local:state_space .align:directive 8:number .b8:type
        stack:variable.declaration.definition 4:number 8:number""",
    )


def test_initial_values_name_what_they_point_to() -> None:
    text = HEAD + ".global .u64 a[2] = {b, generic(b)};\n.global .b8 b[4];\n"
    document = Document.read(text)
    found = read(document, all_numbers(Highlighter(SHOWN), document))
    assert [token for line, token in found if line == 3][-2:] == [
        "generic:constant.readonly.predefined",
        "b:variable",
    ]


def test_heads_of_functions() -> None:
    text = (
        HEAD + ".visible .func (.reg .f32 r) f(\n\t.param .align 8 .b8 p[16],\n"
        "\t.reg .pred q\n)\n.maxntid 32 // threads\n{\n}\n"
    )
    document = Document.read(text)
    found = [token for line, token in read(document, all_numbers(Highlighter(SHOWN), document))]
    assert [token.replace("// ", "//_") for token in found[6:]] == (
        ".visible:directive .func:directive .reg:state_space .f32:type "
        "r:register.declaration.float f:function.declaration.definition .param:state_space "
        ".align:directive 8:number .b8:type p:parameter.declaration 16:number .reg:state_space "
        ".pred:type q:register.declaration.predicate .maxntid:directive 32:number"
        " // threads:comment"
    ).replace("// ", "//_").split()


def test_directives() -> None:
    check_tokens('.pragma "nounroll";', '.pragma:directive "nounroll":string')
    check_tokens(
        ".loc 1 2 3, function_name $L, inlined_at 1 4 5",
        """.loc:directive 1:number 2:number 3:number function_name:directive $L:label
        inlined_at:directive 1:number 4:number 5:number""",
    )
    document = Document.read(HEAD)
    found = read(document, all_numbers(Highlighter(SHOWN), document))
    assert [token for line, token in found if line == 1] == [".target:directive", "sm_90:constant"]


def test_code_behind_what_never_comes_back() -> None:
    check_tokens(
        "bra done;\nneg.s32 %r1, %r1;<|>\ndone:\nret;",
        """neg:opcode.arithmetic.unreachable .s32:type.unreachable
        %r1:register.written.integer.unreachable %r1:register.integer.unreachable""",
    )
    check_tokens("bra done;\ndone:\nret;<|>", "ret:opcode.control_flow")
    check_tokens("@%p1 ret;\nret;<|>", "ret:opcode.control_flow")
    check_tokens("{ ret; }\n{ ret; }<|>", "ret:opcode.control_flow.unreachable")
    check_tokens(
        "ret;\nloop:\nbra loop;<|>", "bra:opcode.control_flow.unreachable loop:label.unreachable"
    )


def test_code_after_a_jump_in_a_large_function() -> None:
    large = "add.s32 %r1, %r1, 1;\n" * 6000
    check_tokens(f"{large}ret;\nexit;<|>", "exit:opcode.control_flow.unreachable")
    check_tokens(f"@%p1 bra loop;\n{large}ret;\nloop:\nexit;<|>", "exit:opcode.control_flow")


def test_code_after_a_jump_in_a_function_too_large_for_a_flow_graph() -> None:
    large = "add.s32 %r1, %r1, 1;\n" * 12_000
    check_tokens(f"{large}ret;\nexit;<|>", "exit:opcode.control_flow")


def test_scopes() -> None:
    check_tokens(
        "{ .reg .pred t; setp.eq.s32 t, %r1, 0; @t bra done; }\nmov.f32 %f1, t;<|>\ndone:",
        "mov:opcode.data_movement .f32:type %f1:register.written.float t:variable",
    )
    check_tokens(
        "{<|> .reg .pred t; not.pred t, t; }",
        """.reg:state_space .pred:type t:register.declaration.definition.predicate not:opcode.logic
        .pred:type t:register.written.predicate t:register.predicate""",
    )


def test_statements_over_several_lines() -> None:
    check_tokens(
        ".param .b32 retval; call.uni\n(retval),\nhelper,\n(%r1, /* x\ny */ %r2);",
        """.param:state_space .b32:type retval:parameter.declaration.definition
        call:opcode.control_flow .uni:modifier retval:parameter.written helper:function
        %r1:register.integer /* x:comment y */:comment %r2:register.integer""",
    )


def test_deprecated_opcodes() -> None:
    check_tokens(
        "mma<|>.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
        "{%r1, %r2}, {%r1, %r2}, {%r1, %r2}, {%r1, %r2}, %r3, 0;".replace("{%r1, %r2}", "{_, _}"),
        """mma:opcode.deprecated.matrix .sp:modifier .sync:modifier .aligned:modifier
        .m16n8k16:modifier .row:modifier .col:modifier .f16:type .f16:type .f16:type .f16:type
        %r3:register.integer 0:number""",
    )


def test_a_change_of_the_version() -> None:
    statement = (
        "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {a, a}, {a, a}, {a, a}, {a, a}, a, 0;"
    )
    document = Document.read(
        f".version 8.5\n.target sm_80\n.func f() {{ .reg .b32 a; {statement} }}\n"
    )
    highlighter = Highlighter(SHOWN)
    for version, expected in (
        ("8.5", "mma:opcode.deprecated.matrix"),
        ("6.2", "mma:opcode.matrix"),
    ):
        document = edited(document, Position(0, 9), Position(0, 12), version)
        found = read(document, all_numbers(highlighter, document))
        assert expected in [token for _, token in found]


@pytest.mark.parametrize("unit", list(ColumnUnit))
def test_columns_are_counted_as_the_editor_does(unit: ColumnUnit) -> None:
    check_tokens(
        "/*😀é€*/ neg.s32 %r1, %r2; // 😀",
        """/*😀é€*/:comment neg:opcode.arithmetic .s32:type %r1:register.written.integer
        %r2:register.integer // 😀:comment""",
        Palette(unit=unit, has_comments=True),
    )


def test_a_long_part_of_a_document() -> None:
    text = HEAD + ".func f() {\n" + "add.s32 %r1, %r1, 1;\n" * 4000 + "}\n.func g() { ret; }\n"
    document, highlighter = Document.read(text), Highlighter(SHOWN)
    whole = all_numbers(highlighter, document)
    assert numbers(highlighter.rows_between(document, 0, 10**6)) == whole


def test_only_what_the_editor_knows() -> None:
    check_tokens(
        "add.s32 %r1, %r2, 5; // sum",
        "add:opcode .s32:type %r1:register.written %r2:register 5:number",
        Palette(traits=int(TokenTrait.WRITTEN)),
    )


def test_a_change_elsewhere_changes_what_a_name_stands_for() -> None:
    text = HEAD + KERNEL.replace("STATEMENTS", "mov.u64 %rd1, other;")
    document, highlighter = Document.read(text), Highlighter(SHOWN)
    line = text[: text.index("other")].count("\n")
    for declared, kind in (
        ("", "variable"),
        (".func other();\n", "function"),
        (".entry other() {}\n", "kernel"),
    ):
        start = len(HEAD.splitlines())
        document = edited(document, Position(start, 0), Position(start, 0), declared)
        found = read(document, all_numbers(highlighter, document))
        shown = [token for it, token in found if it == line + bool(declared)]
        assert shown[-1] == f"other:{kind}"
        document = edited(document, Position(start, 0), Position(start + bool(declared), 0), "")


def check_edits(document: Document, edits: list[tuple[int, int, int, str]]) -> None:
    """After each edit: as from scratch, and what was sent before gives it when it is edited."""
    highlighter = Highlighter(SHOWN)
    rows = highlighter.rows(document)
    for line, column, removed, typed in edits:
        start = document.clamped(Position(line % len(document.lines), column))
        shown = max(0, start.line - 4), start.line + 8
        highlighter.rows_between(document, *shown)
        document = edited(document, start, Position(start.line, start.column + removed), typed)
        before, rows = rows, highlighter.rows(document)
        fresh = Document.read(document.text)
        scratch = all_numbers(Highlighter(SHOWN), fresh)
        assert numbers(rows_of(rows)) == scratch
        edit = difference(before, rows)
        data = numbers(rows_of(before))
        if edit is not None:
            data[edit.start : edit.start + edit.n_deleted] = numbers(edit.rows)
        assert data == scratch
        whole = read(document, scratch)
        for first, stop in (shown, (start.line, start.line + 5)):
            rows_in_view = highlighter.rows_between(document, first, stop)
            in_view = read(document, numbers(rows_in_view))
            assert in_view == [token for token in whole if first <= token[0] < stop]


LONG = KERNEL.replace("STATEMENTS", "mov.u64 %rd1, other;\nL:\n@%p1 bra L;\n" * 400)


@pytest.mark.parametrize(
    "edits",
    [
        [(500, 3, 0, "x"), (900, 0, 0, "ret;")],
        [(500, 0, 0, "\n"), (12, 0, 0, "\n"), (900, 0, 0, "L2:\n")],
        [(600, 0, 0, "bra L;\n"), (600, 0, 4, ""), (800, 0, 0, "exit;")],
        [(3, 0, 0, ".func other();\n"), (700, 0, 0, "}"), (700, 0, 1, "")],
        [(400, 0, 0, ".reg .f32 other;"), (400, 0, 16, "")],
    ],
)
def test_edits_of_a_function_of_several_chunks(edits: list[tuple[int, int, int, str]]) -> None:
    document = Document.read(HEAD + LONG)
    assert max(function.n_leaves for function in document.leaves()) > 2
    check_edits(document, edits)


def test_a_name_on_a_line_of_two_functions() -> None:
    text = ".func f() { .reg .u64 x; mov.u64 x, other; } .func g() {\n}\n"
    document = Document.read(HEAD + ".global .b32 v;\n" + ".func h() { ret; }\n" * 300 + text)
    check_edits(document, [(3, 0, 0, ".func other();\n"), (3, 0, 5, ".global .b32 other;//")])


def test_an_edit_of_a_long_function_leaves_most_rows_as_they_are() -> None:
    document, highlighter = Document.read(HEAD + LONG), Highlighter(SHOWN)
    before = highlighter.rows(document)
    document = edited(document, Position(900, 3), Position(900, 3), "x")
    after = highlighter.rows(document)
    others = [rows for rows in after if all(rows.lines is not known.lines for known in before)]
    assert len(after) == len(before) > len(others) == 1


TEXTS = [
    path.read_bytes().decode("utf-8", "replace")
    for path in sorted([*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")])
]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 10**6),
        st.integers(0, 30),
        st.integers(0, 3),
        st.sampled_from(
            [*"a1 .;,{}:%@\n", "ret;", "/*", "*/", "L:", ".reg .f32 %r<9>;", "\r", "é"]
        ),
    ),
    min_size=1,
    max_size=6,
)


def test_what_follows_a_body_that_ends_within_a_line() -> None:
    text = ".version 8.5\n.target sm_90\n.entry k()\n{\nret;\nx }\nx .reg .b32 %r;\nadd;\n}\n"
    for limit in (0, 1000):
        with patch.object(unreachable, "_MAX_GRAPH_LINES", limit):
            check_edits(Document.read(text), [(6, 0, 0, "a"), (7, 0, 0, "a"), (5, 0, 0, "ret;")])


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(TEXTS), st.integers(0, 10**6), EDITS, st.sampled_from([0, 1000]))
def test_edits_of_real_files(
    text: str, start: int, edits: list[tuple[int, int, int, str]], limit: int
) -> None:
    """`limit`: the number of lines up to which a function's flow graph is used."""
    start %= len(text)
    with patch.object(unreachable, "_MAX_GRAPH_LINES", limit):
        check_edits(Document.read(text[:300] + text[start : start + 1500]), edits)


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            [
                *'{ } ( ) [ ] ; , : @ ! " // /* */ _ 1 0x \n \r \0 é 😀'.split(" "),
                *".entry .func .reg .b32 %r1 k L: add.u32 bra ret; \n".split(" "),
            ]
        ),
        max_size=40,
    ).map(" ".join),
    EDITS,
)
def test_any_text(text: str, edits: list[tuple[int, int, int, str]]) -> None:
    check_edits(Document.read(text), edits)
