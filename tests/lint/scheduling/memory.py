"""The memory of a block, with the mbarrier objects in it and the copies under way."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW: Final = 0x7F00_0000_0000
"""The generic address of the start of shared memory."""
_WINDOW_SIZE: Final = 1 << 24


@dataclass
class Mbarrier:
    """An mbarrier object."""

    count: int
    pending: int
    n_bytes: int = 0
    phase: int = 0

    def change(self, arrivals: int, n_bytes: int) -> None:
        """Takes arrivals and announced bytes into account."""
        self.pending -= arrivals
        self.n_bytes += n_bytes
        if self.pending < 0:
            raise ViolationError("too many arrivals")
        if self.pending == 0 and self.n_bytes == 0:
            self.phase += 1
            self.pending = self.count


class ViolationError(Exception):
    """A kernel does what the manual leaves undefined."""


@dataclass
class Copy:
    """An asynchronous copy: `source` and `target` are addresses in memory with their spaces."""

    source: tuple[bool, int]
    target: tuple[bool, int]
    n_bytes: int
    mbarrier: int | None = None
    data: bytes | None = None
    is_done: bool = False


@dataclass
class Memory:
    """Bytes of shared and global memory; global memory has numbers that depend on the address."""

    shared: dict[int, int] = field(default_factory=dict)
    other: dict[int, int] = field(default_factory=dict)
    mbarriers: dict[int, Mbarrier] = field(default_factory=dict)
    copies: list[Copy] = field(default_factory=list)
    n_changes: int = 0
    copied: dict[int, int] = field(default_factory=dict)

    def place(self, address: int, space: str) -> tuple[bool, int]:
        """Returns whether an address is in shared memory, and where."""
        if space == "shared":
            return True, address & 0xFFFFFF if address >= WINDOW else address
        if not space and WINDOW <= address < WINDOW + _WINDOW_SIZE:
            return True, address - WINDOW
        return False, address

    def load(self, place: tuple[bool, int], n_bytes: int) -> int:
        """Returns a number in memory."""
        is_shared, address = place
        if is_shared:
            found = [self.shared.get(address + each, 0xA5) for each in range(n_bytes)]
        else:
            found = [
                self.other.get(address + each, _initial(address + each)) for each in range(n_bytes)
            ]
        return int.from_bytes(bytes(found), "little")

    def store(self, place: tuple[bool, int], n_bytes: int, value: int) -> None:
        """Writes a number to memory."""
        is_shared, address = place
        memory = self.shared if is_shared else self.other
        for number, each in enumerate((value & (1 << 8 * n_bytes) - 1).to_bytes(n_bytes, "little")):
            memory[address + number] = each
        self.n_changes += 1

    def object(self, address: int) -> Mbarrier:
        """Returns the mbarrier object at an address."""
        if address not in self.mbarriers:
            raise ViolationError("an mbarrier object that does not exist")
        return self.mbarriers[address]

    def complete(self, copy: Copy) -> None:
        """Lets a copy arrive."""
        if copy.is_done:
            return
        copy.is_done = True
        self.copies.remove(copy)
        value = self.load(copy.source, copy.n_bytes)
        self.store(copy.target, copy.n_bytes, value)
        if not copy.target[0]:
            self.copied[copy.target[1]] = value
        if copy.mbarrier is not None:
            self.object(copy.mbarrier).change(0, -copy.n_bytes)

    def complete_all(self, is_wanted: Callable[[Copy], bool] = lambda _: True) -> None:
        """Lets copies arrive."""
        for each in [*self.copies]:
            if is_wanted(each):
                self.complete(each)


def _initial(address: int) -> int:
    """Returns a byte of global memory: words are small numbers."""
    return zlib.crc32(b"%d" % (address // 4)) % 50 if address % 4 == 0 else 0
