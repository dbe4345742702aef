"""Claims about the agreement of threads are true when random kernels run in lockstep."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

import pytest

from ptx_ls.document.document import Document
from ptx_ls.semantics.symbols.module_facts import module_facts
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, READS, WRITES
from ptx_ls.threads.uniformity.function_uniformity import Agreement, function_uniformity
from ptx_ls.threads.uniformity.levels import LANES, WARPS_OF_GROUP, Level
from tests.support.straight_line import NotComputableError
from tests.threads.uniformity.kernels import ThreadKernelWriter
from tests.threads.uniformity.lockstep import GridMachine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.function import Function

N_QUICK_KERNELS: Final = 40
WERE_WRONG: Final = (47, 288, 1074, 1267, 5170)
"""Kernels about which something wrong was said."""
N_PARTS: Final = 20
N_KERNELS_OF_PART: Final = 60
N_BLOCKS: Final = 2
MAX_STEPS: Final = 400


class AgreementObserver:
    """Runs a kernel, and compares the run with the claims about its threads."""

    def __init__(self, text: str, chance: random.Random) -> None:
        document = Document.read(text)
        module = module_facts(document)
        function = next(each for each in document.leaves() if ".entry" in each.text)
        self.uniformity = function_uniformity(function, module)
        self.flow = self.uniformity.flow
        self.lines = [line.strip() for line in self.flow.text.lines]
        self.n_checked = 0
        self._reads: dict[int, list[tuple[int, Agreement]]] = {}
        self._writes: dict[int, list[tuple[int, Agreement]]] = {}
        self._blocks: dict[int, Agreement] = {}
        self._statements: dict[int, Agreement] = {}
        self._ask(function, chance)

    def _ask(self, _: Function, chance: random.Random) -> None:
        uses = self.flow.uses
        order = [*range(len(uses.codes))]
        chance.shuffle(order)  # the answers must not depend on the order of questions
        for use in order:
            row = uses.rows[use]
            if uses.ways[use] & READS:
                self._reads.setdefault(row, []).append((use, self.uniformity.read(use)))
            if uses.ways[use] & WRITES:
                self._writes.setdefault(row, []).append((use, self.uniformity.written(use)))
        for found in self.flow.text.statements():
            if isinstance(found.record, Shape):
                block = self.flow.graph.number_at(found.start)
                if block is not None:
                    self._blocks[found.start[0]] = self.uniformity.block(block)
                    self._statements[found.start[0]] = self.uniformity.statement(found)

    def run(self, shape: tuple[int, int, int], bits: dict[str, int], seed: int) -> None:
        """Executes the kernel once."""
        self._grid = GridMachine(
            self.lines, shape, N_BLOCKS, bits, lambda address: hash((seed, address)) & 0xFFFFFFFF
        )
        self._grid.run(min(self._blocks), self._before, self._after, MAX_STEPS)

    def _before(self, row: int, here: list[int], running: list[int]) -> None:
        self._check_together(row, here, self._blocks[row], "block")
        if running and "bra" not in self.lines[row]:
            self._check_together(row, running, self._statements[row], "statement")
        for use, said in self._reads.get(row, ()):
            is_guard = self.flow.uses.ways[use] & GUARDS
            self._check_values(row, use, here if is_guard else running, said, "reads")

    def _after(self, row: int, running: list[int]) -> None:
        for use, said in self._writes.get(row, ()):
            self._check_values(row, use, running, said, "writes")

    def _check_together(self, row: int, members: list[int], said: Agreement, what: str) -> None:
        groups = self._groups(self._grid.alive, said.surely)
        inside = {*members}
        text = f"line {row}: {self.lines[row]}: {what} {said.surely.name}, {said.at_most.name}"
        for group in groups:
            if said.surely is not Level.DIVERGENT:
                assert inside.isdisjoint(group) or inside.issuperset(group), f"{text}: parted"
        if said.at_most < Level.CTA:
            self.n_checked += 1
            for block in self._groups(members, Level.CTA):
                if self._is_whole(block[0]):
                    above = self._groups(self._of_block(block[0]), Level(said.at_most + 1))
                    assert any(
                        not inside.isdisjoint(group) and not inside.issuperset(group)
                        for group in above
                    ), f"{text}: together"

    def _check_values(
        self, row: int, use: int, members: list[int], said: Agreement, what: str
    ) -> None:
        name = self.flow.name_of(use)
        bits = {each: self._grid.threads[each].bits[name] for each in members}
        text = f"line {row}: {self.lines[row]}: {what} {name} {said.surely.name}, {said.at_most}"
        for group in self._groups(members, said.surely):
            assert len({bits[each] for each in group}) == 1, f"{text}: differs in {group}"
        if said.at_most < Level.CTA:
            self.n_checked += 1
            for block in self._groups(members, Level.CTA):
                if self._is_whole(block[0]):
                    above = self._groups(block, Level(said.at_most + 1))
                    assert any(len({bits[it] for it in group}) > 1 for group in above), text

    def _of_block(self, member: int) -> range:
        size = self._grid.n_threads
        return range(member - member % size, member - member % size + size)

    def _is_whole(self, member: int) -> bool:
        """Whether no thread has left the block of a thread."""
        return self._grid.alive.issuperset(self._of_block(member))

    def _groups(self, members: Iterable[int], level: Level) -> list[list[int]]:
        found: dict[object, list[int]] = {}
        for each in members:
            block, number = divmod(each, self._grid.n_threads)
            keys: dict[Level, object] = {
                Level.DIVERGENT: each,
                Level.WARP: (block, number // LANES),
                Level.WARPGROUP: (block, number // (LANES * WARPS_OF_GROUP)),
                Level.CTA: block,
                Level.CLUSTER: block,  # a cluster of one block
                Level.GRID: 0,
            }
            found.setdefault(keys[level], []).append(each)
        return [*found.values()]


def check_kernel(seed: int) -> int:
    """Runs a random kernel, and returns the number of checked statements about differences."""
    chance = random.Random(seed)  # noqa: S311  a repeatable choice
    writer = ThreadKernelWriter(chance)
    text = writer.kernel()
    observer = AgreementObserver(text, chance)
    assert writer.threads is not None
    for number in range(2):
        bits = {
            "sm": 16 * chance.randrange(64),
            "p": chance.choice([0, 4096, chance.getrandbits(64)]),
            "n": chance.choice([0, 1, 10, 40, chance.getrandbits(32)]),
            "m": chance.choice([0, 1, 7, 64, chance.getrandbits(32)]),
        }
        try:
            observer.run(writer.threads, bits, number)
        except NotComputableError:
            continue
    return observer.n_checked


@pytest.mark.parametrize("seed", [*range(N_QUICK_KERNELS), *WERE_WRONG])
def test_no_run_refutes_what_is_said(seed: int) -> None:
    check_kernel(seed)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(N_PARTS))
def test_no_run_of_many_refutes_what_is_said(part: int) -> None:
    first = 1_000 + part * N_KERNELS_OF_PART
    assert sum(map(check_kernel, range(first, first + N_KERNELS_OF_PART)))
