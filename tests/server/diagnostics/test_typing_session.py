"""While a line is typed key by key, the diagnostics of other lines only change to true ones."""

from __future__ import annotations

from typing import Final, NamedTuple

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession, lint
from ptx_ls.server.diagnostics.typing_session import TypingSession
from ptx_ls.server.documents.open_documents import EditedLines
from ptx_ls.source import Diagnostic, Position
from tests.support.fixture import parse_fixture

KERNEL: Final = """\
.version 8.5
.target sm_80
.address_size 64
.global .u32 counter;

.visible .entry first(
    .param .u64 p
)
{
    .reg .pred %p<2>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [p];
    add.s32 %r1, %r2, 1;
    setp.eq.s32 %p1, %r1, %r9;
LOOP:
    @%p1 bra LOOP;
    /* a comment */
    st.global.u32 [%rd1], %r1;
    add.s32 %r3, %r1, %r4;
    ret;
}

.visible .entry second()
{
    .reg .b32 %r<3>;
    mov.u32 %r1, %r2;
    ret;
}
"""
"""Both kernels have warnings about registers without a value, and some that are not used."""

PLACES: Final = {
    "statement": "    setp.eq.s32 %p1, %r1, %r9;\n",
    "start of a body": "    .reg .pred %p<2>;\n",
    "before a bracket": "    ret;\n",
    "between functions": "}\n\n",
}


class _Key(NamedTuple):
    """The diagnostics after a key. Lines after the cursor are counted from the end of the text."""

    others: set[tuple[int, str, str]]
    own: set[str]


class _Editor:
    """A text, and the diagnostics that an editor shows while it changes.

    `is_fast`: whether keys come faster than the check.
    """

    def __init__(self, text: str, cursor: Position, *, is_fast: bool = False) -> None:
        self.is_fast = is_fast
        self.document = Document.read(text)
        self.cursor = cursor
        self._first = cursor.line
        self.session = LintSession(self.document)
        self.typing = TypingSession(LintSession, waits_for_keys=True)
        self.typing.follow(self.document, None)
        self.shown()

    def key(self, text: str, n_removed: int = 0) -> _Key:
        """Types a character, or presses Backspace; several characters are inserted at once."""
        line, column = self.cursor
        start = Position(line, column - n_removed)
        self.document = edited(self.document, start, self.cursor, text)
        n_new = text.count("\n")
        self.cursor = Position(line + n_new, 0 if n_new else start.column + len(text))
        expects_more = len(text) < 2 and text != "\n"
        edit = EditedLines(line, line + n_new, expects_more=expects_more, is_key=len(text) < 2)
        self.typing.follow(self.document, edit)
        return self.shown()

    def shown(self) -> _Key:
        self.session.document = self.document
        while not self.is_fast and (work := self.session.pending()) is not None:
            work.run(lambda: False)
        found = self.typing.shown(self.session).in_order()
        return _Key({self._other(one) for one in found} - {None}, self._own(found))  # type: ignore[arg-type]

    def _own(self, found: list[Diagnostic]) -> set[str]:
        rows = range(self._first, self.cursor.line + 1)
        return {one.rule for one in found if one.range.start.line in rows}

    def _other(self, one: Diagnostic) -> tuple[int, str, str] | None:
        line = one.range.start.line
        if line > self.cursor.line:
            line -= self.document.n_lines
        elif line >= self._first:
            return None
        return line, one.rule, one.message


def check_keys(marked: str, keys: str, n_removed: int = 0) -> None:
    """Types at `<|>` after pressing Backspace, and looks at other lines after each key.

    Once the user leaves the line, the diagnostics are those of the text.
    """
    fixture = parse_fixture(marked)
    editor = _Editor(fixture.text, fixture.cursor)
    before = editor.shown().others
    seen = [editor.key("", 1).others for _ in range(n_removed)]
    seen += [editor.key(key).others for key in keys]
    editor.typing.end()
    after = editor.shown().others
    for number, found in enumerate(seen):
        assert found <= before | after, f"appears after key {number}"
        assert found >= before & after, f"vanishes after key {number}"
    final = editor.typing.shown(editor.session).in_order()
    assert final == lint(Document.read(editor.document.text))


@pytest.mark.parametrize("place", ["statement", "start of a body", "before a bracket"])
@pytest.mark.parametrize(
    "typed",
    [
        "add.s32 %r5, %r6, %r7;",
        "@%p1 bra DONE;",
        "DONE:",
        "$L__new: mov.u32 %r5, %tid.x;",
        ".reg .b32 %tmp<4>;",
        ".reg .pred %q;",
        "ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd1];",
        '// a "comment"',
        "/* a comment */",
        "{ .reg .b32 t; mov.b32 t, %r1; }",
        "{\n.reg .b32 t;\nmov.b32 t, %r1;\n}",
        ".shared .align 16 .b8 tile[1024];",
        "bar.sync 0;",
        "@!%p1 ret;",
        "ret;",
        '.pragma "nounroll";',
        ".loc 1 12 3",
        "call.uni (%r5), foo, (%r1);",
        ".local .b8 buffer[64];",
        "shfl.sync.bfly.b32 %r5|%p1, %r2, 1, 31, -1;",
    ],
)
def test_a_new_statement(place: str, typed: str) -> None:
    found = PLACES[place]
    check_keys(KERNEL.replace(found, f"{found.removesuffix('    ret;')}    <|>\n", 1), typed)


@pytest.mark.parametrize(
    "typed",
    [
        ".visible .entry third(.param .u64 p)\n{\nret;\n}",
        ".func (.reg .b32 %out) f(.reg .b32 %in);",
        ".visible .func g()\n{\nret;\n}\n",
        ".global .align 4 .u32 limit = 0;",
        ".const .b32 table[4] = {1, 2, 3, 4};",
        ".extern .shared .b8 dynamic[];",
        '.file 1 "a.cu"',
        "// a comment",
        "/* a comment\nin two lines */",
    ],
)
def test_a_new_declaration_of_the_module(typed: str) -> None:
    check_keys(KERNEL.replace("}\n\n", "}\n<|>\n", 1), typed)
    check_keys(KERNEL.replace("}\n\n", "}\n\n", 1) + "<|>", typed)
    check_keys(KERNEL.replace(".global", "<|>\n.global", 1), typed)


@pytest.mark.parametrize(
    ("found", "n_removed", "typed"),
    [
        (".reg .b32 %r<10<|>>", 2, "16"),
        (".reg .b32 %r<10><|>", 3, "16>"),
        (".reg .pred %p<2<|>>", 1, "9"),
        (".version 8.5<|>", 3, "8.7"),
        (".target sm_80<|>", 2, "100a"),
        (".target sm_80<|>", 5, "sm_90"),
        (".address_size 64<|>", 2, "64"),
        ("LOOP<|>:", 4, "AGAIN"),
        ("bra LOOP<|>;", 4, "AGAIN"),
        ("add.s32<|> %r1", 7, "sub.s32"),
        ("add.s32 %r1<|>,", 3, "%r6"),
        ("setp.eq.s32 %p1<|>,", 1, "1"),
        ("entry first<|>(", 5, "kernel"),
        ("[p<|>];", 1, "p"),
        ("st.global.u32 [%rd1]<|>", 6, "[%rd2]"),
        ("/* a comment */<|>", 2, "*/"),
        ("ret;<|>", 1, ";"),
    ],
)
def test_a_changed_name_or_number(found: str, n_removed: int, typed: str) -> None:
    check_keys(KERNEL.replace(found.replace("<|>", ""), found, 1), typed, n_removed)


@pytest.mark.slow
@pytest.mark.parametrize("row", range(8, 21))
def test_a_line_that_is_removed_and_typed_again(row: int) -> None:
    lines = KERNEL.splitlines(keepends=True)
    text = lines[row].rstrip("\n")
    lines[row] = f"{text}<|>\n"
    check_keys("".join(lines), text.strip(), len(text.strip()))


def test_the_line_itself_is_checked_at_each_key() -> None:
    editor = _Editor(KERNEL.replace("    ret;", "    \n    ret;", 1), Position(20, 4))
    assert "syntax-error" in editor.key("a").own
    for key in "dd.s32 %r5, %r6, %x":
        shown = editor.key(key)
    assert "undeclared-register" not in shown.own
    assert "undeclared-register" in editor.key(";").own


def test_another_line_shows_the_truth_once_a_name_is_complete() -> None:
    editor = _Editor(KERNEL, Position(10, 18))
    found = editor.key("", 1)
    assert not {one for one in found.others if one[1] == "undeclared-register"}
    editor.typing.pause()
    assert {one for one in editor.shown().others if one[1] == "undeclared-register"}


def test_an_open_brace_counts_once_the_user_leaves_or_saves() -> None:
    for leaves in (True, False):
        editor = _Editor(KERNEL.replace("LOOP:", "\nLOOP:"), Position(15, 0))
        found = editor.key("{")
        editor.typing.pause()
        assert found == editor.shown()
        if leaves:
            editor.cursor = Position(19, 4)
            editor.key(" ")
        else:
            editor.typing.end()
        assert {one for one in editor.shown().others if one[1] == "unbalanced-brace"}


def test_more_is_known_after_a_pause_only_if_other_lines_change() -> None:
    editor = _Editor(KERNEL, Position(10, 18))
    for key, n_removed, expected in (("1", 0, False), ("", 2, True)):
        editor.key(key, n_removed)
        assert not editor.typing.has_more(editor.session)
        editor.typing.pause()
        assert editor.typing.has_more(editor.session) is expected
        editor.shown()


def test_keys_that_are_faster_than_the_check() -> None:
    editor = _Editor(KERNEL.replace("LOOP:", "\nLOOP:"), Position(15, 0))
    before = editor.shown().others
    editor.is_fast = True
    for key in "\n\nadd.s32 %r5, ":
        editor.key(key)
    editor.is_fast = False
    assert editor.key("%").others == before


def test_nothing_is_held_back_before_the_first_check() -> None:
    editor = _Editor(KERNEL.replace("LOOP:", "\nLOOP:"), Position(15, 0), is_fast=True)
    editor.key("{")
    editor.is_fast = False
    assert {one for one in editor.shown().others if one[1] == "unbalanced-brace"}


@pytest.mark.parametrize(
    ("inserted", "expected"),
    [
        ("sub.s32 d, a, b;", set()),
        ("bra tgt;", set()),
        ("@%p1 sub.s32 d, a, b;", set()),
        ("ld.global.v2.b32 {d0, d1}, [a];", set()),
        ("cp.async.ca.shared.global [dst], [src], cp_size;", set()),
        ("setp.eq.b32 p, a, b;", set()),  # `p` is a parameter
        ("ldmatrix.sync.aligned.m8n8.x1.b16 {r0}, [p];", set()),
        ("sub.s32 d, a, p;", {"operand-kind", "undeclared-symbol"}),
        ("sub.s32 d, a, %r99;", {"undeclared-symbol", "undeclared-register"}),  # from elsewhere
        ("sub.s32 x, y, z;", {"undeclared-symbol"}),
    ],
)
def test_placeholders_draw_no_errors(inserted: str, expected: set[str]) -> None:
    editor = _Editor(KERNEL.replace("    ret;", "    \n    ret;", 1), Position(20, 4))
    about_names = {
        *("undeclared-symbol", "undeclared-label", "undeclared-register"),
        *("operand-kind", "state-space"),
    }
    assert editor.key(inserted).own & about_names == expected
    editor.cursor = Position(20, 4 + inserted.index(" "))
    assert editor.key(" ").own & about_names == expected  # the line is still being edited
    editor.cursor = Position(22, 0)
    editor.key(" ")
    assert editor.shown().own & about_names


def test_a_brace_that_gets_its_partner_completes_the_line() -> None:
    header = ".visible .entry second()\n"
    for found, keys in (
        (header, header.strip()),
        (f"{header}{{\n", f"{header}{{"),
        ("    ret;\n}\n\n", "    ret;\n}"),
    ):
        check_keys(KERNEL.replace(found, "<|>\n", 1), keys)


def test_the_first_colon_of_a_modifier_makes_no_label() -> None:
    found = "    st.global.u32 [%rd1], %r1;"
    check_keys(KERNEL.replace(found, "    <|>", 1), "ld.shared::cta.u32 %r1, [%rd1];")


CALLS: Final = """\
//
// Generated by NVIDIA NVVM Compiler
//
.version 9.0
.target sm_90
.address_size 64

.extern .shared .align 16 .b8 dynamic[];
.func (.param .b32 r) callee(.param .b32 a, .param .b32 b)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [a];
    st.param.b32 [r], %r1;
    ret;
}

.visible .entry kernel(
    .param .u64 p
)
.maxntid 256
.minnctapersm 2
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<3>;
    .reg .pred %p<2>;
    .param .b32 p0;
    .param .b32 p1;
    .param .b32 r0;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    st.param.b32 [p0], %r1;
    st.param.b32 [p1], %r1;
    call.uni (r0),
    callee,
    (
    p0,
    p1
    );
    ld.param.b32 %r2, [r0];
    mov.u32 %r3, 5;
targets: .branchtargets FIRST, LAST;
    brx.idx %r2, targets;
FIRST: @%p1 bra FIRST; @!%p1 bra LAST;
    mov.u32 %r4, %r5;
    st.global.u32 [%rd1], %r2;
    ret;
LAST:
    ret;
}
"""


@pytest.mark.parametrize(
    "line",
    [
        "targets: .branchtargets FIRST, LAST;",
        ".maxntid 256",
        ".minnctapersm 2",
        ".visible .entry kernel(",
        ".extern .shared .align 16 .b8 dynamic[];",
        ".func (.param .b32 r) callee(.param .b32 a, .param .b32 b)",
        "call.uni (r0),",
        "callee,",
        "p1",
        "// Generated by NVIDIA NVVM Compiler",
        "FIRST: @%p1 bra FIRST; @!%p1 bra LAST;",
    ],
)
def test_a_line_of_a_longer_statement_or_a_header(line: str) -> None:
    blank = CALLS.replace(f"{line}\n", "<|>\n", 1)
    check_keys(blank, line)
    check_keys(CALLS.replace(f"{line}\n", f"{line}<|>\n", 1), line, len(line))


@pytest.mark.parametrize(
    ("found", "keys", "n_removed"),
    [
        ("// <|>Generated", " ", 0),
        ("mov.u32 <|>%r4, %r5;", " %r4,", 0),
        ("ld.param.b32 %r2, <|>[r0];", " ,", 0),
        ("    ret<|>;\nLAST", " t", 0),
        ("st.global.u32 [%rd1], %r2<|>;", ", %r2", 5),
    ],
)
def test_a_finished_line_that_becomes_wrong(found: str, keys: str, n_removed: int) -> None:
    marked = CALLS.replace(found.replace("<|>", ""), found, 1)
    fixture = parse_fixture(marked)
    editor = _Editor(fixture.text, fixture.cursor)
    before = editor.shown().others
    for key, removed in [("", 1)] * n_removed + [(key, 0) for key in keys]:
        assert editor.key(key, removed).others == before
        editor.typing.pause()


def check_written(body: str, *expected: str) -> None:
    """Writes the body of a kernel, and compares the rules that are shown for it then."""
    editor = _Editor(f"{HEAD}}}\n", Position(HEAD.count("\n") - 1, 1))
    for key in f"\n{body}":
        editor.key(key)
    editor.typing.pause()
    shown = editor.typing.shown(editor.session).in_order()
    assert sorted({one.rule for one in shown}) == [*expected]
    assert not editor.typing.has_more(editor.session)
    editor.typing.end()
    final = editor.typing.shown(editor.session).in_order()
    assert final == lint(editor.document)


HEAD: Final = ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n"


def test_what_a_later_line_may_use() -> None:
    declared = ".reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\n"
    parameter = "unused-parameter"
    check_written(declared, parameter)
    check_written(f"{declared}ret;\n", parameter, "unused-result")
    check_written(f"{declared}add.u32 %r2, %r0, %r1;\n\n", "unset-register", parameter)


def test_the_end_of_a_function_that_is_changed_elsewhere() -> None:
    fixture = parse_fixture(f"{HEAD}.reg .b32 %r<3>;<|>\nmov.u32 %r1, 1;\nmov.u32 %r2, 1;\n}}\n")
    editor = _Editor(fixture.text, fixture.cursor)
    editor.key(" ")
    editor.typing.pause()
    assert "missing-return" in {rule for _, rule, _ in editor.shown().others}
    editor.cursor = Position(7, 15)
    editor.key("\n")
    found = editor.typing.shown(editor.session).in_order()
    shown = {(one.rule, one.range.start.line) for one in found}
    assert shown == {("unused-parameter", 3), ("unused-result", 6)}
