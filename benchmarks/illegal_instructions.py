"""CPU time of one error: many different illegal instructions of one opcode.

Errors cost what the linter does to say what is wrong and what would be legal, beyond finding that
something is wrong. The cost of the whole lint, parsing included, is printed next to it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence

from benchmarks.figures import Figure
from certify.mutations import Mutator
from certify.oracle import FOOTER, Configuration, header
from certify.reader import read_statement
from certify.record import DIRECTORY, read
from certify.statements import Statement
from ptx_ls import isa
from ptx_ls.lint import lint
from ptx_ls.syntax.document import Document

FAMILIES = ("add", "atom", "cp", "cvt", "ld", "mma", "multimem", "st", "tcgen05", "tex", "wgmma")
WHERE = Configuration("9.3", "sm_100a")
_COUNT = 1000
_SEED = 1
_GOAL_MS = 0.3
_CONTEXT = isa.Context(WHERE.number, (WHERE.target,))


def measure() -> Iterator[Figure]:
    """Yields two figures for each family: CPU time of an error, and of linting it."""
    for opcode in FAMILIES:
        statements = illegal(opcode, _COUNT)
        lint(Document(module([str(statement) for statement in statements[:50]])))
        explained = _seconds(isa.diagnose, statements) - _seconds(isa.is_legal, statements)
        before = time.process_time()
        n_found = len(lint(Document(module([str(statement) for statement in statements]))))
        spent = time.process_time() - before
        remark = f"{len(statements)} different instructions"
        yield Figure(f"{opcode}: saying why", _each(explained), "ms", _GOAL_MS, remark)
        yield Figure(f"{opcode}: linting it", _each(spent), "ms", None, f"{n_found} diagnostics")


def _each(seconds: float) -> float:
    return 1000 * seconds / _COUNT


def _seconds(judge: Callable[..., object], statements: Sequence[Statement]) -> float:
    """CPU time of judging all statements."""
    instruction = isa.database().instruction(statements[0].opcode)
    before = time.process_time()
    for statement in statements:
        judge(instruction, statement.modifiers, statement.values, _CONTEXT)
    return time.process_time() - before


def module(statements: list[str]) -> str:
    """A kernel of the statements, one on each line."""
    return f"{header(WHERE)}{chr(10).join(statements)}\n{FOOTER}"


def illegal(opcode: str, count: int) -> list[Statement]:
    """Different illegal instructions of an opcode: mutants of those that ptxas was asked about."""
    instruction = isa.database().instruction(opcode)
    assert instruction is not None  # noqa: S101  the families are those of the database
    mutator, dice = Mutator(instruction, _SEED), random.Random(_SEED)  # noqa: S311  nothing secret
    known = [read_statement(text) for _, _, text in read(DIRECTORY / f"{opcode}.tsv")]
    found: dict[str, Statement] = {}
    while len(found) < count:
        for mutant in mutator.mutations(dice.choice(known), 3):
            if not isa.is_legal(instruction, mutant.modifiers, mutant.values, _CONTEXT):
                found[str(mutant)] = mutant
    return list(found.values())[:count]
