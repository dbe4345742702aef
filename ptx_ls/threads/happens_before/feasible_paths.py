"""Finds whether a path that all guards and branches allow leads from one statement to another.

Different threads may execute the two: one of them the first part of the path, and the other one the
rest. Where they change, only conditions that are the same in all threads of the block still hold.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.known_conditions import Known
from ptx_ls.flow.path_search import NO_REGISTER, PathSearch, Stretch
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.function_uniformity import uniformity_of
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.registers.use_index import RegisterGuard
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

_MAX_STATES: Final = 500
"""Number of blocks and combinations of facts to visit for one question."""


class _PathPoint(NamedTuple):
    """A statement on a path; `use`: the first use in it or after it.

    `is_meeting`: whether another thread may execute what comes before it.
    """

    block: int
    start: FunctionPosition
    use: int
    guard: RegisterGuard | None
    is_meeting: bool = False

    def known(self, left: Known, *, runs: bool) -> Known | None:
        """Returns what is known if it runs or does not run; None if that is impossible."""
        if self.guard is None:
            return left if runs else None
        return left.adding(self.guard.code, holds=self.guard.is_negated is not runs)


class _PathPlace(NamedTuple):
    """A place on a path, with what is known there.

    `is_changed`: whether it is on the part of the first thread. `points`: the statements before it.
    """

    block: int
    use: int
    known: Known
    is_changed: bool
    points: Sequence[_PathPoint]


class FeasiblePaths:
    """The paths of a function on which no predicate has to be both true and false."""

    def __init__(self, values: FunctionValues) -> None:
        self._values = values
        self._search = PathSearch(values.flow, with_branches=True)
        self._common: dict[int, bool] = {}

    def is_path(
        self,
        start: EventSite,
        end: EventSite,
        barred: Iterable[EventSite],
        closed: AbstractSet[tuple[int, int]],
        meetings: Iterable[EventSite] = (),
        *,
        is_apart: bool = False,
    ) -> bool:
        """Whether a path leads from one statement to another, and no barred one runs in between.

        False if that is unknown.

        Args:
            start: the first statement.
            end: the second one.
            barred: the statements that must not run.
            closed: edges that the path does not take.
            meetings: where threads wait for others, so that another thread may execute what comes
                before.
            is_apart: whether different threads execute the two, which may change anywhere.
        """
        first = self._point(start)
        points: dict[int, list[_PathPoint]] = {}
        between = [self._point(each) for each in barred]
        between += [self._point(each)._replace(is_meeting=True) for each in meetings]
        for point in sorted([first, *between], key=attrgetter("start")):
            points.setdefault(point.block, []).append(point)
        last = self._point(end)
        known = last.known(Known(), runs=True)
        before = [each for each in points.get(last.block, ()) if each.start < last.start]
        waiting = (
            [] if known is None else [_PathPlace(last.block, last.use, known, not is_apart, before)]
        )
        seen: set[tuple[int, Known, bool]] = set()
        while waiting and len(seen) < _MAX_STATES:
            place = waiting.pop()
            for left, is_changed in self._before(place, first):
                if left is None:
                    return True
                for block in self._values.graph.predecessors[place.block]:
                    entered = self._search.entered(block, place.block, left)
                    if entered is None or (block, place.block) in closed:
                        continue
                    if (block, entered, is_changed) not in seen:
                        seen.add((block, entered, is_changed))
                        use, own = self._values.flow.index.firsts[block + 1], points.get(block, ())
                        waiting.append(_PathPlace(block, use, entered, is_changed, own))
        return False

    def _point(self, site: EventSite) -> _PathPoint:
        decoder, index = self._values.given.decoder, self._values.flow.index
        uses = decoder.of_statement(site.found).uses
        use = uses.start if uses else decoder.use_after(site.found)
        return _PathPoint(site.block, site.found.start, use, index.guard(use) if uses else None)

    def _before(self, place: _PathPlace, first: _PathPoint) -> Iterator[tuple[Known | None, bool]]:
        """Goes back in a block, and yields what may be known at its start on paths that lead there.

        With it, yields whether the place is on the part of the first thread. Yields None if the
        start of the path is in the block.
        """
        block, stop, known, is_changed, points = place
        lefts = [(known, is_changed)]
        for each in reversed(points):
            found, lefts = [*self._back(block, stop, lefts, each.use)], []
            stop = each.use
            for left, is_changed in found:
                if each.is_meeting:
                    lefts.append((self._in_all_threads(left), is_changed))
                    continue
                runs = each.known(left, runs=True) if each is first and is_changed else None
                if runs is not None and self._search.is_possible(block, each.use, runs):
                    yield None, is_changed
                skipped = each.known(left, runs=False)
                if skipped is not None:
                    lefts.append((skipped, is_changed))
        yield from self._back(block, stop, lefts, 0)

    def _back(
        self, block: int, stop: int, lefts: Iterable[tuple[Known, bool]], begin: int
    ) -> Iterator[tuple[Known, bool]]:
        """Goes back in a block from a use to another one, where the threads may change."""
        for known, is_changed in lefts:
            left = self._search.back(NO_REGISTER, Stretch(block, stop, begin), known, [])
            if left is not None:
                yield left, is_changed
                if not is_changed:
                    yield self._in_all_threads(left), True

    def _in_all_threads(self, known: Known) -> Known:
        """Returns what is known in each thread of the block."""
        return known.without(code for code in known.codes if not self._is_common(code))

    def _is_common(self, code: int) -> bool:
        """Whether all threads of a block agree on each value of a register."""
        if code not in self._common:
            uniformity, chain = uniformity_of(self._values), self._values.flow.chain(code)
            self._common[code] = all(
                uniformity.surely_written(write.use) >= Level.CTA
                for own in chain.writes.values()
                for write in own
            )
        return self._common[code]
