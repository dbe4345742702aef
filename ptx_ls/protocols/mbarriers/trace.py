"""Follows mbarrier objects through a kernel whose threads all run the same code in one order.

The statements about objects have to follow each other, in at most one loop. Then each wait comes
after all arrivals before it, and a phase that these do not complete is never completed if those who
would complete it wait, too.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.mbarriers.objects import (
    ARRIVALS,
    COMPLETE,
    EXPECT,
    INIT,
    INVAL,
    PARTIAL,
    TRACK,
    UNCOUNTED,
    WAITS,
)
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.happens_before.reaching_threads import ReachFinder
from ptx_ls.threads.launch_example.iterations import iterations_of
from ptx_ls.threads.launch_example.launch import LaunchExample
from ptx_ls.threads.launch_example.loop_ends import LoopEnds
from ptx_ls.threads.launch_example.thread_number import variable_of
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.protocols.async_sites import AsyncSites
    from ptx_ls.protocols.mbarriers.objects import MbarrierObjects, MbarrierUse
    from ptx_ls.threads.launch_example.assumptions import Assumptions
    from ptx_ls.threads.launch_example.iterations import Iterations

_ITERATIONS: Final = 4
"""Number of iterations of a loop that are followed."""
_MAX_USES: Final = 64
_COUNTED: Final = ARRIVALS | {UNCOUNTED}
_KNOWN: Final = _COUNTED | WAITS | {COMPLETE, EXPECT, INIT, TRACK}
_WORD: Final = 32


class WrongParity(NamedTuple):
    """A wait for a phase that is not the latest one.

    `parity`: that it waits for. `n_phases`: how many phases the statements before it complete.
    `iteration`: the number of the iteration of the loop, from 0; -1 if the wait is in no loop.
    """

    wait: MbarrierUse
    parity: int
    n_phases: int
    iteration: int


class _Object:
    """The state of an mbarrier object."""

    def __init__(self, count: int) -> None:
        self.count, self.pending = count, count
        self.n_bytes = self.phase = 0

    @property
    def is_begun(self) -> bool:
        """Whether a part of the arrivals and bytes of a phase has come."""
        return self.pending != self.count or self.n_bytes != 0

    def change(self, arrivals: int, n_bytes: int) -> None:
        self.pending -= arrivals
        self.n_bytes += n_bytes
        if self.pending == 0 and self.n_bytes == 0:
            self.phase += 1
            self.pending = self.count


class _ObjectStep(NamedTuple):
    """A use of an object by some threads: its place, and a number for each thread together."""

    use: MbarrierUse
    threads: frozenset[int]
    place: object
    amount: int


class _Trace:
    """The uses of objects in the order in which threads execute them."""

    def __init__(self, objects: MbarrierObjects, launch: LaunchExample) -> None:
        self._objects, self._sites = objects, objects.sites
        values = self._sites.values
        self._numbers = ThreadNumbers(values, launch)
        self._ends = LoopEnds(values, launch, self._numbers)
        self._numbers.last_iteration = self._ends.last
        self._reach = ReachFinder(values, launch, self._numbers, self._ends)
        self._assumed: dict[object, str] = {}

    def wrong(self) -> Iterator[WrongParity]:
        """Yields the first wait for a wrong parity."""
        head = self._loop()
        if head is None:
            return
        known: dict[object, _Object] = {}
        later = _Arrivals()
        steps = [*self._steps(head)]
        if None in steps:
            return
        done = [each for each in steps if each is not None]
        for step, _ in done:
            if step.use.action in _COUNTED:
                later.add(step)
        for step, iteration in done:
            found = self._follow(step, iteration, known, later)
            if found is not None:
                yield found
                return

    def _follow(
        self, step: _ObjectStep, iteration: int, known: dict[object, _Object], arrivals: _Arrivals
    ) -> WrongParity | None:
        """Changes the state of an object; returns what is wrong with a wait."""
        action, n_threads = step.use.action, len(step.threads)
        if action == INIT:
            known[step.place] = _Object(step.amount)
            return None
        state = known.get(step.place)
        if state is None:
            return None
        if action in WAITS:
            is_passed = state.phase & 1 != step.amount
            arriving = arrivals.threads(step.place)
            if is_passed or state.is_begun or not arriving or not arriving <= step.threads:
                return None
            return WrongParity(step.use, step.amount, state.phase, iteration)
        arrived = step.amount * n_threads if action in _COUNTED else 0
        expected = step.amount * n_threads if action == EXPECT else 0
        copied = step.amount * n_threads if action == COMPLETE else 0
        state.change(arrived, expected - copied)
        return None

    def _loop(self) -> int | None:
        """Returns the head of the loop that has uses of objects, -1 without one; None if unclear.

        Threads that wait in a loop of their own repeat only that.
        """
        graph, sites = self._sites.graph, self._sites
        heads = set[int]()
        for use in self._objects.uses:
            around = [*graph.loop_forest.heads_around(sites.sites[use.number].block)]
            own = around[0] if around and use.action in WAITS else None
            if own is not None and self._is_spin(use, own):
                around = around[1:]
            if len(around) > 1:
                return None
            heads.update(around)
        return None if len(heads) > 1 else next(iter(heads), -1)

    def _is_spin(self, wait: MbarrierUse, head: int) -> bool:
        """Whether a loop only repeats a wait."""
        blocks = self._sites.graph.loop_forest.blocks(head)
        inside = [each for each in self._objects.uses if self._block(each) in blocks]
        return inside == [wait] and self._ends.exit(head) is not None

    def _block(self, use: MbarrierUse) -> int:
        return self._sites.sites[use.number].block

    def _steps(self, head: int) -> Iterator[tuple[_ObjectStep, int] | None]:
        """Yields the steps with the numbers of their iterations; None for one that is unclear."""
        uses = [it for it in self._objects.uses if it.action != INVAL]
        blocks = self._sites.graph.loop_forest.blocks(head) if head >= 0 else frozenset()
        inside = [each for each in uses if self._block(each) in blocks]
        first = uses.index(inside[0]) if inside else len(uses)
        before, after = uses[:first], [each for each in uses[first:] if each not in inside]
        yield from self._in_order(before, (), -1)
        end = self._ends.end(head, ()) if inside else None
        count = 0 if end is None else _ITERATIONS if end.most is None else end.fewest + 1
        for number in range(min(count, _ITERATIONS)):
            yield from self._in_order(inside, iterations_of({head: number}), number)
        if after and inside and (end is None or end.same is None or end.same >= _ITERATIONS):
            return
        yield from self._in_order(after, (), -1)

    def _in_order(
        self, uses: Iterable[MbarrierUse], iterations: Iterations, number: int
    ) -> Iterator[tuple[_ObjectStep, int] | None]:
        for use in uses:
            step = self._step(use, iterations)
            if step is None or step.threads:
                yield None if step is None else (step, number)

    def _step(self, use: MbarrierUse, iterations: Iterations) -> _ObjectStep | None:
        """Returns what a use does in an iteration; None if that is unclear."""
        if use.action not in _KNOWN or use.form is None:
            return None
        site = self._sites.sites[use.number]
        runs = self._reach.threads(site, iterations)
        if runs is None or runs.needs_data or not self._assume(runs.assumptions):
            return None
        address = self._numbers.form(use.form, iterations)
        variable = None if address is None else variable_of(address)
        if address is None or variable is None:
            return None
        places = {address.numbers[each] for each in runs.threads}
        amounts = self._amounts(use, iterations, runs.threads)
        if len(places) > 1 or len(amounts) > 1:
            return None
        amount = next(iter(amounts), 0)
        place = variable.name, next(iter(places), 0)
        return None if amount is None else _ObjectStep(use, runs.threads, place, amount)

    def _assume(self, assumptions: Assumptions) -> bool:
        return all(self._assumed.setdefault(key, held) == held for key, held in assumptions)

    def _amounts(
        self, use: MbarrierUse, iterations: Iterations, threads: frozenset[int]
    ) -> set[int | None]:
        """Returns the numbers that belong to a use: a parity, arrivals, bytes."""
        sites = self._sites
        site = sites.sites[use.number]
        if use.action == COMPLETE and use.amount is None:
            return {number_of(sites.values, site, "size")}
        if use.action not in WAITS:
            return {use.amount if use.action != TRACK else 0}
        if ".parity" not in site.found.text:
            return {None}
        (sync,) = [each for each in sites.syncs(use.number) if each.action == use.action]
        number = site.operand(sync.argument)
        instruction = sites.values.given.decoder.of_statement(site.found)
        if number is None or number >= len(instruction.operands):
            return {None}
        operand = instruction.operands[number]
        parity = self._numbers.operand(instruction, operand, _WORD, iterations)
        if parity is None or parity.unknowns:
            return {None}
        return {parity.numbers[each] for each in threads}


class _Arrivals:
    """The threads that ever arrive at objects."""

    def __init__(self) -> None:
        self._threads: dict[object, frozenset[int]] = {}

    def add(self, step: _ObjectStep) -> None:
        self._threads[step.place] = self.threads(step.place) | step.threads

    def threads(self, place: object) -> frozenset[int]:
        return self._threads.get(place, frozenset())


def wrong_parities(objects: MbarrierObjects) -> Iterator[WrongParity]:
    """Yields waits of a kernel for a phase that is not the latest one."""
    sites = objects.sites
    shape = sites.participants.shape
    uses = objects.uses
    if shape is None or not sites.is_closed or objects.has_remote or len(uses) > _MAX_USES:
        return
    if any(each.action in PARTIAL for each in uses) or not _is_in_one_order(sites, uses):
        return
    if shape.is_stated or all(each.amount == 1 for each in objects.doing(INIT)):
        launch = LaunchExample(shape.sizes, is_stated=shape.is_stated)
        yield from _Trace(objects, launch).wrong()


def _is_in_one_order(sites: AsyncSites, uses: Iterable[MbarrierUse]) -> bool:
    """Whether a path within an iteration leads from each use to the next one."""
    blocks = [sites.sites[each.number].block for each in uses]
    return all(one == other or other in sites.goes_on_to(one) for one, other in pairwise(blocks))
