"""How instructions are read without being judged: as the verdict has it, whatever is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from ptx_ls import isa
from ptx_ls.isa.checking.reading import InstructionReading, ReadOperand, read, sole_reading
from ptx_ls.semantics.instructions.operands import UNDECLARED, to_operand
from ptx_ls.syntax.reader import Reader
from ptx_ls.syntax.record import Shape

VERDICTS = sorted(Path(__file__).parents[1].glob("verdicts/*.tsv"))
UNKNOWN = isa.Context()


def check_reading(statement: str, context: isa.Context) -> None:
    """A statement, and what is left of it without a modifier or an operand, as `isa.check` says."""
    opcode, _, operands = statement.removesuffix(";").partition(" ")
    name, *modifiers = opcode.split(".")
    for left_out in range(len(modifiers) + 1):
        kept = ".".join([name, *modifiers[:left_out], *modifiers[left_out + 1 :]])
        check_shape(f"{kept} {operands};\n", context)
    check_shape(f"{opcode}.{modifiers[-1] if modifiers else 'u32'} {operands};\n", context)
    check_shape(f"{opcode} {operands.rpartition(',')[0]};\n", context)
    check_shape(f"{opcode} {operands}, %r1;\n", context)


def check_shape(line: str, context: isa.Context) -> None:
    shape = Reader().read_line(line)
    if not isinstance(shape, Shape):
        return
    opcode, modifiers = isa.split_modifiers(shape.opcode)
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    facts = [UNDECLARED] * len(shape.identifiers)
    given = [to_operand(operand, facts, values=True) for operand in shape.operands]
    verdict = isa.check(instruction, modifiers, given, context)
    kinds = [each.kind for each in verdict.violations]
    expected = InstructionReading(
        tuple(
            ReadOperand(it.name, it.role, it.type) if it is not None else None
            for it in verdict.operand_specs
        ),
        isa.ViolationKind.DEPRECATED in kinds,
    )
    sole = sole_reading(instruction, modifiers, len(given), context)
    assert sole in (None, expected), line
    assert read(instruction, modifiers, given, context) == expected, line


@pytest.mark.slow
@pytest.mark.parametrize("path", VERDICTS, ids=lambda path: path.stem)
def test_every_instruction(path: Path) -> None:
    for row in path.read_text(encoding="utf-8").splitlines()[::20]:
        where, _, statement = row.split("\t")
        version, _, target = where.partition("/")
        context = isa.Context(isa.parse_version(version), (target,))
        check_reading(statement, context)
        check_shape(f"{statement}\n", UNKNOWN)
