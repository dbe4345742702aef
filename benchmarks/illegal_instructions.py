"""Writes kernels with many different illegal, or legal, instructions of one opcode."""

from __future__ import annotations

import random

from certify.judging import context_of
from certify.mutations import Mutator
from certify.oracle import FOOTER, Configuration, header
from certify.reader import read_statement
from certify.record import DIRECTORY, read
from certify.statements import Statement
from ptx_ls import isa
from ptx_ls.isa import Instruction

OPCODES = tuple(sorted(path.stem for path in DIRECTORY.glob("*.tsv")))
_NEWEST = Configuration("9.5", "sm_107a")
_WHERE = {"wgmma": Configuration("9.5", "sm_90a")}
"""The version and target for opcodes that the newest targets do not have."""
_N_ROUNDS_EACH = 3
"""Statements to mutate at most, per instruction: few opcodes have very many legal ones."""
_SEED = 1


def where(opcode: str) -> Configuration:
    """Returns the version and target under which the instructions of an opcode are judged."""
    return _WHERE.get(opcode, _NEWEST)


def module(opcode: str, statements: list[str]) -> str:
    """Returns a kernel with statements of an opcode, one per line."""
    return f"{header(where(opcode))}{chr(10).join(statements)}\n{FOOTER}"


def instructions(opcode: str, count: int) -> tuple[list[Statement], list[Statement]]:
    """Returns illegal and legal instructions of an opcode, all different, with a limit for each.

    They are those with a recorded verdict of ptxas, and mutants of them.
    """
    instruction, context = _instruction(opcode), context_of(where(opcode))
    mutator, dice = Mutator(instruction, _SEED), random.Random(_SEED)  # noqa: S311  nothing secret
    known = [read_statement(text) for _, _, text in read(DIRECTORY / f"{opcode}.tsv")]
    found: dict[bool, dict[str, Statement]] = {False: {}, True: {}}
    for _ in range(_N_ROUNDS_EACH * count):
        if min(map(len, found.values())) >= count:
            break
        base = dice.choice(known)
        for one in (base, *mutator.mutations(base, 3)):
            is_legal = isa.is_legal(instruction, one.modifiers, one.values, context)
            found[is_legal][str(one)] = one
    wrong, right = (list(found[is_legal].values()) for is_legal in (False, True))
    dice.shuffle(wrong)
    dice.shuffle(right)
    return wrong[:count], right[:count]


def _instruction(opcode: str) -> Instruction:
    found = isa.database().instruction(opcode)
    assert found is not None  # noqa: S101  the families are those of the database
    return found
