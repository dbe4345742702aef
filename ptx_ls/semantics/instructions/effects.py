"""The effects of instructions beyond writing their destination registers.

Source: the effects of forms in the ISA database.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa.reference import find_special_register
from ptx_ls.semantics.instructions.shape_verdicts import shape_verdict
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.written.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.reference import SpecialRegister
    from ptx_ls.syntax.record import Shape

_READS: Final = "reads memory"
_UNKNOWN: Final = frozenset({"unknown"})
_STRONG: Final = frozenset({".volatile", ".relaxed", ".acquire", ".mmio"})
"""Modifiers of loads that wait for other threads, or that these may notice."""
_EXCHANGES: Final = ("activemask", "elect", "match", "redux", "shfl", "vote")
"""Opcodes of exchanges within a warp, which are only for their results."""


@lru_cache(maxsize=1 << 12)
def effects_of(shape: Shape) -> frozenset[str]:
    """Returns the effects of the instructions of a shape; one unknown word if they are unknown."""
    instruction = isa.database().instruction(shape.name)
    if instruction is None:
        return _UNKNOWN
    verdict = shape_verdict(shape, values=True)
    if verdict is None or verdict.form is None or not verdict.is_accepted:
        return _UNKNOWN
    return frozenset(instruction.effects(verdict.form, verdict.slots))


@lru_cache(maxsize=1 << 12)
def is_for_result(shape: Shape) -> bool:
    """Whether instructions of a shape are only for what they write to registers."""
    if shape.name in _EXCHANGES:
        return True
    is_strong = not _STRONG.isdisjoint(modifiers_of(shape.opcode))
    return not is_strong and effects_of(shape) <= {_READS}


def is_pure(shape: Shape) -> bool:
    """Whether instructions of a shape compute registers from their operands alone.

    An operand may still be a special register such as `%clock`; see `reads_clock`.
    """
    return shape.name not in _EXCHANGES and not effects_of(shape)


def special_registers(shape: Shape, text: str) -> Iterator[SpecialRegister]:
    """Yields the special registers that an instruction names."""
    known = isa.database().special_registers
    for name in names_of(shape, text):
        found = find_special_register(known, name.partition(".")[0])
        if found is not None:
            yield found


def reads_clock(shape: Shape, text: str) -> bool:
    """Whether an instruction reads a special register that changes by itself, such as `%clock`."""
    return any(each.volatile for each in special_registers(shape, text))
