"""Finds broken protocols of Tensor Memory: its allocation, loads, stores and matrix products.

Source: PTX ISA, "TensorCore 5th Generation Family Instructions".
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.statement_uses import first_use
from ptx_ls.protocols.batches import first_of_batch
from ptx_ls.protocols.protocol_sites import (
    HANDING_OVER,
    MEETINGS,
    ProtocolSites,
)
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.syntax.register_events import WRITES
from ptx_ls.threads.events.sites import MBARRIER_ARRIVALS, MBARRIER_WAITS, address_of
from ptx_ls.threads.happens_before.ordering import orders_by_reading
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.threads.uniformity.levels import Level
from ptx_ls.values.affine import are_equal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.affine import AffineForm

OPCODE: Final = "tcgen05"
_OPCODES: Final = (OPCODE, "atom", "bar", "barrier", "call", "ld", "mbarrier")
_ADDRESSES: Final = ("taddr", "d-tmem")
_LOAD, _STORE, _PRODUCT = "tcgen05.ld", "tcgen05.st", "tcgen05"


def _matters(known: ShapeEvents | None) -> bool:
    """Whether instructions do more than read or write memory that the thread may access alone."""
    if known is None or known.events.syncs or known.events.completion:
        return True
    return orders_by_reading(known)


class RepeatedOperation(NamedTuple):
    """An operation of one thread that several lanes of a warp execute."""

    site: EventSite
    lanes: int


class TensorMemory:
    """The instructions of a function on Tensor Memory.

    Attributes:
        sites: these, with barriers, mbarrier instructions and calls.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self.found = ProtocolSites(uniformity, _OPCODES, _matters)
        self.sites = self.found.sites
        self._addresses: dict[int, AffineForm | None] = {}

    @cached_property
    def violations(self) -> tuple[ProtocolViolation, ...]:
        """All proven violations, in the order of the protocols."""
        found = (
            *self._loads(),
            *self._stores(),
            *self._products(),
            *self._allocations(),
            *self._permits(),
            *self._freed(),
            *self._freed_early(),
        )
        if self.found.is_kernel:
            return tuple(found)
        return tuple(each for each in found if each.number >= 0)  # a caller may do the rest

    def _loads(self) -> Iterator[ProtocolViolation]:
        unread = [each for each in self.found.completing(_LOAD) if self._has_unread_result(each)]
        batches = self._batches(unread)
        for each in self.found.run("tensor_loads", batches, self._load_events).violations():
            yield each._replace(origin=batches[each.origin][0])

    def _batches(self, origins: list[int]) -> dict[int, list[int]]:
        """Returns operations that begin one after another in a block, by the last of each batch."""
        firsts = first_of_batch(
            origins, lambda one, other: self.sites[one].block == self.sites[other].block
        )
        batches: dict[int, list[int]] = {}
        for number, first in firsts.items():
            batches.setdefault(first, []).append(number)
        return {batch[-1]: batch for batch in batches.values()}

    def _load_events(self, number: int) -> Iterator[str]:
        actions = self.found.actions(number)
        if "wait tcgen05.ld" in actions:
            yield "wait"
        if actions & MBARRIER_ARRIVALS:
            yield "release"
        elif actions & HANDING_OVER:
            yield "meet"
        if "free" in actions:
            yield "free"
        if actions & MBARRIER_WAITS:
            yield "wait for others"
        if self.found.completion(number) in (_STORE, _PRODUCT):
            yield "overwrite"

    def _has_unread_result(self, origin: int) -> bool:
        """Whether a lane does not read some register of a load before it is too late.

        An instruction that reads the register waits for the load.
        """
        flow, site = self.found.values.flow, self.sites[origin]
        first = first_use(flow, site.found)
        if first < 0:
            return False
        passed = self._first_hand_over(origin)
        return any(
            not any(self._is_surely_read(reader, passed) for reader in flow.readers(use))
            for use in flow.index.statement(first)
            if flow.uses.ways[use] & WRITES
        )

    def _first_hand_over(self, origin: int) -> EventSite | None:
        """Returns the first barrier that a thread arrives at before it has waited."""
        for number in range(origin + 1, len(self.sites)):
            actions = self.found.actions(number)
            if "free" in actions or actions & HANDING_OVER:
                return self.sites[number]
        return None

    def _is_surely_read(self, reader: int, limit: EventSite | None) -> bool:
        """Whether all lanes execute a reading instruction, and before a site."""
        flow, uniformity = self.found.values.flow, self.found.uniformity
        statement = flow.statement(reader)
        if limit is not None:
            block = flow.index.block_of(reader)
            is_same = block == limit.block
            if is_same and statement.start > limit.found.start:
                return False
            if not is_same and self.found.values.graph.dominators.dominates(limit.block, block):
                return False
        if not uniformity.may_be_divided(statement, Level.WARP):
            return True
        return not uniformity.statement(statement).is_surely_divergent

    def _stores(self) -> Iterator[ProtocolViolation]:
        found = self.found
        return found.run(
            "tensor_stores", found.completing(_STORE), self._store_events, self._is_same_or_sync
        ).violations()

    def _store_events(self, number: int) -> Iterator[str]:
        actions, completion = self.found.actions(number), self.found.completion(number)
        if "wait tcgen05.st" in actions:
            yield "wait"
        if actions & HANDING_OVER:
            yield "hand over"
        if "free" in actions:
            yield "free"
        if completion == _LOAD:
            yield "read"
        if actions & MBARRIER_WAITS or completion == _PRODUCT:
            yield "proceed"

    def _is_same_or_sync(self, origin: int, number: int) -> bool:
        """Whether a load is from the address of a store; other sites are about all of them."""
        if self.found.completion(number) != _LOAD:
            return True
        return are_equal(self._address(origin), self._address(number))

    def _address(self, number: int) -> AffineForm | None:
        """Returns the address in Tensor Memory that a site is about."""
        if number not in self._addresses:
            site = self.sites[number]
            names = [each for each in _ADDRESSES if site.operand(each) is not None]
            values = self.found.values
            self._addresses[number] = address_of(values, site, names[0]) if names else None
        return self._addresses[number]

    def _products(self) -> Iterator[ProtocolViolation]:
        found = self.found
        origins = found.completing(_PRODUCT)
        if not origins:
            return iter(())
        all_found = [
            *found.run(
                "tensor_products", origins, self._product_events, self._is_result_or_sync
            ).violations()
        ]
        # A result cannot be read in time without a commit, so only the latter is reported.
        uncommitted = {each.origin for each in all_found if each.number < 0}
        is_kept = found.is_kernel
        return (
            it for it in all_found if it.number < 0 or not (is_kept and it.origin in uncommitted)
        )

    def _product_events(self, number: int) -> Iterator[str]:
        actions = self.found.actions(number)
        if "commit tcgen05" in actions:
            yield "commit"
        if actions & MBARRIER_WAITS or (self._has_waits and actions & MEETINGS):
            yield "wait"
        if "free" in actions:
            yield "free"
        if self.found.completion(number) == _LOAD:
            yield "read"

    @cached_property
    def _has_waits(self) -> bool:
        """Whether some thread waits on an mbarrier object, and others may wait on it."""
        return bool(self.found.of_action(*MBARRIER_WAITS))

    def _is_result_or_sync(self, origin: int, number: int) -> bool:
        """Whether a load is from the accumulator of a product; other sites are about all.

        A commit only covers what its own thread started.
        """
        if self.found.completion(number) != _LOAD:
            is_commit = "commit tcgen05" in self.found.actions(number)
            return not (is_commit and self._are_apart(self.sites[origin], self.sites[number]))
        is_alone = self.found.is_kernel and not self._has_waits
        return is_alone or are_equal(self._address(origin), self._address(number))

    def _are_apart(self, operation: EventSite, commit: EventSite) -> bool:
        """Whether surely no thread executes both statements, but some thread the first."""
        who = self.found.participants
        one, other = who.threads(operation), who.threads(commit)
        is_apart = one is not None and other is not None and not one.threads & other.threads
        return is_apart and who.surely_skips(operation, commit)

    def _allocations(self) -> Iterator[ProtocolViolation]:
        found = self.found
        if not found.is_kernel:
            return iter(())
        origins = found.of_action("allocate")
        return found.run("tensor_memory", origins, self._frees).violations()

    def _frees(self, number: int) -> Iterator[str]:
        if "free" in self.found.actions(number):
            yield "free"

    def _permits(self) -> Iterator[ProtocolViolation]:
        found = self.found
        return found.run(
            "allocation_permit",
            found.of_action("relinquish"),
            lambda number: ["allocate"] if "allocate" in found.actions(number) else [],
        ).violations()

    def _freed(self) -> Iterator[ProtocolViolation]:
        found = self.found
        if len(found.of_action("allocate")) != 1 or len(found.of_action("free")) != 1:
            return iter(())
        (allocation,), (free,) = found.of_action("allocate"), found.of_action("free")
        following = found.values.graph.successors.__getitem__
        if self.sites[allocation].block in reached(following(self.sites[free].block), following):
            return iter(())  # a loop allocates again, perhaps in another warp than the access
        return found.run(
            "freed_memory",
            found.of_action("free"),
            lambda number: ["access"] if found.completion(number).startswith(OPCODE) else [],
        ).violations()

    def _freed_early(self) -> Iterator[ProtocolViolation]:
        """Yields the ends of allocations that other warps may still access."""
        found, who = self.found, self.found.participants
        if not found.of_action("free"):
            return
        origins = [*found.completing(_LOAD), *found.completing(_STORE)]
        run = found.run("tensor_accesses", origins, self._end_events, is_of_thread=False)
        reported = {each.origin for each in self._freed()}
        for each in run.violations():
            is_of_others = who.surely_skips(self.sites[each.origin], self.sites[each.number])
            if is_of_others and each.number not in reported:
                yield each

    def _end_events(self, number: int) -> Iterator[str]:
        actions = self.found.actions(number)
        meets = actions & (HANDING_OVER | MEETINGS | MBARRIER_WAITS)
        if meets or orders_by_reading(self.sites[number].known):
            yield "meet"
        if "free" in actions:
            yield "free"

    def repeated(self) -> Iterator[RepeatedOperation]:
        """Yields the operations of one thread that several lanes of a warp execute."""
        found = self.found
        for number in sorted({*found.completing(_PRODUCT), *found.of_action("commit tcgen05")}):
            lanes = self._lanes(self.sites[number])
            if lanes > 1:
                yield RepeatedOperation(self.sites[number], lanes)

    def _lanes(self, site: EventSite) -> int:
        """Returns how many lanes of a warp surely execute a site together; 0 if unknown."""
        found = 0
        if self.found.participants.may_have_left(site):
            return 0
        for shape, own in self.found.uniformity.threads_of(site.found):
            lanes = max((warp & own.threads).bit_count() for warp in shape.groups(Level.WARP))
            if own.together < Level.WARP or lanes <= 1:
                return 0
            found = found or lanes
        return found


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _memory_of(uniformity: FunctionUniformity) -> TensorMemory:
    return TensorMemory(uniformity)


def tensor_memory(function: Function, module: ModuleFacts) -> TensorMemory:
    """Returns the Tensor Memory of a function; the same object for the last ones."""
    return _memory_of(function_uniformity(function, module))
