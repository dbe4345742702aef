"""The PTX ISA as data: instructions, special registers, directives, types, versions, targets.

The package does not depend on syntax trees. `database()` opens the data, `check` judges an
instruction, `next_modifiers` completes one.
"""

from __future__ import annotations

from ptx_ls.isa.checking.check import check, is_legal, read
from ptx_ls.isa.checking.verdict import Context, Part, Verdict, Violation, ViolationKind
from ptx_ls.isa.choices import ModifierChoice, next_modifiers
from ptx_ls.isa.database import Database, database
from ptx_ls.isa.diagnose import diagnose
from ptx_ls.isa.model import Form, Instruction, OperandSpec, Prose
from ptx_ls.isa.operand import Operand, OperandKind
from ptx_ls.isa.version import parse_target, parse_version, runs_on

__all__ = [
    "Context",
    "Database",
    "Form",
    "Instruction",
    "ModifierChoice",
    "Operand",
    "OperandKind",
    "OperandSpec",
    "Part",
    "Prose",
    "Verdict",
    "Violation",
    "ViolationKind",
    "check",
    "database",
    "diagnose",
    "is_legal",
    "next_modifiers",
    "parse_target",
    "parse_version",
    "read",
    "runs_on",
    "split_modifiers",
    "types_last",
    "written_type",
]


def split_modifiers(text: str) -> tuple[str, tuple[str, ...]]:
    """Splits `ld.global.v4.u32` into `("ld", (".global", ".v4", ".u32"))`.

    The bank of `.const[2]`, which old versions allow, is omitted.
    """
    opcode, *modifiers = text.split(".")
    if "[" in text:
        modifiers = [modifier.partition("[")[0] for modifier in modifiers]
    return opcode, tuple(["." + modifier for modifier in modifiers])


def types_last(modifiers: tuple[str, ...]) -> tuple[str, ...]:
    """Returns modifiers with the types at the end, where most opcodes have them.

    Otherwise, the order is kept. ptxas accepts modifiers in any order: `sub.s32.sat`.
    """
    types = database().type_facts
    if not modifiers or modifiers[-1] in types:
        return modifiers
    return tuple(sorted(modifiers, key=types.__contains__))


def written_type(modifiers: tuple[str, ...]) -> str:
    """Returns the last type among modifiers, which other modifiers may follow; "" for none."""
    types = database().type_facts
    return next((each for each in reversed(modifiers) if each in types), "")
