"""Words of PTX for the highlighting of editors, from the instruction database."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ptx_ls.isa import database

_SHAPE: Final = re.compile(r"\.m\d+n\d+(k\d+)?")
"""Shapes of matrices: there are more than a hundred, so an editor has a rule for them."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words by their kind, each list sorted. The leading dot of words in PTX is omitted."""

    opcodes: tuple[str, ...]
    directives: tuple[str, ...]
    types: tuple[str, ...]
    spaces: tuple[str, ...]
    """State spaces and their parts: `shared`, `shared::cta`."""
    modifiers: tuple[str, ...]
    """Other words that may follow an opcode; shapes of matrices, `m16n8k8`, are omitted."""
    registers: tuple[str, ...]
    """Special registers, `%tid`; all of a family, `%envreg0` to `%envreg31`."""
    predefined: tuple[str, ...]
    targets: tuple[str, ...]


def vocabulary() -> Vocabulary:
    """The words of the newest PTX ISA."""
    data = database()
    types = set(data.types)
    spaces = set(data.state_spaces) | {
        part for space in data.state_spaces.values() for part in space.qualifiers
    }
    others = {word for word in modifiers() if not _SHAPE.fullmatch(word)}
    return Vocabulary(
        opcodes=tuple(sorted(data.keywords)),
        directives=_undotted({name for name in data.directives if name.startswith(".")}),
        types=_undotted(types),
        spaces=_undotted(spaces),
        modifiers=_undotted(others - types - spaces),
        registers=tuple(sorted(_registers())),
        predefined=tuple(sorted(name for name in data.predefined if name.strip("_"))),
        targets=tuple(sorted(data.targets)),
    )


def _undotted(words: set[str]) -> tuple[str, ...]:
    return tuple(sorted(word.removeprefix(".") for word in words))


def modifiers() -> set[str]:
    """Every modifier that a form of an instruction takes."""
    instructions = (database().instruction(opcode) for opcode in database().opcodes)
    return {
        value
        for instruction in instructions
        if instruction is not None
        for form in instruction.forms
        for slot in form.slots
        for value in slot.values
    }


def _registers() -> set[str]:
    names = set()
    for name, register in database().special_registers.items():
        names |= {f"{name}{number}" for number in range(register.count)} or {name}
    return names
