"""The modifiers that may follow those typed so far, compared with every legal instruction."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

import pytest

from ptx_ls import isa

CONTEXTS = [
    isa.Context((6, 0), ("sm_30",)),
    isa.Context((7, 0), ("sm_75",)),
    isa.Context((8, 5), ("sm_90",)),
    isa.Context((8, 8), ("sm_100a",)),
]
PASSED_OVER = (
    isa.ViolationKind.MODIFIER_ORDER,
    isa.ViolationKind.ILLEGAL_MODIFIER,
    isa.ViolationKind.MISSING_MODIFIER,
    isa.ViolationKind.UNKNOWN_MODIFIER,
    isa.ViolationKind.DUPLICATE_MODIFIER,
)
OPCODES = (
    "add barrier cvta fence isspacep ldmatrix lop3 mbarrier mul redux ret setp shfl tanh vote"
).split()


def check_choices(opcode: str, context: isa.Context) -> None:
    """The choices after every beginning of a legal instruction are exactly its continuations."""
    instruction = isa.database().instruction(opcode)
    assert instruction is not None
    following: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for modifiers in all_modifiers(instruction):
        if is_accepted(instruction, modifiers, context):
            for count, modifier in enumerate(modifiers):
                following[modifiers[:count]].add(modifier)
    for typed, expected in following.items():
        choices = isa.next_modifiers(instruction, typed, context)
        offered = {each.modifier for each in choices if each.is_legal and each.is_canonical}
        assert offered == expected, (opcode, typed)


def all_modifiers(instruction: isa.Instruction) -> set[tuple[str, ...]]:
    found = set()
    for form in instruction.forms:
        values = [(*slot.values, *([""] if slot.optional else [])) for slot in form.slots]
        found |= {tuple(filter(None, each)) for each in product(*values)}
    return found


def is_accepted(
    instruction: isa.Instruction, modifiers: tuple[str, ...], context: isa.Context
) -> bool:
    counts = {len(form.operands) for form in instruction.forms}
    counts |= {sum(not row.optional for row in form.operands) for form in instruction.forms}
    unknown = isa.Operand(isa.OperandKind.UNKNOWN)
    verdicts = (isa.check(instruction, modifiers, [unknown] * n, context) for n in counts)
    return any(
        verdict.is_accepted and not any(it.kind in PASSED_OVER for it in verdict.violations)
        for verdict in verdicts
    )


@pytest.mark.slow
@pytest.mark.parametrize("context", CONTEXTS, ids=lambda context: context.target[0])
@pytest.mark.parametrize("opcode", OPCODES)
def test_choices_are_what_some_legal_instruction_has(opcode: str, context: isa.Context) -> None:
    check_choices(opcode, context)
