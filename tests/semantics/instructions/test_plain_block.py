"""Declarations of inline assembly on one line and on several, read by forms and one by one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.document.document import Document
from ptx_ls.semantics.instructions.plain_block import declared_in
from ptx_ls.semantics.symbols import region_reader
from ptx_ls.semantics.symbols.region import RegionFacts
from ptx_ls.semantics.symbols.region_reader import read_region
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.semantics.symbols.symbols import Scope
from ptx_ls.syntax.record import InlineAsmLine

HEAD = ".entry k()\n{\n.reg .b32 %r<99>;\n"
PARTS = [
    ".reg .pred p; ",
    ".reg .b32 q1; ",
    ".reg .f32 %f; ",
    ".reg .b32 %t5; ",
    "add.s32 %r1, %r22, %r3; ",
    "@p mov.b32 %r4, q1;",
    "{ ",
    "} ",
    "  ",
    "L: ",
]


def described(facts: RegionFacts, scope: Scope) -> object:
    names = {name: tuple(symbol) for name, symbol in scope.names.items()}
    inner = [described(facts, each) for each in facts.blocks_in(scope)]
    return scope.start, scope.end, names, inner


def what_is_declared(facts: RegionFacts) -> object:
    symbols = [tuple(symbol) for symbol in facts.symbols]
    scopes = described(facts, facts.module_scope)
    return symbols, facts.events, scopes, facts.banks, facts.duplicates


def check_blocks(*lines: str) -> int:
    """Compares the declarations of a function with such lines; how many were taken by form."""
    document = Document.read(HEAD + "".join(line + "\n" for line in lines) + "ret;\n}\n")
    text = region_text(document.leaf(1))
    quick = read_region(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region_reader, "declared_in", lambda _: None)
        patch.setattr(region_reader, "declared_on", lambda _: None)
        patch.setattr(region_reader, "OPEN", None)
        patch.setattr(region_reader, "CLOSE", None)
        slow = read_region(text)
    assert what_is_declared(quick) == what_is_declared(slow)
    runs = [read for read in text.records if isinstance(read, InlineAsmLine)]
    return sum(declared_in(run.form) is not None for run in runs)


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        (["{ .reg .pred p; setp.ne.u32 p, %r1, 0; @p mov.b32 %r1, %r2; }"], 1),
        (["\t{ add.s32 %r1, %r2, %r3; }", "\t{ add.s32 %r11, %r12, %r13; }"], 2),
        (["{ .reg .b32 t1; mov.b32 t1, %r1; }  ", "{ .reg .b32 t1; mov.b32 t1, %r77; }"], 2),
        (["{ .reg .b32 %t1; mov.b32 %t1, %r1; }"], 1),  # but its line begins otherwise
        (["{ .reg .b32 a; mov.b32 a, %r1; .reg .b32 b; }"], 0),
        (["{ .reg .b32 a; .reg .b32 a; mov.b32 a, %r1; }"], 0),
        (["{ .reg .b32 a; mov.b32 a, %r1; } // }"], 1),
        (["{ mov.b32 %r1, %r2; { mov.b32 %r1, %r2; } }"], 0),
    ],
)
def test_blocks(lines: list[str], count: int) -> None:
    assert check_blocks(*lines) == count


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=6).map("".join), max_size=4))
def test_blocks_of_any_parts(lines: list[str]) -> None:
    check_blocks(*(f"{{ {line}}}" for line in lines))


@given(st.lists(st.sampled_from([*PARTS, " {", "} // }", "{ /* */"]), max_size=12))
def test_lines_of_any_parts(lines: list[str]) -> None:
    check_blocks(*lines)
