"""The descriptions of operands: sizes of vectors, and types of registers."""

import pytest

from ptx_ls.handbook.wording.counts import counts_of
from ptx_ls.handbook.wording.expressions import Wording
from ptx_ls.handbook.wording.operand_types import declared_type
from ptx_ls.handbook.wording.places import accepted, flattened
from ptx_ls.isa import Form, database
from ptx_ls.isa.notation.expression import evaluate
from ptx_ls.isa.notation.expression_scope import ExpressionScope


def check_operand(opcode: str, form_id: str, operand: str, expected: str) -> None:
    instruction = database().instruction(opcode)
    assert instruction is not None
    form = next(form for form in instruction.forms if form.id == form_id)
    row = next(row for row in flattened(form.operands) if row.name == operand)
    assert accepted(row, Wording(form)) == expected


@pytest.mark.parametrize(
    ("opcode", "form", "operand", "expected"),
    [
        (
            "spcompress",
            "compress",
            "data",
            (
                "2 (`.x1`), 4 (`.x2`), 8 (`.x4`), 16 (`.x8`), 32 (`.x16`), 64 (`.x32`) "
                "or 128 (`.x64`) registers of type `.b32` in braces"
            ),
        ),
        ("mma", "f16", "a", "2 (`.m16n8k8`) or 4 (`.m16n8k16`) registers of type `.b32` in braces"),
        (
            "mma",
            "f16",
            "c",
            (
                "2 (`.f16`) or 4 (`.f32`) registers or constants of type `.b32` (with `.f16`) or "
                "`.f32` in braces"
            ),
        ),
        ("wmma", "mma-tf32", "a", "4 registers of type `.b32` in braces"),
        ("wgmma", "tf32-registers", "a", "4 registers of type `.b32` in braces"),
        ("wgmma", "f16-registers", "a", "4 registers of type `.b32` in braces"),
        ("cvt", "narrow-to-bf16x2", "d", "a register of type `.b32` holding `.bf16x2`"),
        ("cvt", "narrow-to-f16x2", "d", "a register of type `.f16x2`"),
        (
            "cp",
            "tensor-global-to-cta",
            "tensorCoords",
            (
                "registers or constants of type `.s32` in braces: 1 (`.1d`), 2 (`.2d`), 3 (`.3d`), "
                "4 (`.4d`) or 5 (`.5d`) if `.load_mode` is not `.tile::gather4`; "
                "5 if `.load_mode` is `.tile::gather4`"
            ),
        ),
        ("dp2a", "dot", "a", "a register or constant of type `.atype`"),
        (
            "max",
            "integer",
            "a",
            (
                "a register or constant of type `.type` (only a register with `.u16x2`, `.s16x2`, "
                "`.u8x4` or `.s8x4`)"
            ),
        ),
        ("abs", "half", "a", "a register of type `.type`"),
    ],
)
def test_accepted(opcode: str, form: str, operand: str, expected: str) -> None:
    check_operand(opcode, form, operand, expected)


@pytest.mark.parametrize(
    ("name", "named", "declared"),
    [
        (".tf32", (), ".b32"),
        (".bf16x2", (".bf16x2",), ".b32"),
        (".f16x2", (), ".b32"),
        (".f16x2", (".f16x2",), ".f16x2"),
        (".f32", (), ".f32"),
        (".e4m3x2", (), ".b16"),
        (".global", (), ".global"),
        (".pred", (), ".pred"),
        (".surfref", (), ".surfref"),
    ],
)
def test_declared_types(name: str, named: tuple[str, ...], declared: str) -> None:
    assert declared_type(name, named) == declared


@pytest.mark.parametrize("opcode", sorted(database().opcodes))
def test_numbers_are_what_the_data_computes(opcode: str) -> None:
    """With every modifier given the one number is told; it is among those told without."""
    instruction = database().instruction(opcode)
    assert instruction is not None
    for form in instruction.forms:
        sizes = {
            spec.size
            for row in flattened(form.operands)
            for spec in row.specs
            if spec.kind == "vec" and spec.size is not None
        }
        for size in sizes:
            told = counts_of(size, Wording(form))
            values = [slot.values[-1] for slot in form.row.slots]
            given = {slot.name: value for slot, value in zip(form.row.slots, values, strict=True)}
            count = evaluate(size, ExpressionScope(values, form.types, form.row.tables))
            exact = counts_of(size, Wording(form, given))
            if exact.numbers:
                assert (exact.numbers, exact.text) == ((count,), str(count)), (form, size)
            if is_legal(form, values) and told.numbers and count:
                assert count in told.numbers, (form, told)


def is_legal(form: Form, values: list[str]) -> bool:
    """Whether no rule forbids these modifiers."""
    scope = ExpressionScope(values, form.types, form.row.tables)
    return all(evaluate(rule.test, scope) for rule in form.row.rules if not rule.needs_operands)
