"""Whatever the text: only white space changes, a second time changes nothing, nothing raises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.formatting import FormatStyle
from ptx_ls.formatting.changes import LineReplacement
from ptx_ls.formatting.formatter import format_around, format_document, formatted
from ptx_ls.formatting.items import words
from ptx_ls.lint import lint
from ptx_ls.semantics.symbols.region_text import RegionText
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Kind
from ptx_ls.toolchain import ptxas
from tests.support.assembling import require_ptxas

CORPUS = Path(__file__).parents[1] / "corpus"
SMALL = sorted((*CORPUS.glob("handwritten/*.ptx"), *CORPUS.glob("rejected/*.ptx")))
ACCEPTED = sorted((*CORPUS.glob("ptx/*.ptx"), *CORPUS.glob("handwritten/*.ptx")))
ALL = (*SMALL, *sorted(CORPUS.glob("warned/*.ptx")), *sorted(CORPUS.glob("ptx/*.ptx")))
TEXTS = [path.read_bytes().decode("utf-8", "replace") for path in SMALL]
TOKENS = [
    *".version 8.5|.target sm_90|.entry|.func|.reg|.b32|.param|.shared|.pragma|.loc|.section".split(
        "|"
    ),
    *'{ } ( ) [ ] < > , ; : @ ! | . + - % " // /* */ = _ 1 0f3F800000 0x'.split(),
    *"%r1 %r<5> %tid.x %p k L L: add.u32 ld.param.u64 bra call mov. setp.eq é 😀".split(),
    *("\n", "\r\n", "\r", "\t", "\n\n\n", "@@DWARF", "#line", ".source_begin", ".b8 1,"),
    *('# 1 "a.cu" 1\n', '# 1 "a', 'b" 1 3\n'),
    *("add.s32 %r1, %r2, 3;", "@%p bra L;", "// c\n", "/* c */", "/* a\nb */", ".loc 1 2 3"),
    *(".entry k() {", ".func (.reg .b32 r) f(.reg .b32 a) { ret; }", ".section .debug_x {", "ret;"),
]
WHOLE = [
    *(".entry k(.param .b32 a,\n.param .b32 b) .maxntid 4 {", ".func f();", "{", "}", "L:"),
    *("add.s32 %r1, %r2, 3;", "@%p1 bra L;", "@!%p12 exit;", ".reg .b32 %r<5>, x;", "ret;"),
    *(".loc 1 2 3", ".b8 1,2", ".version 8.0", ".target sm_80", ".global .b32 x = 1 << 3;"),
    *("call.uni (r),\nf,\n(a, b);", "ts: .branchtargets a, b;", '.pragma "x";', "add.s32 1,,2;"),
    *("wgmma.x {" + ", ".join(["%f1"] * 40) + "}, %rd1, 1, 1;", "add.s32 %r1 %r2"),
]
GAPS = ("", " ", "\n", "\n\n\n", "\t", " // c\n", " /* c */ ", "\n// own\n", "/* a\n b */", "\r\n")
STYLES = st.builds(
    FormatStyle,
    st.integers(1, 8),
    st.booleans(),
    st.integers(40, 120),
    st.sampled_from([0, 8, 20, 40]),
    st.sampled_from([0, 30, 40, 60]),
    st.integers(0, 3),
)
texts = st.one_of(
    st.lists(st.sampled_from(TOKENS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(TOKENS), max_size=40).map("".join),
    st.lists(st.sampled_from([*WHOLE, *GAPS]), max_size=30).map("".join),
    st.text(max_size=80),
)


def check_formatted(text: str, style: FormatStyle) -> str:
    """Fails unless the layout keeps all but white space, and is its own layout; returns it."""
    reader = Reader()
    found = formatted(text, style, reader)
    assert words(found) == words(text)
    assert statements(found, reader) == statements(text, reader)
    assert formatted(found, style, reader) == found
    document = Document.read(text, reader)
    assert applied(document, format_document(document, style)) == found
    return found


def statements(text: str, reader: Reader) -> list[tuple[Kind, list[str], int]]:
    """The statements of the text, as kinds and words, and its syntax problems."""
    lines = split_lines(text)
    whole = RegionText(lines, reader.read_all(lines))
    return [
        (each.record.kind, words(each.text), len(whole.records[each.start[0]].problems))
        for each in whole.statements()
    ]


def check_meaning(text: str, found: str) -> None:
    """Fails unless the linter says the same of both, but for white space that it quotes."""
    said = [
        sorted((it.rule, re.sub(r"\s+", "", it.message)) for it in lint(Document.read(each)))
        for each in (text, found)
    ]
    assert said[0] == said[1]


def applied(document: Document, changes: list[LineReplacement]) -> str:
    lines = document.lines[:]
    for change in reversed(changes):
        assert change.first < change.stop or change.lines
        lines[change.first : change.stop] = change.lines
    return "".join(lines)


@settings(max_examples=300)
@given(texts, STYLES)
@example("// a comment that a lone carriage return does not end \r ret;\n", FormatStyle())
@example(".global .b8 x[] = {{{{{{1}}}}}};", FormatStyle())
@example("{" * 3000, FormatStyle())
@example("( \n { {", FormatStyle())
@example(".reg .reg \n // c\n\n { .version 8.5", FormatStyle())
@example("ret; /* never closed", FormatStyle())
@example("d; \r \ns", FormatStyle())
@example("@@DWARF\n\n\r ", FormatStyle(blank_lines=3))
@example('# 1 "a.cu" 1\n \r \n', FormatStyle(blank_lines=0))
@example("\ufeff.version 8.0", FormatStyle())
def test_any_text(text: str, style: FormatStyle) -> None:
    check_formatted(text, style)


@settings(max_examples=60)
@given(st.data())
def test_parts_of_real_files(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    start = data.draw(st.integers(0, len(text)))
    stop = min(len(text), start + data.draw(st.integers(0, 3000)))
    left_out = data.draw(st.integers(0, 40))
    middle = (start + stop) // 2
    part = text[start:middle] + text[middle + left_out : stop] + "\n"
    check_meaning(part, check_formatted(part, data.draw(STYLES)))


@settings(max_examples=60)
@given(st.data())
def test_a_part_is_laid_out_as_in_the_whole(data: st.DataObject) -> None:
    document = Document.read(data.draw(st.one_of(texts, st.sampled_from(TEXTS))))
    style = data.draw(STYLES)
    first = data.draw(st.integers(0, len(document.lines) - 1))
    stop = data.draw(st.integers(first + 1, len(document.lines)))
    part = format_around(document, [(first, stop)], style)
    assert part == format_document(document, style, spans=[(first, stop)])


@pytest.mark.slow
@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_corpus(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    found = formatted(text, FormatStyle())
    assert words(found) == words(text)
    assert formatted(found, FormatStyle()) == found
    check_meaning(text, found)


@pytest.mark.slow
@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_small_files_of_the_corpus(path: Path) -> None:
    check_formatted(path.read_bytes().decode("utf-8", "replace"), FormatStyle(width=60, tabs=True))


@pytest.mark.slow
@pytest.mark.ptxas
@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_ptxas_accepts_what_was_laid_out(path: Path, tmp_path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "replace")
    found = tmp_path / path.name
    found.write_bytes(formatted(text, FormatStyle(width=60)).encode())
    target = re.search(r"^\s*\.target\s+(sm_\w+)", re.sub(r"/\*.*?\*/", "", text), re.MULTILINE)
    program = require_ptxas()
    assert ptxas.run(program, found, target[1] if target else "sm_90").status == 0
