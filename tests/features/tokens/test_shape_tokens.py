"""Tokens of instructions by their shape: the same as reading the whole statement gives."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.features.operand_traits import traits_of
from ptx_ls.features.tokens.shape_tokens import shape_tokens
from ptx_ls.features.tokens.statement_tokens import statement_tokens
from ptx_ls.features.tokens.token_patterns import places_of
from ptx_ls.syntax.normalize import canonical_word
from ptx_ls.syntax.record import Shape

CORPUS = Path(__file__).parents[2] / "corpus"
CONTEXT = isa.Context((8, 5), ("sm_90",))
PARTS = [
    *"@%p1 @!%p1 @q add.s32 ld.global.v2.u32 mov.u64 bra call.uni vset2.s32.u32.lt".split(),
    *"%r1 %r12.x %rd3 {%r1,%r2} [%rd1+8] [a+0x10] (%r1) (.s64) .x .b0 _ a_1 $L__BB0_1".split(),
    *"%tid.x %p1|%p2 !%p1 -5 08 0f3F800000 1.5e3 0x1F {1,2} WARP_SZ a.b.c %r1..x , , ,".split(),
    *(" ", " ", "\t"),
]


def check_line(record: object, line: str) -> bool:
    """Whether the line's words tell its tokens; if they do, they tell the same."""
    if not isinstance(record, Shape):
        return False
    traits = traits_of(record, CONTEXT)
    found = shape_tokens(record, line, traits)
    if found is None:
        return False
    expected: list[tuple[int, int, int, int]] = []
    names: list[str] = []
    places: list[int] = []
    previous = 0
    for start, length, kind, own, name in statement_tokens(record.kind, line, traits):
        places += [start - previous, length]
        previous = start
        if name is None:
            expected.append((kind, own, 0, -1))
        else:
            expected.append((kind, name.traits.always, name.traits.by_type, len(names)))
            names.append(canonical_word(name.text) if name.text.startswith("%") else "")
    assert found == (expected, tuple(names)), line
    assert places_of(line) == tuple(places), line
    return True


def test_the_corpus() -> None:
    n_shapes, n_told = 0, 0
    for path in sorted(CORPUS.glob("*/*.ptx"))[::8]:
        document = Document.read(path.read_bytes().decode("utf-8", "replace"))
        lines = dict(zip(document.records, document.lines, strict=True))
        for record, line in lines.items():
            n_shapes += isinstance(record, Shape)
            n_told += check_line(record, line)
    assert n_told > 0.95 * n_shapes


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_any_instruction(parts: list[str]) -> None:
    line = f"{' '.join(parts)};\n"
    check_line(Document.read(line).records[0], line)
    line = f"{parts[0] if parts else ''} {''.join(parts[1:])};\n"
    check_line(Document.read(line).records[0], line)
