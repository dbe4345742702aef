"""Finds the instructions that a rule about performance examines, with their operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.semantics.calls.call_sites import position
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.written.operands import written_operands

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.syntax.operands import OperandSyntax


class FoundInstruction(NamedTuple):
    """An instruction in a function: where it is, its opcode, and its operands."""

    found: Found
    shape: Shape
    operands: tuple[OperandSyntax, ...]

    @property
    def modifiers(self) -> list[str]:
        """The modifiers of the opcode, in order."""
        return modifiers_of(self.shape.opcode)

    @property
    def type(self) -> str:
        """The last modifier, which is the type of most instructions; "" if there is none."""
        return last_modifier(self.shape)


def last_modifier(shape: Shape) -> str:
    """Returns the last modifier of an opcode; "" if it has none."""
    _, dot, last = shape.opcode.rpartition(".")
    return dot + last


def instructions_of(text: RegionText, shapes: AbstractSet[Shape]) -> Iterator[FoundInstruction]:
    """Yields the instructions of a function that have one of some shapes."""
    for found in text.statements_of(text.with_shapes(shapes)):
        record = found.record
        if isinstance(record, Shape) and record in shapes:
            yield FoundInstruction(found, record, written_operands(record, found.text))


def opcode_start(text: str) -> int:
    """Returns the offset of the opcode in the text of an instruction, after its guard."""
    guard = guard_of(text)
    start = guard.end if guard is not None else 0
    return start + len(text[start:]) - len(text[start:].lstrip())


def opcode_span(found: Found) -> FunctionSpan:
    """Returns the place of the opcode of an instruction, with its modifiers."""
    text = found.text
    start = opcode_start(text)
    end = start
    while end < len(text) and not text[end].isspace() and text[end] not in ";{[/":
        end += 1
    return position(found, start), position(found, end)
