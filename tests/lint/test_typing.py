"""While somebody types, what is told about other lines does not come and go."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.document.editing import edited
from ptx_ls.lint import LintSession
from ptx_ls.lint.checks import COMPUTATION_GROUPS
from ptx_ls.lint.rule_index import CHECKS
from ptx_ls.lint.rule_names import group_of_module
from ptx_ls.source import Position, Severity
from ptx_ls.source.lines import split_lines
from tests.support.lint import module

HANDWRITTEN = Path(__file__).parents[1] / "corpus" / "handwritten"
KERNEL = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	@%p1 bra DONE;
LOOP: @!%p2 bra $L__end;
	{ .reg .b32 t; mov.b32 t, 0x10; /* a comment */ add.s32 %r1, t, -%r2; }
	ld.global.v2.u32 {%r1, %r2}, [%rd1+8];
	.pragma "nounroll";
	bra.uni LOOP;
$L__end:
DONE:
	ret;
}
"""
BODY = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(
	.param .u64 p,
	<|>.param .u32 n,
	.param .u32 m
)
{
	<|>.reg .pred %p<3>;
	<|>.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	<|>@!%p1 bra DONE;
	<|>ld.param.u64 %rd1, [p];
	call.uni helper;
	<|>ld.param.u32 %r1, [n];
	bra LOOP;
	<|>LOOP:
	<|>ld.global.v2.u32 {%r1, %r2}, [%rd1+8];
	{ .reg .b32 t; mov.b32 t, 0x10; }
	<|>mov.b64 {%r3, %r4}, %rd1;
	{ // of a call

		.reg .b32 u;
		<|>mov.b32 u, 5;
	}
	<|>add.s32 %r5, %r4, -%r3;
	@%p1 bra LOOP;
	<|>.pragma "nounroll";
	// a comment
	<|>bar.sync 0;
	<|>prefetch.global.L2::evict_last [%rd1];
	.loc 1 2 3
	<|>.loc 1 3 4
DONE:
	<|>st.global.u32 [%rd1], %r5;
	ret;
}
.func helper
{
	<|>mov.u32 %r1, WARP_SZ;
}
"""
_CLOSERS: Final = {"(": ")", "[": "]", "{": "}", '"': '"'}
"""The text that editors put after the cursor when a bracket is typed."""
_IS_ORDINARY: Final = re.compile(
    r"[ \t]+(?!.*(?:/\*|:\s*\.))[@%$\w][^{}]*(?:\{[^{};]*\}[^{}]*)*;\s*$"
).match
"""A line of whole instructions that opens no block and no comment.

A `{` without its partner is told where the partner is missed, a `/*` hides what follows, and half
of a declaration may declare another name than all of it.
"""
_ABOUT_COMPUTATION: Final = frozenset(
    [name for name, module, _, _ in CHECKS if group_of_module(module) in COMPUTATION_GROUPS]
)
"""The rules that wait until a function has no errors: an error hides what it computes."""
ONCE = 2
"""A finding that appears and disappears while typing may do so once."""


def check_typing(text: str, start: int = 0, stop: int | None = None) -> None:
    """Types `text` from one offset to another, with nothing after it.

    Of no line above may a rule tell something, take it back and tell it again.
    """
    document = Document.read(text[:start])
    session = LintSession(document)
    lines = split_lines(text[:start])
    place = Position(len(lines) - 1, len(lines[-1]))
    before: set[tuple[str, int]] = set()
    changes: Counter[tuple[str, int]] = Counter()
    for key in text[start:stop]:
        document = edited(document, place, place, key)
        session.document = document
        is_end = key == "\n"
        place = Position(place.line + is_end, 0 if is_end else place.column + 1)
        told, has_error = _answer(session, place.line)
        above = {(rule, line) for rule, line in told if line < place.line}
        if has_error:
            above |= {each for each in before if each[0] in _ABOUT_COMPUTATION}
        changes.update(above ^ before)
        before = above
    assert {told: count for told, count in changes.items() if count > ONCE} == {}


def check_middle(text: str, line: int, start: int, way: str) -> None:
    """Types a line from a column on between the others, or deletes it from its end.

    Of no other line may a rule tell what it told neither before nor after, nor come and go: each
    answer changes once at most, from that without the line to that with it.
    """
    lines = split_lines(text)
    whole = lines[line].rstrip("\r\n")
    typed = whole[start:].rstrip()
    end = lines[line][len(whole) :]
    lines[line] = whole[:start] + (typed if way == "back" else "") + end
    document = Document.read("".join(lines))
    session = LintSession(document)
    answers = [_answer(session, line)]
    closers: list[str] = []
    column = start + len(typed) * (way == "back")
    for key in typed:
        place = Position(line, column)
        if way == "back":
            column -= 1
            document = edited(document, Position(line, column), place, "")
            session.document = document
        else:
            column += 1
            if closers and key == closers[-1]:
                closers.pop()  # it is there already
                continue
            closer = _CLOSERS.get(key, "") if way == "closing" else ""
            closers += closer
            document = edited(document, place, place, key + closer)
            session.document = document
        answers.append(_answer(session, line))
    for told in set().union(*[of_others for of_others, _ in answers]):
        is_hidden_by_errors = told[0] in _ABOUT_COMPUTATION
        changes = [
            told in of_others
            for of_others, has_error in answers
            if told in of_others or not (is_hidden_by_errors and has_error)
        ]
        n_changes = sum(one != other for one, other in pairwise(changes))
        assert n_changes <= (changes[0] != changes[-1]), (told, typed, changes)


def _answer(session: LintSession, line: int) -> tuple[set[tuple[str, int]], bool]:
    """Returns the rules and lines of diagnostics on other lines, and whether any is an error."""
    while (work := session.pending()) is not None:
        work.run(lambda: False)
    told = {(one.rule, one.range.start.line) for one in session.diagnostics()}
    has_error = any(one.severity is Severity.ERROR for one in session.diagnostics())
    return {each for each in told if each[1] != line}, has_error


def test_a_kernel_from_the_top() -> None:
    check_typing(KERNEL)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_parts_of_real_files_from_the_top(seed: int) -> None:
    random = Random(seed)  # noqa: S311  the same in every run
    text = random.choice(sorted(HANDWRITTEN.glob("*.ptx"))).read_bytes().decode("utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start = text.rfind("\n", 0, random.randrange(len(text))) + 1
    check_typing(text, start, start + 150)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["keys", "closing", "back"])
@pytest.mark.parametrize("line", [n for n, one in enumerate(BODY.splitlines()) if "<|>" in one])
def test_in_the_middle_of_a_kernel(line: int, way: str) -> None:
    lines = BODY.splitlines()
    start = lines[line].index("<|>")
    check_middle(BODY.replace("<|>", ""), line, start, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["keys", "closing", "back"])
@pytest.mark.parametrize(
    "declarations",
    [
        "\t.reg .b32 %r < 9 >;",
        "\t.reg .b32 %r < 9 >",
        "\t.reg .b32 %r<9>",
        "\t.reg .f32 %f < 8 >; .reg .b32 %r < 9 >;",
        "\t.reg .b32 %r<9>; .shared .b32 s[4]; .reg .b32 v, w;",
        "\t.reg .b32 %r<9>; mov.b32 %r1, 5;",
    ],
)
def test_registers_are_declared_once_they_are_named(declarations: str, way: str) -> None:
    text = BODY.replace("<|>", "").replace("\t.reg .b32 %r<9>;", declarations, 1)
    check_middle(text, text[: text.index(declarations)].count("\n"), 1, way)


@pytest.mark.parametrize("way", ["keys", "closing", "back"])
@pytest.mark.parametrize("distance", range(4))
@pytest.mark.parametrize("string", ['.pragma "used_bytes_mask 0xf";', '.file 1 "a.cu"'])
def test_a_string_above_another_one(string: str, distance: int, way: str) -> None:
    pragma = '\t.pragma "nounroll";\n'
    between = "\tadd.s32 %r1, %r2, %r3;\n" * distance
    text = BODY.replace("<|>", "").replace(pragma, f"{pragma}{between}\t{string}\n")
    check_middle(text, text[: text.index(pragma)].count("\n"), 1, way)


@pytest.mark.parametrize("way", ["keys", "closing", "back"])
@pytest.mark.parametrize("distance", range(2))
@pytest.mark.parametrize(
    "block",
    [
        "{ max.NaN.f32 %f1, %f2, %f3;\n}",
        "{ prefetch.L1 [%rd1]; }",
        "{ prefetch.global.L1 [%rd1];\n}",
        "{ /* c */ add.s32 %r1, %r2, %r3; }",
        "{/**/.reg .b32 q;\n}",
        "{ pmevent 3; }",
        "{ bar 0;\n}",
        "{ }",
        "{;\n}",
        "pmevent 3;",
    ],
)
def test_a_line_above_a_block(block: str, distance: int, way: str) -> None:
    """Text in the braces is not an operand of the line above, as in code of inline assembly."""
    for typed in ("st.global.u16 [%rd1+6], %rs1;", "ld.global.v2.u32 {%r1, %r2}, [%rd1];"):
        before = module(f"\t{typed}\n")
        text = before.replace("}\n", "\n" * distance + f"{block}\nadd.s32 %r1, %r2, %r3;\n}}\n")
        check_middle(text, text[: text.index(typed)].count("\n"), 1, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["keys", "closing", "back"])
@pytest.mark.parametrize(
    "debug", ["@@DWARF", "@@DWARF .byte 0x00, 0x01", "@@DWARF .4byte k", '@@DWARF .file 1 "a.cu"']
)
@pytest.mark.parametrize(
    "next_line",
    [".global .b32 g;", ".func helper", ".visible .entry k(", "@@DWARF .byte 1", '.file 1 "a"'],
)
def test_old_debug_data_above_a_line(next_line: str, debug: str, way: str) -> None:
    text = BODY.replace("<|>", "")
    place = next_line if next_line in text else ".func helper"
    before, _, after = text.partition(f"{place}\n")
    rest = f"{next_line}\n{after}" if place == next_line else f"{next_line}\n{place}\n{after}"
    check_middle(f"{before}{debug}\n{rest}", before.count("\n"), 0, way)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["keys", "closing", "back"])
@pytest.mark.parametrize("name", [path.name for path in sorted(HANDWRITTEN.glob("*.ptx"))])
def test_in_the_middle_of_real_files(name: str, way: str) -> None:
    text = (HANDWRITTEN / name).read_bytes().decode("utf-8", "replace")
    random = Random(f"{name} {way}")  # noqa: S311  the same in every run
    lines = split_lines(text)
    inside = [n for n, one in enumerate(lines) if _IS_ORDINARY(one)]
    for line in random.sample(inside, min(1, len(inside))):
        check_middle(text, line, len(lines[line]) - len(lines[line].lstrip()), way)


@pytest.mark.parametrize(
    "rest", ["mov.", "mov.b32 %", "@", "@%", "(", '"', "/*", "0x", "é", ".", ".x", "{ .reg .", "\\"]
)
def test_labels_are_not_missed_before_the_brace(rest: str) -> None:
    """The label may follow, whatever is reported on the last line; the brace ends the function."""
    text = KERNEL[: KERNEL.index("\t.pragma")]
    for end, is_missed in (("", False), ("\n}\n", True)):
        session = LintSession(Document.read(f"{text}\t{'' if is_missed else rest}{end}"))
        while (work := session.pending()) is not None:
            work.run(lambda: False)
        rules = {one.rule for one in session.diagnostics()}
        assert ("undeclared-label" in rules) is is_missed
