"""Finds the forms that take the most of the given modifiers, with bit sets instead of a loop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ptx_ls.isa.model import Form, Instruction

MAX_MODIFIERS: Final = 32
"""Maximum number of modifiers for which single changes are tried; no instruction has that many."""


def forms_lacking(
    instruction: Instruction, modifiers: Iterable[str], most: int
) -> tuple[list[Form], ...]:
    """Returns the forms without a place for 0, 1, ... `most` modifiers, each in the data's order.

    The time does not depend on the number of forms: bit `n` of each set is form `n`.
    """
    lacking = [(1 << len(instruction.forms)) - 1, *[0] * most]
    for modifier in modifiers:
        takers = instruction.forms_with.get(modifier, 0)
        for count in range(most, 0, -1):
            lacking[count] = (lacking[count] & takers) | (lacking[count - 1] & ~takers)
        lacking[0] &= takers
        if not any(lacking):
            break
    return tuple([forms_of(instruction, found) for found in lacking])


def forms_of(instruction: Instruction, bits: int) -> list[Form]:
    """Returns the forms whose bits are set, in the data's order: bit `n` is form `n`."""
    found: list[Form] = []
    while bits:
        lowest = bits & -bits
        found.append(instruction.forms[lowest.bit_length() - 1])
        bits ^= lowest
    return found


def nearest_forms(instruction: Instruction, modifiers: tuple[str, ...]) -> list[Form]:
    """Returns the forms that lack a place for the fewest modifiers, or for one more than that.

    No form has a place for an unknown modifier, so only the first 32 known ones are considered.
    """
    known = [modifier for modifier in modifiers if modifier in instruction.known][:MAX_MODIFIERS]
    by_count = forms_lacking(instruction, known, len(known))
    fewest = next(count for count, forms in enumerate(by_count) if forms)
    return [form for forms in by_count[fewest : fewest + 2] for form in forms]
