"""Fixes: what they make of a text, and that certain ones do no harm."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.lint import lint
from ptx_ls.lint.fixes.apply import applied as written
from ptx_ls.lint.fixes.apply import choose, fix, fixable
from ptx_ls.source import (
    Applicability,
    Diagnostic,
    Fix,
    Position,
    Range,
    Severity,
    TextEdit,
)
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Record
from tests.lint.test_one_mistake import MODULE
from tests.support.lint import applied, module

pytestmark = pytest.mark.excerpts

REJECTED = sorted((Path(__file__).parents[2] / "corpus" / "rejected").glob("*.ptx"))
WORDS = sorted(set(MODULE.split()) | {";", ",", ".rn", ".sync", ".b32", "%r77", "}", "{", "]"})

CERTAIN = {
    "add.s32 %r1, %r2, %r3\n": "add.s32 %r1, %r2, %r3;\n",
    "bar.sync.sync 0;\n": "bar.sync 0;\n",
    "ld.u32.global %r1, [%rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "bar 0;\n": "bar.sync 0;\n",
    "ld.u64 %rd1, [parameter];\n": "ld.param.u64 %rd1, [parameter];\n",
    ".reg .b32 %x;\n.reg .b32 %x;\nmov.b32 %x, 1;\n": ".reg .b32 %x;\nmov.b32 %x, 1;\n",
    "ret;;\n": "ret;\n",
}
UNSAFE = {
    "bra LOOP;\nLOOP\nret;\n": "bra LOOP;\nLOOP:\nret;\n",
    "ld.global.u32 %r1 [%rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "ld.global.u32 %r1, [%rd1;\n": "ld.global.u32 %r1, [%rd1];\n",
    "ld.global.u32 %r1, [%rd1};\n": "ld.global.u32 %r1, [%rd1];\n",
    "ld.global.u32 %r1, %rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "add.s32 %r1, %r2 -5;\n": "add.s32 %r1, %r2, -5;\n",
    "add s32 %r1, %r2, %r3;\n": "add.s32 %r1, %r2, %r3;\n",
}
GUESSES = {
    "addd.s32 %r1, %r2, %r3;\n": "add.s32 %r1, %r2, %r3;\n",
    "ld.globl.u32 %r1, [%rd1];\n": "ld.global.u32 %r1, [%rd1];\n",
    "LOOP:\nbra LOP;\n": "LOOP:\nbra LOOP;\n",
    "add.sat.s64 %rd1, %rd2, %rd3;\n": "add.s64 %rd1, %rd2, %rd3;\n",
    "shl.u32 %r1, %r2, %r3;\n": "shl.b32 %r1, %r2, %r3;\n",
    "sqrt.rn.f16 %f1, %f2;\n": "sqrt.rn.f32 %f1, %f2;\n",
    "ld.global.v4.f32 {%f1, %f2}, [%rd1];\n": "ld.global.v2.f32 {%f1, %f2}, [%rd1];\n",
    ".shared .b32 a;\nld.global.u32 %r1, [a];\n": ".shared .b32 a;\nld.shared.u32 %r1, [a];\n",
    "shfl.down.b32 %r6, %r5, 16, 31;\n": "shfl.sync.down.b32 %r6, %r5, 16, 31, -1;\n",
    "vote.all.pred %p1, %p2;\n": "vote.sync.all.pred %p1, %p2, -1;\n",
    "vote.sync.any.pred %p1, %p2;\n": "vote.sync.any.pred %p1, %p2, -1;\n",
    "add.s32 %r1, %r2, %rd3;\n": "add.s32 %r1, %r2, %r3;\n",
    "add.s32 %r1, %r2, %rd1;\n": "add.s32 %r1, %r2, %r1;\n",
    "mul.wide.u32 %r1, %r2, 4;\n": "mul.wide.u32 %rd1, %r2, 4;\n",
    "@%r1 ret;\n": "@%p1 ret;\n",
    "mov.u32 %r1, %f1;\n": "mov.u32 %r1, %r1;\n",
    "min.relu.f32 %f1, %f2, %f3;\n": "min.f32 %f1, %f2, %f3;\n",
    "setp.lo.s32 %p1, %r1, %r2;\n": "setp.lo.u32 %p1, %r1, %r2;\n",
    "add.s32 %r1, %r2, %r3, %r4;\n": "add.s32 %r1, %r2, %r3;\n",
    "add.s32 %r1, -%r2, %r3;\n": "add.s32 %r1, %r2, %r3;\n",
    "add.s32 %r1,, %r2, %r3;\n": "add.s32 %r1, %r2, %r3;\n",
    "add.rn.rn.f32 %f1, %f2, %f3;\n": "add.rn.f32 %f1, %f2, %f3;\n",
    "st.global.u32 %r1, [%rd1];\n": "st.global.u32 [%rd1], %r1;\n",
    "mov.f32 %f1, 0f3f80;\n": "mov.f32 %f1, 0f3f800000;\n",
    "mov.f32 %f1, 1;\n": "mov.f32 %f1, 1.0;\n",
    "mov.b32 %r1, 018;\n": "mov.b32 %r1, 18;\n",
    "mov.b64 %rd1, 5LL;\n": "mov.b64 %rd1, 5;\n",
    '.pragma "nounroll;\n': '.pragma "nounroll";\n',
    ".shared .b32 x = 5;\n": ".shared .b32 x;\n",
    "LOOP:\nLOOP:\nbra LOOP;\n": "LOOP:\nLOOP_2:\nbra LOOP;\n",
    "ld.global.u32 %r1, %rd1;\n": "ld.global.u32 %r1, [%rd1];\n",
    "mov.b32 %r10, 1;\n": None,
    ".rag .b32 %x;\nmov.b32 %x, 1;\n": ".reg .b32 %x;\nmov.b32 %x, 1;\n",
    ".reg .b23 %x;\n": ".reg .b32 %x;\n",
}
"""Statements after the first fix; None if it changes other lines."""
IN_MODULES = {
    (".reg .b32 %r<10>;", ".reg .b32 %r<7>;"): None,
    ("    .reg .f32 %f<8>;\n", ""): ("    .shared", "    .reg .f32 %f<5>;\n    .shared"),
    (".address_size 64", ".address_size 16"): (".address_size 16", ".address_size 64"),
    (".version 8.0", ".version 7.7"): (".version 7.7", ".version 7.8"),
    (".version 8.0", ".version 8.9"): (".version 8.9", ".version 8.8"),
    (".version 8.0\n", ""): (".target", ".version 7.8\n.target"),
    ("sm_90", "sm_9"): None,
    ("bar.sync 0;", "wgmma.fence.sync.aligned;"): ("sm_90", "sm_90a"),
    ("bar.sync 0;", "fence.mbarrier_init.release.cluster;"): None,
    ("DONE:\n    ret;\n}", "DONE:\n    ret;"): ("DONE:\n    ret;", "DONE:\n    ret;\n}"),
    ("DONE:\n    ret;\n}", "DONE:\n    ret;\n}\n}"): None,
}


def check_fixed(before: str, after: str, *, has_unsafe: bool) -> None:
    """Fails unless the fixes turn statements into others, of which nothing is reported."""
    assert fix(module(before), has_unsafe=has_unsafe).text == module(after)
    assert lint(Document.read(module(after))) == []


def check_harmless(text: str) -> None:
    """Fails if a certain fix leaves its diagnostic, or adds an error."""
    before = lint(Document.read(text))
    for diagnostic in before:
        for each in diagnostic.fixes:
            if each.is_certain:
                changed = applied(Document.read(text), each.edits)
                after = lint(Document.read(changed))
                assert errors(after) <= errors(before), changed
                assert messages(after).count(key(diagnostic)) < messages(before).count(
                    key(diagnostic)
                ), changed


def check_offered(text: str) -> None:
    """Fails if a fix that is offered leaves its diagnostic, or makes more errors."""
    before = lint(Document.read(text))
    for diagnostic in before:
        for each in diagnostic.fixes:
            after = lint(Document.read(applied(Document.read(text), each.edits)))
            assert errors(after) <= errors(before), each.title
            gone = messages(before).count(key(diagnostic)) - messages(after).count(key(diagnostic))
            assert gone > 0, each.title


def check_fixable(
    statements: str, fixes: tuple[int, int], n_texts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checks the numbers of certain and unsafe fixes, and of texts that are read to find them."""
    read: list[list[str]] = []
    read_all = Reader.read_all

    def counted(reader: Reader, lines: list[str]) -> list[Record]:
        read.append(lines)
        return read_all(reader, lines)

    document = Document.read(module(statements))
    found = lint(document)
    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read_all", counted)
        assert fixable(document, found) == fixes
    assert len(read) == n_texts


def errors(found: list[Diagnostic]) -> int:
    return sum(one.severity is Severity.ERROR for one in found)


def key(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.rule, diagnostic.message


def messages(found: list[Diagnostic]) -> list[tuple[str, str]]:
    return [key(one) for one in found]


@pytest.mark.parametrize(("before", "after"), CERTAIN.items())
def test_certain_fix(before: str, after: str) -> None:
    check_fixed(before, after, has_unsafe=False)


@pytest.mark.parametrize(("before", "after"), UNSAFE.items())
def test_unsafe_fix_is_made_on_demand(before: str, after: str) -> None:
    assert fix(module(before)).n_fixed == 0
    assert fix(module(before), has_unsafe=True).text == module(after)


@pytest.mark.parametrize(
    "statement",
    ["add.s32 %r1 %r2, %rd3;\n", "st.global.u32 [%rd1, %r1;\n", "ld.global.u32 %r1, [%rd1 4];\n"],
)
def test_an_unsafe_fix_that_leaves_an_error_is_not_made(statement: str) -> None:
    text = module(statement)
    assert fix(text, has_unsafe=True).text == text


@pytest.mark.parametrize(("before", "after"), GUESSES.items())
def test_a_guess_is_only_offered(before: str, after: str | None) -> None:
    text = module(before)
    assert fix(text, has_unsafe=True) == (text, 0, "")
    (found,) = lint(Document.read(text))
    first, *_ = found.fixes
    assert all(each.applicability is Applicability.GUESS for each in found.fixes)
    if after is not None:
        assert applied(Document.read(text), first.edits) == module(after)


@pytest.mark.parametrize(("mistake", "mended"), IN_MODULES.items(), ids=str)
def test_fix_elsewhere_in_the_module(
    mistake: tuple[str, str], mended: tuple[str, str] | None
) -> None:
    text = MODULE.replace(*mistake, 1)
    assert fix(text, has_unsafe=True).text == text
    offered = text
    while found := lint(Document.read(offered)):
        offered = applied(Document.read(offered), found[0].fixes[0].edits)
    if mended is not None:
        assert offered == text.replace(*mended, 1)


def test_where_there_is_a_choice_nothing_is_chosen() -> None:
    text = module("fma.f32 %f1, %f2, %f3, %f4;\n")
    assert fix(text, has_unsafe=True).text == text
    (found,) = lint(Document.read(text))
    assert [each.title for each in found.fixes] == [
        f"Insert `{rounding}`" for rounding in (".rn", ".rz", ".rm", ".rp")
    ]


def test_fixes_of_several_rounds() -> None:
    before = "mul.wide.u32 %rd1, %r1, 4\nld.u32.global %r2, [%rd1]\n"
    fixed = fix(module(before))
    assert fixed.text == module("mul.wide.u32 %rd1, %r1, 4;\nld.global.u32 %r2, [%rd1];\n")
    assert fixed.n_fixed == 3


@pytest.mark.parametrize(
    ("statements", "fixes", "n_texts"),
    [
        ("ld.u32.global %r2, [%rd1];\n", (1, 0), 0),  # nothing keeps it from being written
        ("add.s32 %r1, %r2, %r3\n" * 9, (9, 0), 1),  # the text without the mistakes
        ("add.s32 %r1 %r2, %r3;\n" * 9, (0, 9), 1),
        ("add.s32 %r1, %r2, %r3\nadd.s32 %r1 %r2, %r3;\n", (0, 2), 2),  # a text each round
        ("add.s32 %r1, %r2, (;\nadd.s32 %r1, %r2, %r3\n", (0, 0), 2),
    ],
)
def test_fixes_are_counted_without_reading_a_text_twice(
    statements: str, fixes: tuple[int, int], n_texts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_fixable(statements, fixes, n_texts, monkeypatch)


def test_only_fixes_of_the_severities_asked_for() -> None:
    text = module("ld.u32.global %r2, [%rd1];\n")
    assert fix(text, is_wanted=lambda one: one.severity is Severity.ERROR).text == text


@pytest.mark.slow
@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_certain_fixes_of_rejected_files_are_harmless(path: Path) -> None:
    check_harmless(path.read_bytes().decode())


@pytest.mark.slow
@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_offered_fixes_of_rejected_files_mend(path: Path) -> None:
    check_offered(path.read_bytes().decode())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_certain_fixes_are_harmless(data: st.DataObject) -> None:
    words = MODULE.split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        index = data.draw(st.integers(0, len(words) - 1))
        words[index] = data.draw(st.sampled_from([*WORDS, "", words[index] * 2, words[index][:-1]]))
    check_harmless(" ".join(words))


PLACES = st.tuples(st.integers(0, 5), st.integers(0, 6))
AREAS = st.lists(st.tuples(PLACES, PLACES).map(sorted), max_size=6)


def check_choice(areas: list[list[tuple[int, int]]]) -> None:
    """Takes each fix that meets none of those taken before, as a look at all of them would."""
    ranges = [Range(Position(*start), Position(*end)) for start, end in areas]
    taken: list[Range] = []
    for it in ranges:
        if all(it.end < other.start or other.end < it.start for other in taken):
            taken.append(it)
    fixes = [Fix("", (TextEdit(it, ""),), Applicability.CERTAIN) for it in ranges]
    found = [
        Diagnostic(it, "r", Severity.ERROR, "", (fix,))
        for it, fix in zip(ranges, fixes, strict=True)
    ]
    assert [each.edits[0].range for each in choose(found)] == taken


@given(AREAS)
def test_fixes_that_meet_are_not_taken_together(areas: list[list[tuple[int, int]]]) -> None:
    check_choice(areas)


def check_edits(text: str, parts: list[tuple[int, str]]) -> None:
    """Applies edits to parts of a text as if each part were a separate text."""
    lines = text.splitlines(keepends=True)
    places = [Position(n, c) for n, line in enumerate(lines) for c in range(len(line))]
    places.append(Position(len(lines), 0))
    expected, edits, at = "", [], 0
    for number, (length, new) in enumerate(parts):
        if at == len(text):
            break
        stop = min(at + length, len(text))
        expected += new if number % 2 else text[at:stop]
        if number % 2:
            edits.append(TextEdit(Range(places[at], places[stop]), new))
        at = stop
    random.Random(len(text)).shuffle(edits)  # noqa: S311
    assert written(lines, edits) == expected + text[at:]


@given(
    st.text("ab\n", max_size=20),
    st.lists(st.tuples(st.integers(1, 4), st.text("x\n", max_size=3)), max_size=6),
)
def test_edits_of_a_text(text: str, parts: list[tuple[int, str]]) -> None:
    check_edits(text, parts)
