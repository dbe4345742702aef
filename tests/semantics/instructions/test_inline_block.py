"""Blocks of inline assembly on one line, judged once for all registers they are given."""

from __future__ import annotations

import pytest

from ptx_ls import isa
from ptx_ls.semantics.instructions.inline_block import is_in_order
from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker
from ptx_ls.semantics.symbols.symbols import Facts, SymbolKind
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import InlineAsmLine

_BANKS = {"%r0": Facts(SymbolKind.REGISTER.value, ".b32", ".reg")}


def check_block(line: str, *, in_order: bool) -> None:
    read = Reader().read_line(line)
    assert isinstance(read, InlineAsmLine)
    judge = InstructionChecker(isa.Context((8, 5), ("sm_90",), 64))
    assert is_in_order(read.form, _BANKS, judge) is in_order


@pytest.mark.parametrize(
    "line",
    [
        "{ add.s32 %r1, %r2, %r3; }\n",
        "\t{ .reg .pred p; setp.ne.u32 p, %r12, %r7; @p add.s32 %r1, %r1, %r2; }\n",
    ],
)
def test_blocks_in_order(line: str) -> None:
    check_block(line, in_order=True)


@pytest.mark.parametrize(
    "line",
    [
        "{ add.s32.global %r1, %r2, %r3; }\n",
        "{ add.s32 %r1, %r2, unknown; }\n",
        "{ setp.ne.u32 p, %r1, %r2; .reg .pred p; }\n",
        "{ .reg .b32 p; @p add.s32 %r1, %r1, %r2; }\n",
        "add.s32 %r1, %r2, %r3; add.s32 %r1, %r2, %r3;\n",
    ],
)
def test_blocks_that_need_a_closer_look(line: str) -> None:
    check_block(line, in_order=False)
