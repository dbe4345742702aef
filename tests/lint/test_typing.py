"""While somebody types, what is told about other lines does not come and go."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from ptx_ls.lint import LintSession
from ptx_ls.source import Position
from ptx_ls.source.lines import split_lines
from ptx_ls.syntax.document import Document

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
ONCE = 2
"""What is told and later no more: it may appear once, and go once."""


def check_typing(text: str, start: int = 0, stop: int | None = None) -> None:
    """Types `text` from one offset to another, with nothing after it.

    Of no line above may a rule tell something, take it back and tell it again.
    """
    document = Document(text[:start])
    session = LintSession(document)
    lines = split_lines(text[:start])
    place = Position(len(lines) - 1, len(lines[-1]))
    before: set[tuple[str, int]] = set()
    changes: Counter[tuple[str, int]] = Counter()
    for key in text[start:stop]:
        document.edit(place, place, key)
        is_end = key == "\n"
        place = Position(place.line + is_end, 0 if is_end else place.column + 1)
        while (work := session.pending()) is not None:
            session.accept(work.run(lambda: False))
        told = {(one.rule, one.range.start.line) for one in session.diagnostics()}
        above = {(rule, line) for rule, line in told if line < place.line}
        changes.update(above ^ before)
        before = above
    assert {told: count for told, count in changes.items() if count > ONCE} == {}


def test_a_kernel_from_the_top() -> None:
    check_typing(KERNEL)


@pytest.mark.parametrize("seed", range(12))
def test_parts_of_real_files_from_the_top(seed: int) -> None:
    random = Random(seed)  # noqa: S311  the same in every run
    text = random.choice(sorted(HANDWRITTEN.glob("*.ptx"))).read_bytes().decode("utf-8", "replace")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    start = text.rfind("\n", 0, random.randrange(len(text))) + 1
    check_typing(text, start, start + 150)


@pytest.mark.parametrize(
    "rest", ["mov.", "mov.b32 %", "@", "@%", "(", '"', "/*", "0x", "é", ".", ".x", "{ .reg .", "\\"]
)
def test_labels_are_not_missed_before_the_brace(rest: str) -> None:
    """The label may follow, whatever is told of the last line; the brace ends the function."""
    text = KERNEL[: KERNEL.index("\t.pragma")]
    for end, is_missed in (("", False), ("\n}\n", True)):
        session = LintSession(Document(f"{text}\t{'' if is_missed else rest}{end}"))
        while (work := session.pending()) is not None:
            session.accept(work.run(lambda: False))
        rules = {one.rule for one in session.diagnostics()}
        assert ("undeclared-label" in rules) is is_missed
