"""Executes kernels for all threads of a grid in lockstep.

Threads that a branch divides run one part after the other, and meet again at its post-dominator,
which is computed here from the lines alone.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import networkx as nx

from tests.values.machine import Machine, MachineStatement, decoded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LANES: Final = 32
_EXITS: Final = ("ret", "exit")


@dataclass
class Part:
    """Threads that run together until they reach the row `meeting`."""

    meeting: int
    row: int
    members: set[int]


class GridMachine:
    """The threads of a grid, with the lines of the kernel that they execute.

    Attributes:
        threads: one machine for each thread, block after block.
        n_threads: the number of threads of a block.
        alive: the numbers of the threads that have not exited.
    """

    def __init__(
        self,
        lines: Sequence[str],
        shape: tuple[int, int, int],
        n_blocks: int,
        bits: Mapping[str, int],
        memory: Callable[[int], int],
    ) -> None:
        self._lines = [line.strip() for line in lines]
        self._memory = memory
        self.n_threads = math.prod(shape)
        self.threads: list[Machine] = []
        for block in range(n_blocks):
            for number in range(self.n_threads):
                x, rest = number % shape[0], number // shape[0]
                own = {
                    **bits,
                    "%tid.x": x,
                    "%tid.y": rest % shape[1],
                    "%tid.z": rest // shape[1],
                    "%ntid.x": shape[0],
                    "%ntid.y": shape[1],
                    "%ctaid.x": block,
                    "%nctaid.x": n_blocks,
                    "%laneid": number % LANES,
                }
                self.threads.append(Machine(lines, own))
        self._parts: list[Part] = []
        self.alive = set(range(len(self.threads)))
        self._labels = {
            line.removesuffix(":"): row for row, line in enumerate(self._lines) if line[-1:] == ":"
        }
        self._meeting = self._meeting_points()

    def _next(self, row: int) -> int:
        """Returns the first row with an instruction, from a row on."""
        while not self._lines[row].endswith(";") and self._lines[row] != "}":
            row += 1
        return row

    def _leaves(self, row: int) -> bool:
        """Whether the instruction at a row ends each thread that gets there."""
        row, seen = self._next(row), set[int]()
        while row not in seen:
            seen.add(row)
            line = self._lines[row]
            if line == "}":
                return True
            statement = decoded(line)
            if statement.guard or statement.opcode != "bra":
                return not statement.guard and statement.opcode in _EXITS
            row = self._next(self._labels[statement.operands[0]])
        return False

    def _meeting_points(self) -> dict[int, int]:
        """Returns for each row with a branch the row where the threads that it divides meet."""
        graph: nx.DiGraph[int] = nx.DiGraph()
        end = len(self._lines)
        graph.add_node(end)
        for row, line in enumerate(self._lines):
            if not line.endswith(";") or line.startswith("."):
                continue
            statement = decoded(line)
            if statement.opcode in _EXITS:
                following = [self._next(row + 1)] if statement.guard else [end]
            elif statement.opcode == "bra":
                target = self._next(self._labels[statement.operands[0]])
                following = [target, self._next(row + 1)] if statement.guard else [target]
                kept = [each for each in following if not self._leaves(each)]
                following = kept or following
            else:
                following = [self._next(row + 1)]
            for each in following:
                graph.add_edge(each if each < end and self._lines[each] != "}" else end, row)
        for component in [*nx.strongly_connected_components(graph)]:
            if end not in component and not any(
                each not in component for row in component for each in graph.predecessors(row)
            ):
                graph.add_edge(end, max(component))  # a loop that only ends with exits
        found = nx.immediate_dominators(graph, end)
        return {row: each for row, each in found.items() if row != end}

    def run(
        self,
        first: int,
        before: Callable[[int, list[int], list[int]], None],
        after: Callable[[int, list[int]], None],
        max_steps: int,
    ) -> None:
        """Executes from a row on.

        `before` is called with the row, the threads that reach it together, and those of them
        whose guard lets the instruction run; `after` with the latter.
        """
        self._parts = [Part(len(self._lines), self._next(first), {*self.alive})]
        for _ in range(max_steps):
            part = self._parts[-1] if self._parts else None
            if part is None:
                return
            part.members &= self.alive
            is_end = part.row >= len(self._lines) or self._lines[part.row] == "}"
            if is_end or part.row == part.meeting or not part.members:
                self.alive -= part.members if is_end else set()
                self._parts.pop()
                continue
            statement = decoded(self._lines[part.row])
            here, running = sorted(part.members), self._running(part, statement)
            before(part.row, here, running)
            self._step(part, statement, running)
            if running and statement.opcode not in (*_EXITS, "bra"):
                after(part.row, running)
                part.row = self._next(part.row + 1)

    def _running(self, part: Part, statement: MachineStatement) -> list[int]:
        """Returns the threads whose guard lets an instruction run."""
        return [
            each
            for each in sorted(part.members)
            if not statement.guard
            or self.threads[each].bits[statement.guard] != statement.is_negated
        ]

    def _step(self, part: Part, statement: MachineStatement, running: list[int]) -> None:
        following = self._next(part.row + 1)
        if statement.opcode == "bra":
            self._branch(part, self._next(self._labels[statement.operands[0]]), {*running})
        elif statement.opcode in _EXITS:
            self.alive -= {*running}
            part.row = following
        elif not running:
            part.row = following
        elif statement.opcode in ("shfl", "vote", "elect", "ld"):
            results = {each: self._special(each, statement, running) for each in running}
            name = statement.operands[0].rpartition("|")[2]
            for each, value in results.items():
                self.threads[each]._write(name, value)  # noqa: SLF001
        else:
            execute(running, self.threads, statement)

    def _branch(self, part: Part, target: int, taken: set[int]) -> None:
        """Divides threads, or lets all of them continue at one place."""
        ways = [(taken, target), (part.members - taken, self._next(part.row + 1))]
        for members, row in ways:
            if self._leaves(row):
                self.alive -= members
        left = [(members & self.alive, row) for members, row in ways if members & self.alive]
        if len(left) == 1:
            part.row = left[0][1]
        elif left:
            part.row = meeting = self._meeting.get(part.row, len(self._lines))
            self._parts += [Part(meeting, row, members) for members, row in left]

    def _special(self, thread: int, statement: MachineStatement, running: list[int]) -> int:
        """Returns the result of an instruction that depends on other threads or on memory."""
        source = statement.operands[1]
        warp = [each for each in running if self._warp(each) == self._warp(thread)]
        match statement.opcode:
            case "shfl":
                lane = thread - thread % self.n_threads % LANES + int(statement.operands[2])
                return self.threads[min(lane, len(self.threads) - 1)].bits[source]
            case "vote":
                flags = {each: self.threads[each].bits[source] for each in warp}
                lanes = [flag << each % self.n_threads % LANES for each, flag in flags.items()]
                results = {
                    ".ballot": sum(lanes),
                    ".any": int(any(flags.values())),
                    ".all": int(all(flags.values())),
                }
                return results[statement.modifiers[1]]
            case "elect":
                return int(thread == min(warp))
        value = self.threads[thread].bits[source.strip("[]")]
        return value if ".param" in statement.modifiers else self._memory(value)

    def _warp(self, thread: int) -> tuple[int, int]:
        block, number = divmod(thread, self.n_threads)
        return block, number // LANES


_NAMES: Final = re.compile(r"%?[A-Za-z_][\w.]*").findall


def execute(
    running: Sequence[int], threads: Sequence[Machine], statement: MachineStatement
) -> None:
    """Executes an instruction for some threads, once for all that have the same operands."""
    names = [name for operand in statement.operands for name in _NAMES(operand)]
    written = _NAMES(statement.operands[0])
    known: dict[tuple[int | None, ...], list[int]] = {}
    for each in running:
        own = threads[each]
        key = tuple([own.bits.get(name) for name in names])
        results = known.get(key)
        if results is None:
            own._execute(statement)  # noqa: SLF001
            known[key] = [own.bits[name] for name in written]
        else:
            own.bits.update(zip(written, results, strict=True))
