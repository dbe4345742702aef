"""Instructions whose results nobody reads."""

from __future__ import annotations

import pytest

from ptx_ls.flow.dead_code import is_dead
from ptx_ls.semantics.analysis import Analysis
from ptx_ls.syntax.document import Document

HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n.global .u32 v;\n"
DECLARED = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n"


def check_dead(body: str, head: str = ".entry k() {") -> None:
    """Exactly the lines that end with `// dead` are dead."""
    document = Document(f"{HEAD}{head}\n{DECLARED}{body}\n}}\n")
    analysis = Analysis(document)
    found = [
        document.lines[line].strip()
        for line in range(len(document.lines))
        for statement in document.statements(line)
        if is_dead(analysis, statement)
    ]
    assert found == [line for line in body.split("\n") if line.endswith("// dead")]


def test_values_that_nobody_reads() -> None:
    check_dead(
        "mov.u32 %r1, 1; // dead\n"
        "ld.global.u32 %r2, [v]; // dead\n"
        "mov.u32 %r1, 2;\n"
        "setp.eq.u32 %p1|%p2, %r1, 0;\n"
        "@%p2 st.global.u32 [v], 1;"
    )


def test_values_that_a_way_leads_to() -> None:
    check_dead("mov.u32 %r1, 1;\n@%p1 bra L;\nmov.u32 %r1, 2;\nL: st.global.u32 [v], %r1;")
    check_dead("L: st.global.u32 [v], %r1;\nmov.u32 %r1, 2;\nbra L;")


@pytest.mark.parametrize(
    "statement",
    [
        "ld.volatile.global.u32 %r1, [v];",
        "ld.acquire.gpu.global.u32 %r1, [v];",
        "atom.global.add.u32 %r1, [v], 1;",
        "add.cc.u32 %r1, %r2, %r3;",
        "shfl.sync.up.b32 %r1, %r2, 1, 0, -1;",
        "call (%r1), f, (%r2);",
        "frobnicate.u32 %r1, %r2;",
        "mov.u32 unknown, 1;",
        "mov.u32 %r1, 1",
        "bra NOWHERE; L: mov.u32 %r1, 1;",
    ],
)
def test_what_does_more_or_cannot_be_told(statement: str) -> None:
    check_dead(statement)


def test_results_of_a_function() -> None:
    check_dead("mov.u32 a, 1;\nmov.u32 b, 1; // dead", ".func (.reg .u32 a) f(.reg .u32 b) {")
