"""Computes which addresses the lanes of each warp access with an instruction.

A kernel that does not state the shape of its blocks is examined in typical ones. Facts about its
accesses have to hold in each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import address_of
from ptx_ls.threads.happens_before.reaching_threads import ReachFinder
from ptx_ls.threads.launch_example.launch import LaunchExample, launch_examples
from ptx_ls.threads.launch_example.loop_ends import LoopEnds
from ptx_ls.threads.launch_example.thread_numbers import ThreadNumbers
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.launches import block_shapes
from ptx_ls.threads.uniformity.levels import LANES, Level
from ptx_ls.values.launch import MAX_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ptx_ls.document.function import Function
    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.launch_example.thread_number import ThreadNumber, Unknowns
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_OF_LANES: Final = ("%tid", "%laneid")
"""Special registers by which the lanes of a warp differ."""
_OTHER_DIMENSIONS: Final = (("%tid.z", "%ntid.z"), ("%tid.y", "%ntid.y"))


class WarpAccess(NamedTuple):
    """The memory that a warp accesses with an instruction.

    `addresses`: the place of each lane that takes part, in bytes from one that is the same for the
    whole block. `unknowns`: what this place is a sum of.
    """

    warp: int
    addresses: Mapping[int, int]
    unknowns: Unknowns


class _ExaminedLaunch:
    """Threads of a launch with their numbers."""

    def __init__(self, values: FunctionValues, example: LaunchExample) -> None:
        self.n_threads = example.n_threads
        self._numbers = ThreadNumbers(values, example)
        ends = LoopEnds(values, example, self._numbers)
        self._numbers.last_iteration = ends.last
        self._reach = ReachFinder(values, example, self._numbers, ends)

    def address(self, form: AffineForm) -> ThreadNumber | None:
        """Returns an address in each thread; None if it is unknown."""
        return self._numbers.form(form, ())

    def threads(self, site: EventSite) -> frozenset[int] | None:
        """Returns the threads that execute a statement; None if that is unclear."""
        found = self._reach.threads(site, ())
        return None if found is None else found.threads


class LaneAddresses:
    """The addresses that the warps of a kernel access.

    In loops, they are those of the first iteration. They are those of the first warp if it executes
    the access, and of all warps otherwise.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._uniformity, self.values = uniformity, uniformity.values
        self._examples = _launches(self.values)
        self._launches: dict[LaunchExample, _ExaminedLaunch] = {}

    def warps(self, site: EventSite, event: AccessEvent) -> Iterator[list[WarpAccess]]:
        """Yields, for each launch, what its warps access; nothing at all if that is unknown."""
        form = address_of(self.values, site, event.operand)
        if form is None or site.block < 0:
            return
        found: list[list[WarpAccess]] = []
        for each in self._examples:
            first = self._in_launch(each._replace(most=LANES), site, event, form)
            own = self._in_launch(each, site, event, form) if first == [] else first
            if not own:
                return
            found.append(own)
        yield from found

    def _launch(self, example: LaunchExample) -> _ExaminedLaunch:
        if example not in self._launches:
            self._launches[example] = _ExaminedLaunch(self.values, example)
        return self._launches[example]

    def _in_launch(
        self, example: LaunchExample, site: EventSite, event: AccessEvent, form: AffineForm
    ) -> list[WarpAccess] | None:
        """Returns what the warps of a launch access; None if that is unknown."""
        launch = self._launch(example)
        address = launch.address(form)
        if address is None or address.is_same:
            return None
        threads = launch.threads(site)
        if threads is None:
            if self._uniformity.surely(site.found) < Level.WARP:
                return None
            threads = frozenset(range(launch.n_threads))
        warps: dict[int, dict[int, int]] = {}
        for each in sorted(threads):
            if event.lanes is None or each % LANES < event.lanes:
                warps.setdefault(each // LANES, {})[each % LANES] = address.numbers[each]
        return [
            WarpAccess(number, _near(lanes, form.width), address.unknowns)
            for number, lanes in warps.items()
        ]


def _near(addresses: Mapping[int, int], width: int) -> dict[int, int]:
    """Returns addresses as numbers without the wrap-around of a width."""
    half = 1 << (width - 1)
    first = next(iter(addresses.values()))
    return {
        lane: first + (each - first + half) % (2 * half) - half for lane, each in addresses.items()
    }


def _launches(values: FunctionValues) -> tuple[LaunchExample, ...]:
    """Returns typical launches of a kernel."""
    bounds = values.given.bounds
    n_dimensions = 1
    for below, names in enumerate(_OTHER_DIMENSIONS):
        if any(map(values.flow.has_text, names)):
            n_dimensions = 3 - below
            break
    if bounds.threads is None and n_dimensions > 1:
        shapes = block_shapes(bounds, n_dimensions)
        return tuple(LaunchExample(each.sizes, is_stated=False) for each in shapes)
    example = launch_examples(bounds, 1)[0]
    return (example,) if example.n_threads <= MAX_THREADS else ()


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _addresses_of(uniformity: FunctionUniformity) -> LaneAddresses:
    return LaneAddresses(uniformity)


def lane_addresses(function: Function, module: ModuleFacts) -> LaneAddresses | None:
    """Returns the addresses that the warps of a kernel access; None if nothing is known of them."""
    uniformity = function_uniformity(function, module)
    values = uniformity.values
    if not values.given.is_kernel or not uniformity.is_known:
        return None
    return _addresses_of(uniformity) if any(map(values.flow.has_text, _OF_LANES)) else None
