"""The LLVM intrinsics that are compiled to an instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa.checking.verdict import Verdict
    from ptx_ls.isa.model import Instruction
    from ptx_ls.isa.nvvm import Intrinsic


def intrinsics_of(
    instruction: Instruction, verdict: Verdict, written: Mapping[str, str] | None = None
) -> tuple[Intrinsic, ...]:
    """Returns the intrinsics that are compiled to exactly this instruction, as `check` read it.

    `written`: the declared type, or "" if unknown, of each written operand, including second
    destinations, by its name in the form. Without it, neither types nor second destinations limit
    the result. Returns () if there is no such intrinsic, or if the modifiers fit no form.
    """
    if verdict.form is None:
        return ()
    row = verdict.form.row
    slots = row.slots[: row.n_modifier_slots]
    modifiers = [verdict.slots[slot.name] for slot in slots if slot.name in verdict.slots]
    specs = [spec for spec in verdict.operand_specs if spec is not None]
    operands = frozenset(spec.name for spec in specs)
    unknown = frozenset(spec.pair for spec in specs)
    if written is not None:
        typed = (f"{name}:{type_}" for name, type_ in written.items() if type_)
        operands, unknown = frozenset((*written, *typed)), frozenset()
    table = instruction.tables.nvvm
    return table.of_modifiers(instruction.opcode, modifiers, operands or None, unknown)
