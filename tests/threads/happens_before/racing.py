"""Executes a kernel thread by thread, and finds accesses that nothing orders, by comparing all."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.values.machine import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.values.machine import MachineStatement

_WARP: Final = 32
_ADDRESS: Final = re.compile(r"\[(%r\d+|sm)(?:\+(\d+))?\]").fullmatch
_BASE: Final = 4096
_MAX_STEPS: Final = 2_000
_COMPUTED: Final[dict[object, int]] = {}


class SeenAccess(NamedTuple):
    """A word that a thread accessed, and how many barriers it had passed by then."""

    thread: int
    row: int
    word: int
    is_write: bool
    n_barriers: int
    n_warp_barriers: int


class SeenRace(NamedTuple):
    """Two accesses of different threads to one word that no barrier separates."""

    first: SeenAccess
    second: SeenAccess


class _RecordingThread(Machine):
    """A thread that records its accesses to shared memory."""

    def __init__(self, lines: Sequence[str], thread: int) -> None:
        super().__init__(lines, {"%tid.x": thread, "sm": _BASE})
        self._thread = thread
        self.seen: list[SeenAccess] = []
        self._row = self._n_barriers = self._n_warp_barriers = 0

    def record(self) -> list[SeenAccess]:
        """Runs the kernel, and returns the accesses."""
        first = next(row for row, line in enumerate(self._lines) if line.startswith("mov"))
        assert self.run(first, self._before, lambda _: None, _MAX_STEPS)
        return self.seen

    def _before(self, row: int, _: bool) -> None:  # noqa: FBT001  as `run` calls it
        self._row = row

    def _execute(self, statement: MachineStatement) -> None:
        if statement.opcode == "bar":
            is_warp = ".warp" in statement.modifiers
            self._n_warp_barriers += is_warp
            self._n_barriers += not is_warp
        elif ".shared" in statement.modifiers:
            is_write = statement.opcode == "st"
            match = _ADDRESS(statement.operands[0 if is_write else 1])
            assert match is not None
            address = self.bits[match[1]] + int(match[2] or 0)
            access = SeenAccess(
                self._thread,
                self._row,
                (address - _BASE & 0xFFFFFFFF) // 4,
                is_write,
                self._n_barriers,
                self._n_warp_barriers,
            )
            self.seen.append(access)
            if not is_write:
                self.bits[statement.operands[0]] = 0
        else:
            self._compute(statement)

    def _compute(self, statement: MachineStatement) -> None:
        """Executes an instruction on registers; other threads often have the same values."""
        target, *sources = statement.operands
        key = statement, tuple(self.bits.get(each.lstrip("!")) for each in sources)
        if key not in _COMPUTED:
            super()._execute(statement)
            _COMPUTED[key] = self.bits[target]
        self.bits[target] = _COMPUTED[key]


def races(lines: Sequence[str], n_threads: int) -> Iterator[SeenRace]:
    """Yields the pairs of a read and a write that different threads may run in either order."""
    by_word: dict[tuple[int, int], list[SeenAccess]] = {}
    for thread in range(n_threads):
        for each in _RecordingThread(lines, thread).record():
            by_word.setdefault((each.word, each.n_barriers), []).append(each)
    for found in by_word.values():
        for one, other in combinations(found, 2):
            is_same_warp = one.thread // _WARP == other.thread // _WARP
            is_ordered = is_same_warp and one.n_warp_barriers != other.n_warp_barriers
            if one.thread != other.thread and one.is_write != other.is_write and not is_ordered:
                yield SeenRace(one, other)
