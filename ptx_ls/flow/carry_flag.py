"""Follows the carry flag through a function: which instructions write it, and which read it.

Source: PTX ISA, "Extended-Precision Integer Arithmetic Instructions". The flag is not preserved
across calls.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graphs import graph_of
from ptx_ls.semantics.calls.call_sites import statements_with
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.flow.graph import FlowGraph
    from ptx_ls.semantics.symbols.region_text import Found

_CALL: Final = "call"
_WRITES: Final = ".cc"
_READERS: Final = ("addc", "subc", "madc")
_BORROWING: Final = ("sub", "subc")
_OPCODES: Final = frozenset({"add", "sub", "mad", *_READERS, _CALL})


class Carry(Enum):
    """A value that the carry flag may hold at a place."""

    UNSET = auto()
    """No instruction of the function has written it."""
    LOST = auto()
    """A call may have changed it."""
    CARRY = auto()
    """The carry of an addition."""
    BORROW = auto()
    """The borrow of a subtraction."""


class CarryUse(NamedTuple):
    """An instruction that reads or writes the carry flag, or a call.

    Attributes:
        found: its statement.
        opcode: without modifiers.
        reads: whether it reads the flag.
        leaves: what the flag holds after it; None if it does not change it.
        guard: its guard as written, `@!%p1`; "" for none.
    """

    found: Found
    opcode: str
    reads: bool
    leaves: Carry | None
    guard: str

    @property
    def wants(self) -> Carry:
        """The value that the flag should hold if it is read."""
        return Carry.BORROW if self.opcode in _BORROWING else Carry.CARRY


class CarryRead(NamedTuple):
    """A read of the carry flag: what it may hold, and the instructions that may have written it."""

    use: CarryUse
    held: frozenset[Carry]
    writers: tuple[CarryUse, ...]


class CarryFlow(NamedTuple):
    """The reads of the carry flag in a function, and the writes that no instruction reads."""

    reads: tuple[CarryRead, ...] = ()
    unread: tuple[CarryUse, ...] = ()


def _concerns(shape: Shape) -> bool:
    return shape.name in _READERS or _WRITES in shape.opcode


def carry_flow(function: Function, never_returning: frozenset[str]) -> CarryFlow:
    """Returns how the carry flag is used in the reachable code of a function.

    Returns nothing if a statement cannot be read, or the target of a branch is unknown.
    """
    text, graph = region_text(function), graph_of(function, never_returning)
    if any(read.problems for read in text.distinct) or graph.opened or not graph.starts:
        return CarryFlow()
    blocks: dict[int, list[CarryUse]] = {}
    for found in statements_with(text, _OPCODES):
        use = _use_of(found)
        number = graph.number_at(found.start)
        if use is not None and number is not None and number in graph.reachable:
            blocks.setdefault(number, []).append(use)
    return _Follower(graph, blocks).flow()


def _use_of(found: Found) -> CarryUse | None:
    shape = found.record
    if not isinstance(shape, Shape):
        return None
    if shape.name == _CALL:
        return CarryUse(found, _CALL, False, Carry.LOST, _guard_of(found))
    if not _concerns(shape):
        return None
    leaves = None
    if _WRITES in shape.opcode:
        leaves = Carry.BORROW if shape.name in _BORROWING else Carry.CARRY
    return CarryUse(found, shape.name, shape.name in _READERS, leaves, _guard_of(found))


def _guard_of(found: Found) -> str:
    text = found.text.lstrip("{ \t")
    return text.split(None, 1)[0] if text.startswith("@") else ""


_States = frozenset[CarryUse | None]
"""The instructions that may have written the flag last; None if none may have."""


class _Follower:
    """Finds which writes reach which reads, by blocks."""

    def __init__(self, graph: FlowGraph, blocks: dict[int, list[CarryUse]]) -> None:
        self._graph, self._blocks = graph, blocks

    def flow(self) -> CarryFlow:
        """Returns the reads and the writes without a reader."""
        reads: list[CarryRead] = []
        read: set[CarryUse | None] = set()
        lost: dict[CarryUse, _States] = {}
        before = self._states()
        for number, uses in sorted(self._blocks.items()):
            state = before.get(number, frozenset())
            for use in uses:
                if use.reads:
                    seen = _seen_by(use, state)
                    held = frozenset(map(_held, seen))
                    writers = tuple(uses_of(seen))
                    reads.append(CarryRead(use, held, writers))
                    read |= seen.union(*[lost.get(each, ()) for each in writers])
                if use.leaves is Carry.LOST:
                    lost[use] = state
                state = _after(use, state)
        writes = [use for _, uses in sorted(self._blocks.items()) for use in uses]
        unread = [use for use in writes if use.opcode != _CALL and use.leaves and use not in read]
        return CarryFlow(tuple(reads), tuple(unread))

    def _states(self) -> dict[int, _States]:
        """Returns the writers whose flag may arrive at the start of each block."""
        before: dict[int, _States] = {0: frozenset({None})}
        waiting = [0]
        while waiting:
            number = waiting.pop()
            state = before[number]
            for use in self._blocks.get(number, ()):
                state = _after(use, state)
            for following in self._graph.successors[number]:
                known = before.get(following)
                merged = state if known is None else known | state
                if merged != known:
                    before[following] = merged
                    waiting.append(following)
        return before


def uses_of(state: _States) -> list[CarryUse]:
    """Returns the instructions among the writers, in the order of the text."""
    found = [each for each in state if each is not None]
    return sorted(found, key=lambda use: use.found.start)


def _seen_by(use: CarryUse, state: _States) -> _States:
    """Returns the writers that an instruction reads from: those with the same guard, if any."""
    same = [each for each in state if each is not None and use.guard and each.guard == use.guard]
    return frozenset(same) if same else state


def _after(use: CarryUse, state: _States) -> _States:
    """Returns the writers after an instruction.

    A write under a guard does not replace other writes, but it counts as one: an instruction that
    reads its carry has the same guard.
    """
    if use.leaves is None:
        return state
    if not use.guard:
        return frozenset({use})
    others = [each for each in state if each is not None and each.leaves is not Carry.LOST]
    return state | {use} if use.leaves is Carry.LOST else frozenset({use, *others})


def _held(writer: CarryUse | None) -> Carry:
    return Carry.UNSET if writer is None or writer.leaves is None else writer.leaves
