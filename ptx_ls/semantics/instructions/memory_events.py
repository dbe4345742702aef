"""The memory events of the instructions of a shape, and where their operands are.

Source: the memory events of forms in the ISA database.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.memory_events import memory_events, operand_names
from ptx_ls.semantics.instructions.shape_verdicts import shape_verdict
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ptx_ls.isa.memory_events import MemoryEvents
    from ptx_ls.syntax.record import Shape


class ShapeEvents(NamedTuple):
    """The memory events of the instructions of a shape.

    `places`: the numbers, from 0, of the operands that the events name.
    """

    events: MemoryEvents
    places: Mapping[str, int]


_KEPT: Final = 1 << 12


@lru_cache(maxsize=_KEPT)
def events_of(shape: Shape) -> ShapeEvents | None:
    """Returns the memory events of the instructions of a shape; None if they are unknown."""
    instruction = isa.database().instruction(shape.name)
    if instruction is None:
        return None
    verdict = shape_verdict(shape, values=False)
    if verdict is None or verdict.form is None or not verdict.is_accepted:
        return None
    places = {
        name: number
        for number, spec in enumerate(verdict.operand_specs)
        if spec is not None
        for name in operand_names([spec.row])
    }
    return ShapeEvents(memory_events(instruction, verdict.form, verdict.slots, places), places)
