"""Lines of one plain statement are taken apart, and all others are left to the tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ptx_ls.syntax.line_parts import (
    block_comment_label,
    data_parts,
    instruction_parts,
    label_parts,
    location_parts,
    register_parts,
    split_at_numbers,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    Reader = Callable[[str], re.Match[str] | None]


def check_parts(reader: Reader, line: str, *parts: str | None) -> None:
    found = reader(line)
    assert found is not None
    assert found.groups() == parts


def test_instructions() -> None:
    check_parts(instruction_parts, "\tret;\n", None, "ret", None, None)
    line = "  @!%p1\tst.shared::cta.v2.u32 [%r1+-4], {%r2,%r3};  // why\r\n"
    operands = "[%r1+-4], {%r2,%r3}"
    check_parts(instruction_parts, line, "@!%p1", "st.shared::cta.v2.u32", operands, "// why")


@pytest.mark.parametrize(
    "line",
    ["ret; ret;\n", "mov.u32 %r1, %r2\n", "add.s32 %r1, %r2 , 1;\n", "L: ret;\n", "ret; /* */\n"],
)
def test_instructions_that_need_their_tokens(line: str) -> None:
    assert instruction_parts(line) is None


def test_other_statements() -> None:
    check_parts(register_parts, ".reg .b32 %r<4>;\n", ".b32", "%r<4>;", None)
    check_parts(label_parts, "$L_1:  // loop\n", "$L_1", "// loop")
    check_parts(location_parts, "\t.loc 1 22 3\n", "1", "22", "3", "", None)
    inlined = ", function_name L0, inlined_at 1 2 3"
    check_parts(location_parts, f".loc 1 2 3{inlined}", "1", "2", "3", inlined, None)
    check_parts(data_parts, ".b8 1,-2,L0+4 // name\n", ".b8", "1,-2,L0+4", "// name")


def test_comments_that_look_like_labels() -> None:
    assert block_comment_label("// %bb.1:  // in a loop")
    assert block_comment_label("// note: this") is None


def test_numbers_of_a_text() -> None:
    assert split_at_numbers("%r12, 3") == ["%r", "12", ", ", "3", ""]
