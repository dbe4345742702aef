"""Questions about any text have answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS, WRITES
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import Level

CORPUS = Path(__file__).parents[2] / "corpus"
_LINES = (
    *(
        ".version 8.5",
        ".target sm_90",
        ".entry k(.param .u32 n)",
        ".func f(.reg .b32 %a)",
        "{",
        "}",
    ),
    *(".reqntid 64", ".reqntid 16, 4", ".maxntid 0", ".reg .pred %p<4>;", ".reg .b32 %r<9>;"),
    *("mov.u32 %r1, %tid.x;", "mov.u32 %r2, %tid;", "shr.u32 %r2, %r1, 5;", "shr.u32 %r2, %r1,;"),
    *(
        "setp.lt.u32 %p1, %r1, 5;",
        "@%p1 bra A;",
        "@!%p2 bra B;",
        "A:",
        "B:",
        "bra A;",
        "@%p1 exit;",
    ),
    *("elect.sync _|%p1, -1;", "elect.sync %r1;", "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;"),
    *("shfl.sync.idx.b32", "vote.sync.any.pred %p1, %p2, -1;", "bar.red.popc.u32 %r1, 0, %p1;"),
    *("T: .branchtargets A, B;", "brx.idx %r1, T;", "brx.idx", "ret;", "call f, (%r1);", "trap;"),
    *("ld.shared.u32 %r1, [%r2];", "st.shared.u32 [%r2], %r1;", "bar.sync 0;", "@%p1 bar.sync 0;"),
    *(
        "add.u32 %r1, %r1, 1;",
        "and.b32 %r1, %r1, 0;",
        "div.u32 %r1, %r1, 0;",
        "mov.b64 {%r1, %r2}, 5;",
    ),
)


def check_text(text: str) -> None:
    """Asks everything about each function of a text."""
    document = Document.read(text)
    module = module_facts(document)
    for function in document.leaves():
        found = function_uniformity(function, module)
        ways = found.flow.uses.ways
        for use in range(len(ways)):
            said = [found.read(use)] if ways[use] & READS else []
            said += [found.written(use)] if ways[use] & WRITES else []
            for each in said:
                assert each.surely <= each.at_most
                assert (each.surely is Level.GRID) or each.cause is None or found.chain(each.cause)
        for block in range(len(found.flow.graph.starts)):
            found.block(block)
            found.branch(block)
        for statement in found.flow.text.statements():
            if isinstance(statement.record, Shape):
                said_here = found.statement(statement)
                assert said_here.surely <= said_here.at_most
                assert len([*found.threads_of(statement)]) <= len(found.shapes)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=30))
def test_any_lines(lines: list[str]) -> None:
    check_text("\n".join(lines))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(_LINES), max_size=25))
def test_any_kernel(lines: list[str]) -> None:
    head = [*_LINES[:3], ".reqntid 64", "{", ".reg .pred %p<4>;", ".reg .b32 %r<9>;"]
    check_text("\n".join([*head, *[each for each in lines if each not in "{}"], "}"]))


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CORPUS.rglob("*.ptx")), ids=lambda path: path.name)
def test_corpus(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if len(text) < 40_000:
        check_text(text)
