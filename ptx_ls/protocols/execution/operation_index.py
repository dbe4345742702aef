"""The asynchronous operations of a run, by the memory that they use."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.protocols.execution.memory_uses import AsyncOperation, MemoryUse


class OperationIndex:
    """The last operation of each warp, instruction and memory.

    A loop names the same memory again and again, so what has common bytes is compared once.
    """

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._using: dict[MemoryUse, dict[int, AsyncOperation]] = {}
        self._common: dict[MemoryUse, list[MemoryUse]] = {}
        self._n_added = 0

    def add(self, made: AsyncOperation) -> None:
        """Adds an operation, and removes an older one like it."""
        memory = {*made.reads, *made.writes}
        key = made.warp, made.step.found.start, made.reads, made.writes
        older = self._numbers.get(key)
        self._n_added += 1
        self._numbers[key] = self._n_added
        for each in memory:
            if each not in self._using:
                self._add_memory(each)
            if older is not None:
                del self._using[each][older]
            self._using[each][self._n_added] = made

    def _add_memory(self, memory: MemoryUse) -> None:
        self._using[memory] = {}
        for each, common in self._common.items():
            if each.meets(memory):
                common.append(memory)

    def using(self, memory: MemoryUse) -> Sequence[AsyncOperation]:
        """Returns the operations that read or write some bytes of some memory, oldest first."""
        common = self._common.get(memory)
        if common is None:
            common = self._common[memory] = [each for each in self._using if memory.meets(each)]
        found: dict[int, AsyncOperation] = {}
        for each in common:
            found.update(self._using[each])
        return [found[number] for number in sorted(found)]
