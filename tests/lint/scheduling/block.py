"""Runs the threads of a block: each may be blocked until others or copies have come so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.lint.scheduling.accesses import UPDATES, Accesses, elements
from tests.lint.scheduling.arithmetic import compute
from tests.lint.scheduling.memory import ViolationError
from tests.lint.scheduling.operands import WARP
from tests.lint.scheduling.program import NotRunnableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.lint.scheduling.operands import Thread
    from tests.lint.scheduling.program import Program, Statement

_ALL: Final = 0xFFFFFFFF
_NOTHING: Final = 0xDEAD0000
"""The value that a shuffle reads from an absent lane, plus a random number."""
_COLLECTIVE: Final = frozenset(
    {"shfl", "vote", "bar", "redux", "elect", "match", "ldmatrix", "stmatrix", "mma", "activemask"}
)
_MASKS: Final = {"shfl": -1, "vote": -1, "bar": 0, "redux": -1, "elect": -1}


class Block(Accesses):
    """The first block of a launch."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.n_events = 0
        self._early: dict[int, int] = {}

    def step(self, thread: Thread) -> None:
        """Lets a thread execute one instruction, or wait for others."""
        rows = self.program.statements
        if thread.row >= len(rows):
            self._leave(thread)
            return
        statement = rows[thread.row]
        if statement.guard and bool(thread.bits.get(statement.guard, 0)) == statement.is_negated:
            thread.row += 1
            return
        opcode = statement.opcode
        if opcode in ("ret", "exit"):
            self._leave(thread)
        elif opcode == "trap":
            raise NotRunnableError(opcode)
        elif opcode == "bra":
            thread.row = self.program.labels[statement.operands[0]]
        elif opcode in _COLLECTIVE and not (
            "warp" not in str(statement.modifiers) and opcode == "bar"
        ):
            self._join(thread, statement)
        elif opcode in ("bar", "barrier"):
            self._arrive(thread, statement)
        else:
            handler = getattr(self, f"_do_{opcode}", None)
            if handler is None:
                self.write(thread, statement.operands[0], compute(statement, self.reader(thread)))
            else:
                handler(thread, statement)
            thread.row += 1

    def _leave(self, thread: Thread) -> None:
        thread.is_done = True
        self.n_events += 1
        for other in self.threads:
            if other.waiting is not None:
                self._try(other)

    def _arrive(self, thread: Thread, statement: Statement) -> None:
        modifiers = statement.modifiers
        if ".red" in modifiers:
            raise NotRunnableError("bar.red")
        number = self.value(thread, statement.operands[0], 32)
        count = self.value(thread, statement.operands[1], 32) if statement.operands[1:] else 0
        is_aligned = statement.opcode == "bar" or ".aligned" in modifiers
        is_arrival = ".arrive" in modifiers
        self.n_events += 1
        thread.waiting = ("bar", number, count, is_aligned, thread.row, is_arrival)
        self._try(thread)

    def _try(self, thread: Thread) -> None:
        """Lets a thread and those that it waits for continue, if all have arrived."""
        waiting = thread.waiting
        if waiting is None:
            return
        if waiting[0] == "bar":
            self._try_barrier(int(str(waiting[1])))
        else:
            self._try_warp(thread)

    def _try_barrier(self, number: int) -> None:
        arrived: list[Thread] = []
        live = 0
        for first in range(0, len(self.threads), WARP):
            warp = [each for each in self.threads[first : first + WARP] if not each.is_done]
            live += len(warp)
            here = [it for it in warp if it.waiting and it.waiting[:2] == ("bar", number)]
            is_aligned = any(it.waiting and it.waiting[3] for it in here)
            rows = {it.waiting[4] for it in here if it.waiting}
            if is_aligned and (len(here) < len(warp) or len(rows) > 1):
                continue
            arrived += here
        early = self._early.get(number, 0)
        counts = {int(str(it.waiting[2])) for it in arrived if it.waiting}
        if len(counts) != 1:
            return
        (count,) = counts
        for each in arrived:
            if each.waiting and each.waiting[5]:
                early += 1
                each.waiting = None
                each.row += 1
        self._early[number] = early
        waiting = [each for each in arrived if each.waiting]
        n_arrived = len(waiting) + early
        if n_arrived > 0 and n_arrived >= (count or live):
            if count and n_arrived > count:
                raise ViolationError("more threads than a barrier waits for")
            self._early[number] = 0
            self.n_events += 1
            for each in waiting:
                each.waiting = None
                each.row += 1

    def _join(self, thread: Thread, statement: Statement) -> None:
        if statement.opcode not in ("shfl", "vote", "bar", "redux", "elect", "ldmatrix"):
            raise NotRunnableError(statement.opcode)
        place = _MASKS.get(statement.opcode)
        mask = _ALL if place is None else self.value(thread, statement.operands[place], 32)
        if not mask >> thread.number % WARP & 1:
            raise ViolationError("a mask without the own lane")
        self.n_events += 1
        thread.waiting = ("warp", mask, thread.row)
        self._try(thread)

    def _try_warp(self, thread: Thread) -> None:
        assert thread.waiting is not None
        mask = int(str(thread.waiting[1]))
        first = thread.number // WARP * WARP
        named = [
            each
            for each in self.threads[first : first + WARP]
            if mask >> each.number % WARP & 1 and not each.is_done
        ]
        if all(each.waiting == thread.waiting for each in named):
            self._together(named, self.program.statements[thread.row])
            self.n_events += 1
            for each in named:
                each.waiting = None
                each.row += 1

    def _together(self, threads: Sequence[Thread], statement: Statement) -> None:
        lanes = {each.number % WARP: each for each in threads}
        if statement.opcode == "shfl":
            self._shuffle(lanes, statement)
        elif statement.opcode == "vote":
            self._vote(lanes, statement)
        elif statement.opcode == "redux":
            self._reduce(threads, statement)
        elif statement.opcode == "elect":
            for lane, each in lanes.items():
                predicate = statement.operands[0].partition("|")[2].strip()
                self.write(each, predicate, int(lane == min(lanes)))
        elif statement.opcode == "ldmatrix":
            self._load_matrix(lanes, statement)

    def _vote(self, lanes: dict[int, Thread], statement: Statement) -> None:
        chosen = {lane: self.value(it, statement.operands[1], 1) for lane, it in lanes.items()}
        ballot = sum(1 << lane for lane, each in chosen.items() if each)
        kinds = {".ballot": ballot, ".any": int(ballot > 0), ".all": int(all(chosen.values()))}
        kind = next((it for it in statement.modifiers if it in kinds), "")
        if not kind:
            raise NotRunnableError("vote.uni")
        for each in lanes.values():
            self.write(each, statement.operands[0], kinds[kind])

    def _reduce(self, threads: Sequence[Thread], statement: Statement) -> None:
        values = [self.value(each, statement.operands[1], 32) for each in threads]
        action = next(it for it in statement.modifiers if it in UPDATES)
        total = values[0]
        for value in values[1:]:
            total = UPDATES[action](total, value)
        for each in threads:
            self.write(each, statement.operands[0], total)

    def _load_matrix(self, lanes: dict[int, Thread], statement: Statement) -> None:
        named = (self.address(each, statement.operands[1]) for each in lanes.values())
        rows = [each & 0xFFFFFF for each in named]
        for lane, each in lanes.items():
            for number, register in enumerate(elements(statement.operands[0])):
                start = rows[(number * 8 + lane // 4) % len(rows)] + lane % 4 * 4
                self.write(each, register, self.memory.load((True, start), 4))

    def _shuffle(self, lanes: dict[int, Thread], statement: Statement) -> None:
        target, source, lane_text, limits, _ = statement.operands
        values = {lane: self.value(each, source, 32) for lane, each in lanes.items()}
        results = dict[int, tuple[int, bool]]()
        for lane, each in lanes.items():
            b, c = self.value(each, lane_text, 32) & 31, self.value(each, limits, 32)
            clamp, segment = c & 31, c >> 8 & 31
            most, least = lane & segment | clamp & ~segment & 31, lane & segment
            mode = statement.modifiers[1]
            other = {
                ".up": lane - b, ".down": lane + b, ".bfly": lane ^ b,
                ".idx": least | b & ~segment & 31,
            }[mode]  # fmt: skip
            is_inside = other >= most if mode == ".up" else other <= most
            results[lane] = (other if is_inside else lane, is_inside)
        for lane, (other, is_inside) in results.items():
            each = lanes[lane]
            self.write(each, target, values.get(other, _NOTHING + self.n_events % 7))
            if "|" in target:
                self.write(each, target.partition("|")[2].strip(), int(is_inside))
