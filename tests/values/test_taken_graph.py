"""The flow graph without the edges that constants exclude."""

from __future__ import annotations

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.values.function_values import function_values

HEAD = """\
.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .pred %p<9>;
    .reg .b32 %r<9>;
"""


def check_never(body: str) -> None:
    """No path leads to the lines with the comment `// never`, and a path leads to all others."""
    document = Document.read(f"{HEAD}{body}    ret;\n}}\n")
    function = next(each for each in document.leaves() if ".entry" in each.text)
    values = function_values(function, module_facts(document))
    graph = values.graph
    for found in values.flow.text.statements():
        block = graph.number_at(found.start)
        if block is not None and found.text.endswith(";") and not found.text.startswith("."):
            line = values.flow.text.lines[found.start[0]]
            assert (block not in graph.reachable) == ("// never" in line), line
    whole = values.flow.graph
    assert (graph.n_blocks, graph.starts, graph.stops) == (
        *(whole.n_blocks, whole.starts, whole.stops),
    )


@pytest.mark.parametrize(
    ("condition", "is_taken"),
    [
        ("mov.pred %p1, 0;", False),
        ("mov.pred %p1, -1;", True),
        ("mov.pred %p2, 0; not.pred %p1, %p2;", True),
        ("mov.u32 %r1, 3; setp.lt.s32 %p1, %r1, 4;", True),
        ("mov.u32 %r1, 3; add.u32 %r2, %r1, 1; setp.lt.s32 %p1, %r2, 4;", False),
        ("setp.ne.s32 %p1, 0, 0;", False),
        ("mov.pred %p2, -1; mov.pred %p3, 0; and.pred %p1, %p2, %p3;", False),
        ("mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;", None),
        ("mov.pred %p1, 0; mov.u32 %r1, %tid.x; setp.eq.u32 %p2, %r1, 0; @%p2 mov.pred %p1, -1;",
         None),
    ],
)  # fmt: skip
def test_branch_on_a_condition(condition: str, is_taken: bool | None) -> None:  # noqa: FBT001
    lines = condition.replace("; ", ";\n    ")
    check_never(
        f"""\
    {lines}
    @%p1 bra other;
    mov.u32 %r5, 1;{" // never" if is_taken else ""}
    bra done;{" // never" if is_taken else ""}
other:
    mov.u32 %r5, 2;{" // never" if is_taken is False else ""}
done:
    mov.u32 %r6, %r5;
"""
    )


def test_loop_that_ends_at_once() -> None:
    check_never(
        """\
again:
    mov.u32 %r1, %tid.x;
    mov.pred %p1, 0;
    @%p1 bra again;
    mov.pred %p2, -1;
    @%p2 bra done;
    bra again; // never
done:
    mov.u32 %r2, %r1;
"""
    )
