"""CPU time of one error: many different illegal instructions of one opcode.

An error costs what the linter does to say what is wrong and what would be legal, beyond finding
that something is wrong; and in a whole lint, what such a line costs beyond a legal one of its
opcode, both met for the first time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks.figures import Figure
from certify.judging import context_of
from certify.mutations import Mutator
from certify.oracle import FOOTER, Configuration, header
from certify.reader import read_statement
from certify.record import DIRECTORY, read
from certify.statements import Statement
from ptx_ls import isa
from ptx_ls.isa import Instruction
from ptx_ls.lint import lint
from ptx_ls.syntax.document import Document

FAMILIES = ("add", "atom", "cp", "cvt", "ld", "mma", "multimem", "st", "tcgen05", "tex", "wgmma")
_NEWEST = Configuration("9.3", "sm_100a")
_WHERE = {"wgmma": Configuration("9.3", "sm_90a")}
"""Where families are legal that the newest targets do not have."""
_COUNT = 1000
_WARM = 50
"""Instructions that are judged before time is taken: what happens once only."""
_SEED = 1
_GOAL_MS = 0.3


def measure() -> Iterator[Figure]:
    """Yields two figures for each family: CPU time of saying why, and of an error in a lint."""
    for opcode in FAMILIES:
        wrong, right = illegal(opcode, _COUNT + _WARM), legal(opcode)
        _lint(opcode, wrong[_COUNT:])
        _lint(opcode, right)
        wrong = wrong[:_COUNT]
        explained = _judge(isa.diagnose, wrong) - _judge(isa.is_legal, wrong)
        yield Figure(
            f"{opcode}: saying why", explained / _COUNT, "ms", _GOAL_MS, f"{_COUNT} instructions"
        )
        nothing, _ = _lint(opcode, ())
        spent, n_found = _lint(opcode, wrong)
        each = (spent - nothing) / _COUNT
        needed = (_lint(opcode, right)[0] - nothing) / len(right)
        remark = f"{each:.2f} of all, {needed:.2f} of a legal line; {n_found} diagnostics"
        yield Figure(f"{opcode}: an error in a lint", each - needed, "ms", _GOAL_MS, remark)


def where(opcode: str) -> Configuration:
    """The version and target that the instructions of an opcode are judged under."""
    return _WHERE.get(opcode, _NEWEST)


def _judge(judge: Callable[..., object], statements: Sequence[Statement]) -> float:
    """CPU time of judging all statements, in ms."""
    opcode = statements[0].opcode
    instruction, context = _instruction(opcode), context_of(where(opcode))
    before = time.process_time()
    for statement in statements:
        judge(instruction, statement.modifiers, statement.values, context)
    return 1000 * (time.process_time() - before)


def _lint(opcode: str, statements: Sequence[Statement]) -> tuple[float, int]:
    """CPU time of reading and checking statements in a kernel, in ms, and how many findings."""
    text = module(opcode, [str(statement) for statement in statements])
    before = time.process_time()
    n_found = len(lint(Document(text)))
    return 1000 * (time.process_time() - before), n_found


def module(opcode: str, statements: list[str]) -> str:
    """A kernel of statements of an opcode, one on each line."""
    return f"{header(where(opcode))}{chr(10).join(statements)}\n{FOOTER}"


def legal(opcode: str) -> list[Statement]:
    """The different legal instructions of an opcode that ptxas was asked about."""
    instruction, context = _instruction(opcode), context_of(where(opcode))
    known = {text: read_statement(text) for _, _, text in read(DIRECTORY / f"{opcode}.tsv")}
    return [
        statement
        for statement in known.values()
        if isa.is_legal(instruction, statement.modifiers, statement.values, context)
    ]


def illegal(opcode: str, count: int) -> list[Statement]:
    """Different illegal instructions of an opcode: mutants of those that ptxas was asked about."""
    instruction, context = _instruction(opcode), context_of(where(opcode))
    mutator, dice = Mutator(instruction, _SEED), random.Random(_SEED)  # noqa: S311  nothing secret
    known = [read_statement(text) for _, _, text in read(DIRECTORY / f"{opcode}.tsv")]
    found: dict[str, Statement] = {}
    while len(found) < count:
        for mutant in mutator.mutations(dice.choice(known), 3):
            if not isa.is_legal(instruction, mutant.modifiers, mutant.values, context):
                found[str(mutant)] = mutant
    return list(found.values())[:count]


def _instruction(opcode: str) -> Instruction:
    found = isa.database().instruction(opcode)
    assert found is not None  # noqa: S101  the families are those of the database
    return found
