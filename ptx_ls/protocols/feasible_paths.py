"""Finds whether a path that all guards and branches allow leads from one statement to another."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.path_search import NO_REGISTER, Known, PathSearch
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.use_index import RegisterGuard
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.function_values import FunctionValues

_MAX_STATES: Final = 500
"""Number of blocks and combinations of facts to visit for one question."""


class _PathPoint(NamedTuple):
    """A statement on a path; `use`: the first use in it or after it."""

    block: int
    start: FunctionPosition
    use: int
    guard: RegisterGuard | None

    def known(self, left: Known, *, runs: bool) -> Known | None:
        """Returns what is known if it runs or does not run; None if that is impossible."""
        if self.guard is None:
            return left if runs else None
        return left.adding(self.guard.code, holds=self.guard.is_negated is not runs)


class _Place(NamedTuple):
    """A place on a path, with what is known there; `points`: the statements before it."""

    block: int
    use: int
    known: Known
    points: Sequence[_PathPoint]


class FeasiblePaths:
    """The paths of a function on which no predicate has to be both true and false."""

    def __init__(self, values: FunctionValues) -> None:
        self._values = values
        self._search = PathSearch(values.flow, with_branches=True)

    def is_path(
        self,
        start: EventSite,
        end: EventSite,
        barred: Iterable[EventSite],
        closed: AbstractSet[tuple[int, int]],
    ) -> bool:
        """Whether a path leads from one statement to another, and no barred one runs in between.

        False if that is unknown. `closed`: edges that the path does not take.
        """
        first, last = self._point(start), self._point(end)
        points: dict[int, list[_PathPoint]] = {}
        for point in sorted([first, *map(self._point, barred)], key=attrgetter("start")):
            points.setdefault(point.block, []).append(point)
        known = last.known(Known(), runs=True)
        before = [each for each in points.get(last.block, ()) if each.start < last.start]
        waiting = [] if known is None else [_Place(last.block, last.use, known, before)]
        seen: set[tuple[int, Known]] = set()
        while waiting and len(seen) < _MAX_STATES:
            place = waiting.pop()
            for left in self._before(place, first):
                if left is None:
                    return True
                for block in self._values.graph.predecessors[place.block]:
                    entered = self._search.entered(block, place.block, left)
                    is_new = entered is not None and (block, entered) not in seen
                    if entered is not None and is_new and (block, place.block) not in closed:
                        seen.add((block, entered))
                        use = self._values.flow.index.firsts[block + 1]
                        waiting.append(_Place(block, use, entered, points.get(block, ())))
        return False

    def _point(self, site: EventSite) -> _PathPoint:
        decoder, index = self._values.given.decoder, self._values.flow.index
        uses = decoder.of_statement(site.found).uses
        use = uses.start if uses else decoder.use_after(site.found)
        return _PathPoint(site.block, site.found.start, use, index.guard(use) if uses else None)

    def _before(self, place: _Place, first: _PathPoint) -> Iterator[Known | None]:
        """Goes back in a block, and yields what is known at its start if a path leads there.

        Yields None if the start of the path is in the block.
        """
        block, stop, left, _ = place
        for each in reversed(place.points):
            back = self._search.back(NO_REGISTER, block, stop, left, set(), begin=each.use)
            if back is None:
                return
            if each is first:
                runs = each.known(back, runs=True)
                if runs is not None and self._search.is_possible(block, each.use, runs):
                    yield None
            skipped = each.known(back, runs=False)
            if skipped is None:
                return
            left, stop = skipped, each.use
        back = self._search.back(NO_REGISTER, block, stop, left, set())
        if back is not None:
            yield back
