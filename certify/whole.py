"""The whole run: every opcode, then the whole grid, in several processes."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from certify import workers
from certify.gates import where_asked
from certify.grid import columns
from certify.oracle import Configuration
from certify.reference import measure_reference
from certify.tally import Measure
from certify.workers import Budget, ColumnResult, Gated, OpcodeResult
from ptx_ls import isa

Result = TypeVar("Result")
_CELL_POOL = 2000
"""Cells of an opcode among which those to be recorded are chosen."""


@dataclass
class WholeResult:
    """The results of a whole run."""

    opcodes: dict[str, OpcodeResult] = field(default_factory=dict)
    gates: dict[str, Measure] = field(default_factory=dict)
    cells: dict[str, list[tuple[str, str, bool]]] = field(default_factory=dict)
    """Some cells of the grid, to be recorded."""
    reference: list[Measure] = field(default_factory=list)
    """Special registers, directives and pragmas, in whole modules."""
    invalid_columns: list[Configuration] = field(default_factory=list)
    """Versions and targets that go together by the database but not by ptxas."""
    n_columns: int = 0
    seconds: float = 0.0


def run(
    database: isa.Database, program: Path, budget: Budget, jobs: int, names: Iterable[str] = ()
) -> WholeResult:
    """Certifies the named opcodes, or everything. Tells its progress on stderr."""
    started = time.monotonic()
    result = WholeResult()
    wanted = sorted(names or database.opcodes, key=lambda name: -_size(database, name))
    with _pool(jobs, program) as pool:
        modules = [] if names else [pool.submit(measure_reference, program, budget.seed, full=True)]
        tasks = [pool.submit(workers.run_opcode, opcode, budget) for opcode in wanted]
        for done in _progress("opcode", tasks, lambda found: found.opcode):
            result.opcodes[done.opcode] = done
        for measures in _progress("modules", modules, lambda _: ""):
            result.reference += measures
    gated = [(opcode, result.opcodes[opcode].gated) for opcode in sorted(result.opcodes)]
    result.gates = {opcode: Measure("gates") for opcode, _ in gated}
    result.cells = {opcode: [] for opcode, _ in gated}
    grid = list(columns(database))
    chance = random.Random(budget.seed)  # noqa: S311  not for secrets
    with _pool(jobs, program, gated) as pool:
        columns_ = [pool.submit(workers.run_column, configuration) for configuration in grid]
        for column in _progress("column", columns_, lambda found: str(found.configuration)):
            _take(result, column, len(grid), chance)
    result.n_columns = len(grid)
    result.seconds = time.monotonic() - started
    return result


def _size(database: isa.Database, opcode: str) -> int:
    instruction = database.instruction(opcode)
    return len(instruction.forms) if instruction else 0


@contextmanager
def _pool(jobs: int, program: Path, gated: Gated = ()) -> Iterator[ProcessPoolExecutor]:
    pool = ProcessPoolExecutor(jobs, initializer=workers.start, initargs=(program, gated))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _take(result: WholeResult, column: ColumnResult, n_columns: int, chance: random.Random) -> None:
    if not column.is_valid:
        result.invalid_columns.append(column.configuration)
        return
    for opcode, measure in column.measures.items():
        result.gates[opcode].add(measure)
        statements = result.opcodes[opcode].gated
        some = min(len(statements), 1 + _CELL_POOL // n_columns)
        for index in chance.sample(range(len(statements)), some):
            text = str(statements[index][0])
            is_accepted = bool(column.accepted[opcode][index])
            where = where_asked(statements[index], column.configuration)
            result.cells[opcode].append((str(where), text, is_accepted))


def _progress(
    what: str, tasks: list[Future[Result]], name: Callable[[Result], str]
) -> Iterator[Result]:
    """The results as they come, with a line on stderr."""
    left = set(tasks)
    is_terminal = sys.stderr.isatty()
    shown = 0
    while left:
        finished, left = wait(left, return_when=FIRST_COMPLETED)
        for task in finished:
            found = task.result()
            yield found
            n_done = len(tasks) - len(left)
            line = f"{what} {n_done} of {len(tasks)}: {name(found)}"
            if is_terminal:
                print(f"\r{line:<60}", end="", file=sys.stderr, flush=True)
            elif n_done * 10 // len(tasks) > shown:
                shown = n_done * 10 // len(tasks)
                print(line, file=sys.stderr, flush=True)
    if is_terminal:
        print(f"\r{'':<60}\r", end="", file=sys.stderr, flush=True)


def default_jobs() -> int:
    """As many processes as this machine has processors."""
    return os.cpu_count() or 1
