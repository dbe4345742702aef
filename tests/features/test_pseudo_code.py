"""Pseudo-code of an instruction in its own operands."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ptx_ls import isa
from ptx_ls.features.pseudo_code import pseudo_code
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.syntax.document import Document
from tests.features.test_hover import KERNEL
from tests.support.fixture import parse_fixture


def check_pseudo_code(statement: str, expected: str) -> None:
    """What is told of an instruction, without comments."""
    fixture = parse_fixture(KERNEL.replace("BODY", f"<|>{statement}"))
    analysis = Analysis(Document(fixture.text))
    place = analysis.document.statement_at(fixture.cursor)
    assert place is not None
    judged = analysis.instruction(place)
    assert judged is not None
    lines = (line.partition("//")[0].rstrip() for line in pseudo_code(judged).split("\n"))
    assert "\n".join(lines) == dedent(expected).strip()


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("add.s32 %r3, %r1, 0x10;", "%r3 = %r1 + 0x10;"),
        ("add.cc.s32 %r3, %r1, %r2;", "%r3 = %r1 + %r2;\nCC.CF = carry-out;"),
        ("mad.lo.s32 %r3, %r1, %r2, 5;", "t = %r1 * %r2;\n%r3 = t<n-1 .. 0> + 5;"),
        ("mad.wide.s32 %rd3, %r1, %r2, %rd1;", "t = %r1 * %r2;\n%rd3 = t + %rd1;"),
        ("fma.rn.f32 %f3, %f1, %f2, %f4;", "%f3 = round(%f1 * %f2 + %f4);"),
        ("ld.global.u32 %r1, [%rd1+4];", "%r1 = extend(*(%rd1+4));"),
        ("st.shared.f32 [%r1], %f1;", "*%r1 = low bits of %f1;"),
        ("selp.b32 %r1, %r2, %r3, %p1;", "%r1 = %p1 ? %r2 : %r3;"),
        ("mbarrier.init.shared.b64 [%rd1], 1;", "phase = 0; expected = pending = 1; tx = 0;"),
        (
            "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%rd1], 16;",
            "mbarrier.expect_tx:   tx += 16;",
        ),
        (
            "red.global.add.u32 [%rd1], %r2;",
            """
            atomically {
              *%rd1 = *%rd1 + %r2;
            }
            for vectors and packed types: so for each element alone;
            """,
        ),
        (
            "vote.sync.ballot.b32 %r1, !%p1, 0xff;",
            """
            wait until all lanes of 0xff are here, with the same 0xff;
            %r1[i] = lane i participates && its !%p1;
            """,
        ),
        (
            "shfl.sync.bfly.b32 %r6|%p1, %r5, 16, 0x1f, -1;",
            """
            wait for the lanes of -1;
            segment = 0x1f[12:8];  clamp = 0x1f[4:0];  lane = number of this lane;
            low  = lane & segment;
            bound = low | (clamp & ~segment);
            switch (mode) {
              case .bfly: j = lane ^ 16[4:0];              %p1 = j <= bound;
            }
            %r6 = %r5 of lane (%p1 ? j : lane);
            """,
        ),
    ],
)
def test_real_instructions(statement: str, expected: str) -> None:
    check_pseudo_code(statement, expected)


def test_articles_are_no_operands() -> None:
    fixture = parse_fixture(KERNEL.replace("BODY", "<|>cvt.rn.f32.s32 %f1, %r1;"))
    analysis = Analysis(Document(fixture.text))
    place = analysis.document.statement_at(fixture.cursor)
    judged = analysis.instruction(place) if place is not None else None
    assert judged is not None
    text = pseudo_code(judged)
    assert text.startswith("%f1 = convert(%r1);")
    assert "%r1 4-bit" not in text


def test_something_is_left_of_every_opcode() -> None:
    for name in sorted(isa.database().keywords):
        fixture = parse_fixture(KERNEL.replace("BODY", f"<|>{name} %r1, %r2;"))
        analysis = Analysis(Document(fixture.text))
        place = analysis.document.statement_at(fixture.cursor)
        judged = analysis.instruction(place) if place is not None else None
        if judged is not None and judged.instruction is not None:
            assert bool(pseudo_code(judged)) == bool(judged.instruction.prose.semantics)
