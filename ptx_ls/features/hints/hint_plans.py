"""What an instruction of some shape may be hinted at for: most are not, whatever their numbers."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls import isa
from ptx_ls.features.hover.operand_facts import operand_names
from ptx_ls.features.operand_traits import class_of_type, traits_of
from ptx_ls.features.tokens.token_kinds import TokenTrait
from ptx_ls.syntax.names import NOT_IN_NAME
from ptx_ls.syntax.normalize import canonical_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.symbols import Facts
    from ptx_ls.syntax.record import Shape

hides_number: Final = re.compile(rf"{NOT_IN_NAME}0\w", re.ASCII).search
"""Finds how numbers begin that are not written in decimal, in a statement without an error."""


class HintPlan(NamedTuple):
    """What there may be to say of a shape: of special registers, of operands, of results.

    `written`: canonical names of the registers that it writes.
    """

    has_special: bool
    has_operand_names: bool
    written: tuple[str, ...]


@lru_cache(maxsize=1 << 13)
def hint_plan(shape: Shape, context: Context) -> HintPlan:
    """What there may be to say of instructions of that shape."""
    traits = [each.always for each in traits_of(shape, context).names]
    named = zip([each.name for each in shape.identifiers], traits, strict=False)
    uses = [(canonical_word(name), always) for name, always in dict.fromkeys(named)]
    written = tuple([name for name, always in uses if always & TokenTrait.WRITTEN])
    has_special = not _cuda_registers().isdisjoint([name for name, _ in uses])
    return HintPlan(has_special, any(operand_names(shape, context)), written)


@cache
def _cuda_registers() -> frozenset[str]:
    """Canonical names of the special registers that CUDA has names for."""
    found = isa.database().special_registers.items()
    return frozenset([canonical_word(name) for name, register in found if register.cuda])


def tells_types(plan: HintPlan, shape: Shape, banks: Mapping[str, Facts]) -> bool:
    """Whether an opcode says as much of its results as their declarations, which are of banks."""
    for name in plan.written:
        facts = banks.get(name)
        if facts is None or not is_told(facts.type, shape.opcode):
            return False
    return True


@lru_cache(maxsize=1 << 13)
def is_told(declared: str, opcode: str) -> bool:
    """Whether an opcode with its modifiers tells as much as the type of a register."""
    return any(_is_like(declared, used) for used in set(isa.split_modifiers(opcode)[1]))


def _is_like(declared: str, used: str) -> bool:
    """Whether a type in the opcode tells as much as the declared one: as wide, a float if it is."""
    if declared == used:
        return True
    facts = isa.database().type_facts
    if declared not in facts or used not in facts or facts[declared][0] != facts[used][0]:
        return False
    is_float = class_of_type(declared) is TokenTrait.FLOAT
    return not is_float or class_of_type(used) is TokenTrait.FLOAT
