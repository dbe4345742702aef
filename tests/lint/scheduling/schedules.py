"""Runs a kernel with its threads in many orders, and collects what may come out."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.lint.scheduling.block import Block
from tests.lint.scheduling.memory import ViolationError
from tests.lint.scheduling.operands import WARP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.lint.scheduling.operands import Thread
    from tests.lint.scheduling.program import Program

_MAX_STEPS: Final = 400_000
_BURST: Final = 12
_ARRIVAL: Final = ".arrive"
_PATIENCE: Final = 400
"""Number of steps of each thread without any change after which a kernel hangs."""


class Outcome(NamedTuple):
    """The outcome of a run: `done`, `hang` or the violation.

    `stored`: what each thread has stored in global memory, and what copies have.
    """

    end: str
    stored: object


def _lockstep(ready: Sequence[Thread], chance: random.Random) -> list[Thread]:
    """Returns the threads of a warp that are at its first line: they run together."""
    warp = chance.choice(ready).number // WARP
    own = [each for each in ready if each.number // WARP == warp]
    first = min(each.row for each in own)
    return [each for each in own if each.row == first]


def _first_warp(ready: Sequence[Thread], _: random.Random) -> list[Thread]:
    own = [each for each in ready if each.number // WARP == ready[0].number // WARP]
    first = min(each.row for each in own)
    return [each for each in own if each.row == first]


def _last_warp(ready: Sequence[Thread], chance: random.Random) -> list[Thread]:
    return _first_warp(ready[::-1], chance)


def _one(ready: Sequence[Thread], chance: random.Random) -> list[Thread]:
    """Returns any thread: the threads of a warp run apart."""
    return [chance.choice(ready)]


_ORDERS: Final = (
    (_first_warp, False), (_last_warp, True), (_lockstep, False), (_lockstep, True), (_one, False),
)  # fmt: skip
"""Which threads run, and whether copies complete while threads run or only when all wait."""


def outcomes(program: Program) -> set[Outcome]:
    """Returns what a kernel may end with."""
    found = set[Outcome]()
    for number, (choose, is_early) in enumerate(_ORDERS):
        chance = random.Random(number)  # noqa: S311  a sample, no secret
        found.add(_run(program, choose, chance, is_early=is_early))
    return found


def _run(
    program: Program,
    choose: Callable[[Sequence[Thread], random.Random], list[Thread]],
    chance: random.Random,
    *,
    is_early: bool,
) -> Outcome:
    block = Block(program)
    end = "done"
    try:
        end = _finish(block, choose, chance, is_early=is_early)
    except ViolationError as violation:
        end = str(violation)
    if end != "done":
        return Outcome(end, None)
    stored = tuple(tuple(each.stored) for each in block.threads)
    return Outcome(end, (stored, frozenset(block.memory.copied.items())))


def _finish(
    block: Block,
    choose: Callable[[Sequence[Thread], random.Random], list[Thread]],
    chance: random.Random,
    *,
    is_early: bool,
) -> str:
    """Runs until all threads have left; returns `done`, or `hang`."""
    n_threads, copies = len(block.threads), block.memory.copies
    n_steps, last_change, last_seen = 0, 0, (0, 0)
    while n_steps - last_change <= _PATIENCE * n_threads and n_steps <= _MAX_STEPS:
        ready = [each for each in block.threads if each.is_ready]
        n_idle = n_steps - last_change
        if not ready and (all(each.is_done for each in block.threads) or not copies):
            return _end(block)
        if ready:
            # If those that are chosen only wait for others, these get their turn: warps as often as
            # threads, because a thread alone rarely gets to what all of its warp have to do.
            order = chance.choice((_one, _lockstep)) if n_idle > 4 * n_threads else choose
            n_steps += _burst(block, order(ready, chance))
        is_due = not ready or n_idle > 32 * n_threads or (is_early and chance.random() < 0.1)
        if copies and is_due:
            block.memory.complete(chance.choice(copies) if is_early else copies[-1])
        seen = block.memory.n_changes, block.n_events
        if seen != last_seen:
            last_seen, last_change = seen, n_steps
    return "hang" if n_steps <= _MAX_STEPS else "too many steps"


def _burst(block: Block, chosen: list[Thread]) -> int:
    """Lets threads that are at one line continue together; returns the number of steps.

    They stop after an arrival, so that others can continue before them.
    """
    n_steps = 0
    for _ in range(_BURST):
        row = chosen[0].row
        is_arrival = _ARRIVAL in block.program.statements[row].modifiers
        for each in chosen:
            block.step(each)
        n_steps += len(chosen)
        chosen = [each for each in chosen if each.is_ready and each.row >= row]
        if is_arrival or not chosen or len({each.row for each in chosen}) > 1:
            break
    return n_steps


def _end(block: Block) -> str:
    """Returns the outcome if no thread can continue."""
    if not all(each.is_done for each in block.threads):
        return "hang"
    is_lost = any(each.source[0] for each in block.memory.copies)
    return "a copy after the end" if is_lost else "done"
