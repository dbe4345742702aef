"""The uses of registers on lines with several statements, compared with one statement a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ptx_ls.document.document import Document
from ptx_ls.flow.registers.register_table import RegisterTable
from ptx_ls.flow.registers.register_uses import register_uses
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.syntax import register_events

if TYPE_CHECKING:
    from ptx_ls.document.function import Function

HEAD = """\
.version 8.5
.target sm_90
.address_size 64
.entry k()
{
.reg .pred %p<9>, p;
.reg .b32 %r<9>, a, %x1;
"""
LINES = (
    "{.reg .pred p; elect.sync _|p, -1; selp.b32 %r1, 1, 0, p;}",
    "{ .reg .b32 a, b; .reg .pred p; mov.b32 a, %r1; @p add.s32 b, a, %r2; mov.b32 %r3, b; }",
    "{ .reg .b32 %x1; mov.b32 %x1, %x2; mov.b32 %x2, %x1; }",
    "{ .reg .b32 %x<3>; mov.b32 %x1, %r1; mov.b32 %x2, %x1; }",
    "{ .reg .b32 %r1; mov.b32 %r1, %r2; mov.b32 %r2, %r1; }",
    "{ .reg .b32 a; mov.b32 a, 1; { .reg .b32 a; mov.b32 a, 2; } mov.b32 %r1, a; }",
    "{ .reg .b32 a; mov.b32 a, 1; } { .reg .b32 a; mov.b32 %r1, a; }",
    "{ mov.b32 a, 1; .reg .b32 b; mov.b32 b, a; }",
    "mov.b32 a, 1; { .reg .b32 a; mov.b32 a, %r1; }",
    "{ .reg .b32 a; mov.b32 a, %r1; } mov.b32 a, 1;",
    "{ .reg .pred p; setp.eq.s32 p, %r1, 0; @p bra L; mov.b32 %r2, 1; L: mov.b32 %r3, %r2; }",
)


def uses_of(function: Function) -> list[tuple[str, int, int]]:
    """Returns the name of the register of each use, the number of its declaration, and the way."""
    table = RegisterTable(region_facts(function))
    uses = register_uses(function, table)
    starts = sorted({bank.symbol.start for bank in table.banks})
    return [
        (table.name(code), starts.index(table.bank(code).start), way)
        for code, way in zip(uses.codes, uses.ways, strict=True)
    ]


def check_line(line: str, *others: str) -> None:
    """A line has the same uses as its statements on lines of their own."""
    found = []
    for written in (line, line.replace(";", ";\n").replace("{", "{\n").replace(":", ":\n")):
        document = Document.read("\n".join([HEAD, *others, written, *others, "}\n"]))
        found.append(uses_of(document.leaf(document.n_leaves - 1)))
    assert found[0] == found[1]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("is_compiled", [True, False])
def test_one_line(line: str, *, is_compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_compiled:
        monkeypatch.setattr(register_events, "compiled", None)
    check_line(line)
    check_line(line, *LINES[:3])


def test_names_of_a_block_are_registers_of_their_own() -> None:
    text = "{ .reg .b32 a; mov.b32 a, %r1; mov.b32 %r2, a; }\n"
    document = Document.read(f"{HEAD}{text}{text}mov.b32 a, 1;\n}}\n")
    found = [(name, bank) for name, bank, _ in uses_of(document.leaf(document.n_leaves - 1))]
    assert found == [
        *(("a", 5), ("%r1", 2), ("%r2", 2), ("a", 5)),
        *(("a", 6), ("%r1", 2), ("%r2", 2), ("a", 6), ("a", 3)),
    ]
