"""Finds loads from shared memory that no thread of the block writes at the same time.

Between two barriers of the whole block, all threads may be anywhere. If none of the code that may
run there writes shared memory, all threads that load from one address get the same value.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import Shape
from ptx_ls.values.affine import plain_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.graph import FlowGraph

_BARRIERS: Final = ("bar", "barrier")
_N_OPERANDS: Final = {".sync": 1, ".red": 3}
"""The number of operands of a barrier for all threads of a block."""
_OTHER_SPACES: Final = frozenset({".global", ".local", ".param", ".const"})
_OTHER_BLOCKS: Final = ".shared::cluster"


class SharedEvent(NamedTuple):
    """A barrier of the whole block, or a write."""

    start: FunctionPosition
    is_barrier: bool


class SharedReads:
    """The writes to shared memory in a function, and the barriers between them."""

    def __init__(self, flow: FunctionFlow, graph: FlowGraph) -> None:
        self._flow, self._graph = flow, graph

    def is_constant(self, block: int, start: FunctionPosition) -> bool:
        """Whether no thread of the block writes shared memory while another one is at a place."""
        events = self._events
        if events is None or block < 0:
            return False
        own = events.get(block, ())
        before = [each for each in reversed(own) if each.start < start]
        after = [each for each in own if each.start > start]
        graph = self._graph
        return self._is_quiet(before, graph.predecessors, block, is_backward=True) and (
            self._is_quiet(after, graph.successors, block, is_backward=False)
        )

    def _is_quiet(
        self,
        near: Sequence[SharedEvent],
        following: Sequence[Sequence[int]],
        block: int,
        *,
        is_backward: bool,
    ) -> bool:
        """Whether a barrier comes before any write, on all ways in one direction."""
        events = self._events or {}
        if near:
            return near[0].is_barrier
        found: set[int] = set()
        waiting = [*following[block]]
        while waiting:
            each = waiting.pop()
            if each in found:
                continue
            found.add(each)
            own = events.get(each, ())
            if own:
                if not own[-1 if is_backward else 0].is_barrier:
                    return False
            else:
                waiting += following[each]
        return True

    @cached_property
    def _events(self) -> dict[int, list[SharedEvent]] | None:
        """The events in each block in order; None if memory is written at an unknown time."""
        text, graph = self._flow.text, self._graph
        kinds = {shape: _kind_of(shape) for shape in text.shapes}
        if None in kinds.values() or graph.opened:
            return None
        chosen = {shape for shape, kind in kinds.items() if kind}
        found: dict[int, list[SharedEvent]] = {}
        for statement in text.statements_of(text.with_shapes(chosen)):
            shape = statement.record
            kind = kinds.get(shape) if isinstance(shape, Shape) else ""
            number = graph.number_at(statement.start)
            if kind and number is not None:
                is_barrier = kind == _BARRIERS[0]
                if is_barrier and isinstance(shape, Shape) and shape.guard:
                    continue
                found.setdefault(number, []).append(SharedEvent(statement.start, is_barrier))
        return found


@lru_cache(maxsize=1 << 12)
def _kind_of(shape: Shape) -> str | None:
    """Returns `bar` for a barrier, `st` for a write, "" for others, and None for a late write."""
    name, modifiers = shape.name, tuple(modifiers_of(shape.opcode))
    if name in _BARRIERS:
        kind = next((each for each in _N_OPERANDS if each in modifiers), "")
        is_whole = ".warp" not in modifiers and len(shape.operands) == _N_OPERANDS.get(kind, 0)
        return "bar" if is_whole and ".cluster" not in modifiers else ""
    instruction = isa.database().instruction(name)
    effects = (
        {effect for form in instruction.forms for effect in instruction.effects(form)}
        if instruction is not None
        else {"writes memory"}
    )
    if "writes memory" not in effects:
        return ""
    if any(each.startswith(_OTHER_BLOCKS) for each in modifiers):
        return None
    if _OTHER_SPACES & {plain_space(each) for each in modifiers} and name in ("st", "atom", "red"):
        return ""
    return "st" if name in ("st", "atom", "red", "stmatrix") and ".async" not in modifiers else None
