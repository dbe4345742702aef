"""Finds copies that use a changed tensor map too early, and changes of one that is in use.

Source: PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy" and "fence.proxy.tensormap".
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.protocol_sites import MEETINGS, ProtocolSites
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.threads.events.sites import MBARRIER_WAITS, address_of
from ptx_ls.threads.uniformity.function_uniformity import function_uniformity
from ptx_ls.values.affine import are_equal, resized, without_conversions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.function import Function
    from ptx_ls.protocols.violations import ProtocolViolation
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.affine import AffineForm

OPCODE: Final = "tensormap"
_OPCODES: Final = (OPCODE, "bar", "barrier", "call", "cp", "fence", "mbarrier", "prefetch")
_PROXY: Final = "tensormap"
_ACQUIRE: Final = "acquire"
_MEETINGS: Final = MEETINGS | MBARRIER_WAITS | {"warp barrier", "call"}
"""Acts with which a thread may learn of what others have done."""
_WIDTH: Final = 64
_FIELD: Final = ".global_address"
"""The field of a tensor map that tells tensors apart."""
_GROUP_WAITS: Final = frozenset({"wait bulk", "wait reads bulk"})


class TensorMaps:
    """The statements of a function that change, publish or use tensor maps.

    Attributes:
        sites: these, with the statements that wait.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._found = ProtocolSites(uniformity, _OPCODES)
        self.sites = self._found.sites
        self._addresses: dict[tuple[int, str], AffineForm | None] = {}

    @cached_property
    def violations(self) -> tuple[ProtocolViolation, ...]:
        """The proven violations, in the order of the protocols."""
        found = *self._changed(), *self._published(), *self._in_use()
        return tuple(found)

    def _address(self, number: int, operand: str) -> AffineForm | None:
        """Returns the address in an operand, in whatever state space."""
        key = number, operand
        if key not in self._addresses:
            form = address_of(self._found.values, self.sites[number], operand)
            plain = None if form is None or form.is_mapped else without_conversions(form)
            self._addresses[key] = None if plain is None else resized(plain, _WIDTH)
        return self._addresses[key]

    @cached_property
    def _replaced(self) -> frozenset[int]:
        """The sites that write a field of a tensor map."""
        return self._with_opcode("tensormap.replace")

    @cached_property
    def _last_replaced(self) -> dict[int, int | None]:
        """The last change of each tensor map, before its address is changed again.

        With each, the change of its address in the same block, if there is one.
        """
        found: dict[int, int | None] = {}
        last: dict[tuple[int, AffineForm | None], int] = {}
        moved: dict[tuple[int, AffineForm | None], int] = {}
        for number in sorted(self._replaced):
            key = self.sites[number].block, self._address(number, "addr")
            if _FIELD in self.sites[number].opcode:
                if key in moved:
                    found[last[key]] = moved[key]
                moved[key] = number
            last[key] = number
        found.update((number, moved.get(key)) for key, number in last.items())
        return found

    @cached_property
    def _copied(self) -> frozenset[int]:
        """The sites that copy a tensor map to global memory, and release it."""
        return self._with_opcode("tensormap.cp_fenceproxy")

    def _with_opcode(self, start: str) -> frozenset[int]:
        return frozenset(
            number for number, site in enumerate(self.sites) if site.opcode.startswith(start)
        )

    def _used(self, number: int) -> AffineForm | None:
        """Returns the address of the tensor map that a copy uses."""
        site = self.sites[number]
        if site.known is None or not site.known.events.completion:
            return None
        for event in site.known.events.accesses:
            if event.proxy == _PROXY and event.by == "address":
                return self._address(number, event.operand)
        return None

    def _changed(self) -> Iterator[ProtocolViolation]:
        if not self._replaced:
            return
        yield from self._found.run(
            "tensor_maps",
            self._last_replaced,
            self._change_events,
            self._is_about,
            is_of_thread=False,
        ).violations()

    def _change_events(self, number: int) -> Iterator[str]:
        for each in self._found.syncs(number):
            is_fence = each.action == "proxy fence" and each.proxy == _PROXY
            if is_fence and (each.order != _ACQUIRE or self._is_for_users(number)):
                yield each.order
        if self._used(number) is not None:
            yield "use"
        if number in self._replaced and _FIELD in self.sites[number].opcode:
            yield "rewrite"

    def _is_about(self, origin: int, number: int) -> bool:
        """Whether a copy uses the tensor map that a site changes; fences are about all."""
        used, changed = self._used(number), self._address(origin, "addr")
        if number in self._replaced:
            is_same = are_equal(changed, self._address(number, "addr"))
            return is_same and self._is_surely_lost(self._last_replaced[origin], number)
        if used is None:
            return True
        if are_equal(used, changed):
            return True
        return any(
            are_equal(self._address(each, "src"), changed)
            and are_equal(self._address(each, "dst"), used)
            for each in self._copied
        )

    def _is_surely_lost(self, changed: int | None, number: int) -> bool:
        """Whether the address of a tensor map is always changed again at a site."""
        if changed is None:
            return False
        first, second = self.sites[changed], self.sites[number]
        post_dominators = self._found.values.graph.post_dominators
        return post_dominators.dominates(
            second.block, first.block
        ) and self._found.participants.executes_too(first, second)

    def _published(self) -> Iterator[ProtocolViolation]:
        if not self._copied:
            return iter(())
        return self._found.run(
            "tensor_map_copies",
            self._copied,
            self._copy_events,
            self._is_copied,
            is_of_thread=False,
        ).violations()

    def _copy_events(self, number: int) -> Iterator[str]:
        if self._acquires(number):
            if self._is_for_users(number):
                yield _ACQUIRE
        elif self._used(number) is not None:
            yield "use"

    def _acquires(self, number: int) -> bool:
        return any(
            each.action == "proxy fence" and each.proxy == _PROXY and each.order == _ACQUIRE
            for each in self._found.syncs(number)
        )

    @cached_property
    def _users(self) -> list[int]:
        """The sites that use tensor maps."""
        return [number for number in range(len(self.sites)) if self._used(number) is not None]

    def _is_for_users(self, acquire: int) -> bool:
        """Whether a thread that uses a tensor map may execute an acquire, or learn of it."""
        sites, skips = self.sites, self._found.participants.surely_skips
        for user in self._users:
            between = range(acquire + 1, user) if acquire < user else range(len(sites))
            if not skips(sites[user], sites[acquire]):
                return True
            if any(self._found.actions(each) & _MEETINGS for each in between):
                return True
        return not self._users

    def _is_copied(self, origin: int, number: int) -> bool:
        """Whether a site uses what another one published, or may acquire it."""
        own = self._address(origin, "dst")
        if self._acquires(number):
            acquired = self._address(number, "addr")
            return own is None or acquired is None or acquired == own
        return are_equal(own, self._used(number))

    def _in_use(self) -> Iterator[ProtocolViolation]:
        changing = self._replaced | self._copied
        if not changing or not self._users:
            return iter(())
        return self._found.run(
            "tensor_map_uses", self._users, self._use_events, self._is_changed, is_of_thread=False
        ).violations()

    def _use_events(self, number: int) -> Iterator[str]:
        actions = self._found.actions(number)
        waits = MBARRIER_WAITS | _GROUP_WAITS
        if actions & waits or (actions & MEETINGS and self._found.of_action(*waits)):
            yield "wait"
        if number in self._replaced or number in self._copied:
            yield "change"

    def _is_changed(self, origin: int, number: int) -> bool:
        """Whether a site changes the tensor map that a copy uses; waits are about all."""
        if number in self._replaced:
            return are_equal(self._used(origin), self._address(number, "addr"))
        if number in self._copied:
            return are_equal(self._used(origin), self._address(number, "dst"))
        return True


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _maps_of(uniformity: FunctionUniformity) -> TensorMaps:
    return TensorMaps(uniformity)


def tensor_maps(function: Function, module: ModuleFacts) -> TensorMaps:
    """Returns the tensor maps of a function; the same object for the last ones."""
    return _maps_of(function_uniformity(function, module))
