"""Measures the CPU time of an error, with many different illegal instructions of one opcode.

One figure is the time to find out what is wrong and what would be legal, beyond finding that
something is wrong. The other is the time of an illegal line in a lint beyond that of a legal line
of its opcode, each read for the first time. Garbage collection is off, as in `ptx-ls lint`.
"""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from benchmarks.figures import Figure
from certify.judging import context_of
from certify.mutations import Mutator
from certify.oracle import FOOTER, Configuration, header
from certify.reader import read_statement
from certify.record import DIRECTORY, read
from certify.statements import Statement
from ptx_ls import isa
from ptx_ls.document.document import Document
from ptx_ls.isa import Instruction
from ptx_ls.lint import lint

FAMILIES = ("add", "atom", "cp", "cvt", "ld", "mma", "multimem", "st", "tcgen05", "tex", "wgmma")
_NEWEST = Configuration("9.3", "sm_100a")
_WHERE = {"wgmma": Configuration("9.3", "sm_90a")}
"""The version and target for families that the newest targets do not have."""
_COUNT = 4000
_WARM = 50
"""Instructions that are judged before the measurement, so that one-time costs do not count."""
_MAX_ROUNDS = 3 * _COUNT
"""Statements to mutate at most: few opcodes have 4,000 different legal instructions."""
_SEED = 1
_GOAL_MS = 0.3


def measure() -> Iterator[Figure]:
    """Yields two figures for each family: CPU time of an explanation, and of an error in a lint."""
    for opcode in FAMILIES:
        wrong, right = instructions(opcode, _COUNT + _WARM)
        _lint(opcode, wrong[_COUNT:])
        _lint(opcode, right[:_WARM])
        wrong = wrong[:_COUNT]
        explained = _judge(isa.diagnose, wrong) - _judge(isa.is_legal, wrong)
        yield Figure(
            f"{opcode}: explanation",
            explained / len(wrong),
            "ms",
            _GOAL_MS,
            f"{len(wrong)} instructions",
        )
        nothing, _ = _lint(opcode, ())
        spent, n_found = _lint(opcode, wrong)
        each = (spent - nothing) / len(wrong)
        needed = (_lint(opcode, right)[0] - nothing) / len(right)
        remark = f"{each:.2f} of all, {needed:.2f} of a legal line ({len(right)})"
        remark += f"; {n_found} diagnostics"
        yield Figure(f"{opcode}: an error in a lint", each - needed, "ms", _GOAL_MS, remark)


def where(opcode: str) -> Configuration:
    """Returns the version and target under which the instructions of an opcode are judged."""
    return _WHERE.get(opcode, _NEWEST)


def _judge(judge: Callable[..., object], statements: Sequence[Statement]) -> float:
    """Returns the CPU time of judging all statements, in ms."""
    opcode = statements[0].opcode
    instruction, context = _instruction(opcode), context_of(where(opcode))
    with _no_collections():
        before = time.process_time()
        for statement in statements:
            judge(instruction, statement.modifiers, statement.values, context)
        return 1000 * (time.process_time() - before)


def _lint(opcode: str, statements: Sequence[Statement]) -> tuple[float, int]:
    """Returns the CPU time of linting statements in a kernel, in ms, and how many diagnostics."""
    text = module(opcode, [str(statement) for statement in statements])
    with _no_collections():
        before = time.process_time()
        n_found = len(lint(Document.read(text)))
        return 1000 * (time.process_time() - before), n_found


@contextmanager
def _no_collections() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def module(opcode: str, statements: list[str]) -> str:
    """Returns a kernel with statements of an opcode, one per line."""
    return f"{header(where(opcode))}{chr(10).join(statements)}\n{FOOTER}"


def instructions(opcode: str, count: int) -> tuple[list[Statement], list[Statement]]:
    """Returns different illegal and legal instructions of an opcode, up to so many of each.

    They are those with a recorded verdict of ptxas, and mutants of them.
    """
    instruction, context = _instruction(opcode), context_of(where(opcode))
    mutator, dice = Mutator(instruction, _SEED), random.Random(_SEED)  # noqa: S311  nothing secret
    known = [read_statement(text) for _, _, text in read(DIRECTORY / f"{opcode}.tsv")]
    found: dict[bool, dict[str, Statement]] = {False: {}, True: {}}
    for _ in range(_MAX_ROUNDS):
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
