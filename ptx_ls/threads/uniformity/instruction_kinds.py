"""Tells instructions that compute their results from their operands alone from others."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.syntax.operands import OperandForm
from ptx_ls.threads.uniformity.levels import ALL_LANES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction, Decoder

_HARMLESS: Final = frozenset({"writes carry"})


@lru_cache(maxsize=1 << 9)
def is_function(opcode: str) -> bool:
    """Whether the results of an instruction follow from its operands in the same thread."""
    instruction = isa.database().instruction(opcode)
    return instruction is not None and all(
        _HARMLESS.issuperset(instruction.effects(form)) and not instruction.convergence(form)
        for form in instruction.forms
    )


def operation(instruction: DecodedInstruction) -> str:
    """Returns the opcode, with its first modifier if that names the operation: `elect.sync`."""
    is_named = instruction.modifiers and _has_operations(instruction.name)
    return instruction.name + instruction.modifiers[0] if is_named else instruction.name


@lru_cache(maxsize=1 << 9)
def _has_operations(opcode: str) -> bool:
    """Whether each form of an opcode needs a first modifier that is not a type or a space."""
    database = isa.database()
    instruction = database.instruction(opcode)
    firsts = [] if instruction is None else [form.row.slots[:1] for form in instruction.forms]
    return bool(firsts) and all(
        first
        and not first[0].optional
        and not any(
            value in database.type_facts or value in database.state_spaces
            for value in first[0].values
        )
        for first in firsts
    )


def special_names(instruction: DecodedInstruction) -> list[str]:
    """Returns the special registers, and other names with a percent sign, in the operands."""
    return [name for each in instruction.operands for name in _names(each)]


def _names(operand: OperandSyntax) -> Iterator[str]:
    if operand.elements:
        for each in operand.elements:
            yield from _names(each)
    elif operand.form is OperandForm.IDENTIFIER:
        name = operand.text.lstrip("!- \t").partition("+")[0].strip()
        if name.startswith("%"):
            yield name


def is_whole_warp(instruction: DecodedInstruction, number: int, decoder: Decoder) -> bool:
    """Whether the mask in a source operand of an instruction names all lanes of the warp."""
    sources = instruction.sources
    mask = decoder.number(instruction, sources[number]) if number < len(sources) else None
    return mask is not None and mask & ALL_LANES == ALL_LANES
