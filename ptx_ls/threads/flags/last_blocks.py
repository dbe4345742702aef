"""Finds counters of finished blocks that may count a block before its data is written.

Source: PTX ISA, "Release and Acquire Patterns". Each block adds to a counter, and the one that gets
the last number reads the data of all blocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import GUARDS, WRITES
from ptx_ls.threads.events.sites import number_of
from ptx_ls.threads.flags.early_flags import EarlyFlag, FlagStores
from ptx_ls.threads.flags.flags import is_common, shared_load
from ptx_ls.threads.flags.places import is_same_in_blocks
from ptx_ls.values.decoding import immediate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.flags.places import Place
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_values import FunctionValues

_ATOMIC: Final = "atom"
_ADDED: Final = "b"
"""The operand of an atomic operation that is added."""
_COUNTING: Final = frozenset({"add", "inc"})
_ORDERING: Final = frozenset({"acquire", "release", "acq_rel", "cta"})
_KEEPING: Final = frozenset(
    {"and", "bar", "barrier", "cvt", "mov", "not", "or", "selp", "shfl", "vote"}
)
"""Instructions that pass on which number a thread got, also to other threads."""
_SHIFTING: Final = frozenset({"add", "sub"})
"""Instructions that keep numbers different if one operand is a constant."""
_EQUALITIES: Final = frozenset({".eq", ".ne"})
_SHARED: Final = ".shared"
_MAX_USES: Final = 64
"""Number of uses of registers that are followed from a counter."""


def may_count_blocks(text: RegionText) -> bool:
    """Whether a function has atomic operations that may count blocks without ordering anything."""
    return any(map(_may_count, text.shapes_of((_ATOMIC,))))


def _may_count(shape: Shape) -> bool:
    words = frozenset(shape.opcode.split("."))
    return not words.isdisjoint(_COUNTING) and words.isdisjoint(_ORDERING)


def early_counts(values: FunctionValues) -> Iterator[EarlyFlag]:
    """Yields the counters after whose last number a block loads what others may not have stored."""
    stores = FlagStores(values, frozenset())
    for block, sites in stores.accesses.sites.items():
        for place, site in enumerate(sites):
            record = site.found.record
            if not isinstance(record, Shape) or record.name != _ATOMIC or not _may_count(record):
                continue
            known = site.known
            if known is None or not any(is_common(it, None) for it in known.events.accesses):
                continue
            found = _early_count(values, stores, block, sites[:place], site)
            if found is not None:
                yield found


def _early_count(
    values: FunctionValues,
    stores: FlagStores,
    block: int,
    before: list[EventSite],
    counter: EventSite,
) -> EarlyFlag | None:
    """Returns a counter if other blocks load data whose store nothing orders before it.

    `before`: the sites of its block before it. For a counter of the grid, fences that only threads
    of the same block may rely on order nothing.
    """
    unordered = [*stores.unordered_stores(before, block, None, is_of_grid=True)]
    needed = _Results(values).loads_after(counter, stores) if unordered else {}
    data = stores.first_needed(unordered, needed, None)
    if data is None or number_of(values, counter, _ADDED) == 0:  # which is a read
        return None
    without_fence = [*stores.unordered_stores(before, block, None)]
    is_narrow = all(each.found.start != data[0].found.start for each, _ in without_fence)
    own = stores.accesses.place_of(counter.found) if is_narrow else None
    if is_narrow and (own is None or not is_same_in_blocks(own.form)):
        is_narrow, data = False, stores.first_needed(without_fence, needed, None)
        if data is None:
            return None
    stored, symbol = data
    return EarlyFlag(stored.found, counter.found, symbol, counter.found, is_narrow=is_narrow)


class _Results:
    """The code that depends on the results of atomic operations."""

    def __init__(self, values: FunctionValues) -> None:
        self._values, self._graph = values, values.graph

    def loads_after(self, counter: EventSite, stores: FlagStores) -> dict[Symbol, set[Place]]:
        """Returns what only the thread, or the block, with the last number loads.

        Returns nothing if the number is used for anything else, such as an index, or if the counter
        is not in memory that all blocks share.
        """
        found: dict[Symbol, set[Place]] = {}
        branches = self._branches(counter)
        blocks = self._dependent(branches) if branches else set()
        for block in blocks:
            for site in stores.accesses.sites.get(block, ()):
                event = shared_load(site, None)
                place = stores.accesses.place(site, event) if event is not None else None
                if place is not None:
                    found.setdefault(place.symbol, set()).add(place)
        own = stores.accesses.place_of(counter.found) if found else None
        if own is None or own.is_shared:
            return {}
        return {symbol: it for symbol, it in found.items() if symbol != own.symbol}

    def _branches(self, counter: EventSite) -> set[int]:
        """Returns the blocks at whose ends the number of a counter decides where to go.

        Returns none if it is used otherwise.
        """
        flow, decoder = self._values.flow, self._values.given.decoder
        waiting = [*self._written(decoder.of_statement(counter.found))]
        seen, found = {*waiting}, set[int]()
        while waiting:
            for use in flow.readers(waiting.pop()):
                instruction = decoder.of_use(use)
                if flow.uses.ways[use] & GUARDS and instruction.name in ("bra", "exit", "ret"):
                    found.add(flow.index.block_of(use))
                    continue
                if not self._is_kept(instruction) or len(seen) > _MAX_USES:
                    return set()
                new = {*self._written(instruction), *self._reloaded(instruction)} - seen
                seen |= new
                waiting += new
        return found

    @staticmethod
    def _is_kept(instruction: DecodedInstruction) -> bool:
        """Whether an instruction only tells whether a number is the last one, or passes it on."""
        if instruction.name == "setp":
            return not _EQUALITIES.isdisjoint(instruction.modifiers)
        if instruction.name in _SHIFTING:
            return any(immediate(each) is not None for each in instruction.sources)
        is_store = instruction.name == "st" and _SHARED in instruction.modifiers
        return is_store or instruction.name in _KEEPING

    def _written(self, instruction: DecodedInstruction) -> Iterator[int]:
        """Yields the uses with which an instruction writes registers."""
        ways = self._values.flow.uses.ways
        return (each for each in instruction.uses if ways[each] & WRITES)

    def _reloaded(self, store: DecodedInstruction) -> Iterator[int]:
        """Yields the uses with which loads write registers that read what is stored in .shared."""
        if store.name != "st":
            return
        values = self._values
        place = values.address_form(store.found, 0)
        text = values.flow.text
        shapes = {each for each in text.shapes_of(("ld",)) if _SHARED in each.opcode}
        for found in text.statements_of(text.with_shapes(shapes)):
            if found.record in shapes and values.address_form(found, 1) == place is not None:
                yield from self._written(values.given.decoder.of_statement(found))

    def _dependent(self, branches: set[int]) -> set[int]:
        """Returns the blocks that run only on some way from one of some branches.

        A guarded exit is not a branch: what it dominates runs only in threads that stay.
        """
        dependence, dominates = self._graph.control_dependence, self._graph.dominators.dominates
        leaving = branches & self._graph.leaves.keys()
        found = {
            block
            for block in (self._graph.reachable if leaving else ())
            if any(block != each and dominates(each, block) for each in leaving)
        }
        waiting = [*branches]
        while waiting:
            branch = waiting.pop()
            for block in self._graph.reachable:
                if block not in found and branch in dependence[block]:
                    found.add(block)
                    waiting.append(block)
        return found
