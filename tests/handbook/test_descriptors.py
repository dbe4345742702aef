"""The pages on descriptors."""

from ptx_ls.handbook.descriptors import descriptor_blocks
from ptx_ls.handbook.page import Heading, Table


def rows_of(opcode: str, title: str) -> dict[str, str]:
    """The table below a heading, as a mapping of bits to fields."""
    blocks = descriptor_blocks(opcode)
    place = next(
        number
        for number, block in enumerate(blocks)
        if isinstance(block, Heading) and block.text == title
    )
    table = blocks[place + 2]
    assert isinstance(table, Table)
    return {row[0]: row[1] for row in table.rows}


def test_matrix_descriptor() -> None:
    rows = rows_of("wgmma", "Matrix descriptor")
    assert rows["0..13"] == "Start address, divided by 16"
    assert rows["62..63"] == "Number of the swizzling mode"
    assert rows_of("tcgen05", "Matrix descriptor")["46..48"] == "Always 1"


def test_instruction_descriptor() -> None:
    rows = rows_of("tcgen05", "Instruction descriptor")
    assert rows["4..5"] == "D is `.f16` (0), `.f32` (1) or `.s32` (2)"
    assert rows["13"] == "A is negated (1)"
    assert rows["7..9"].startswith("A is `.f16` (0) or `.bf16` (1) for `.kind::f16`; `.tf32` (2)")
    assert "" not in rows.values()


def test_other_opcodes_have_none() -> None:
    assert descriptor_blocks("mma") == []
