"""Finds loops that wait for a weak load to return another value.

Source: PTX ISA, "Memory Consistency Model". ptxas moves a weak load out of a loop in which nothing
writes memory or orders accesses, so that the loop reads memory once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.effects import is_pure
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape
from ptx_ls.threads.flags.spin_loops import spin_loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found

_SPACES: Final = frozenset({"generic", "global", "shared::cta", "shared::cluster"})
_OPCODE: Final = "ld"
_BRANCH: Final = "bra"
_OTHER: Final = frozenset({"volatile", "relaxed", "acquire", "mmio", "param", "const", "local"})
"""Modifiers without a dot that no such load has."""


class WeakSpin(NamedTuple):
    """A loop that waits for a weak load.

    `load`: the load. `guard`: the use of the predicate that decides whether the loop continues.
    """

    load: Found
    guard: int


def weak_spins(flow: FunctionFlow) -> Iterator[WeakSpin]:
    """Yields the loops that wait for a weak load, and in which only weak loads touch memory."""
    shapes = {each for each in flow.text.shapes_of((_OPCODE,)) if _OTHER.isdisjoint(_words(each))}
    for loop in spin_loops(flow, shapes, is_weak_load, _is_idle):
        yield WeakSpin(loop.loads[0], loop.guard)


def _words(shape: Shape) -> list[str]:
    return shape.opcode.split(".")


def is_weak_load(shape: Shape) -> bool:
    """Whether instructions of a shape are weak loads of memory that other threads may write."""
    known = events_of(shape) if shape.name == _OPCODE else None
    if known is None:
        return False
    return all(each.order == "weak" and each.space in _SPACES for each in known.events.accesses)


def _is_idle(shape: Shape) -> bool:
    """Whether an instruction neither writes memory nor waits, so that a load may move across it."""
    return shape.name == _BRANCH or is_weak_load(shape) or is_pure(shape)
