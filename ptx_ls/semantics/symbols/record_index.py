"""An index of the records of a function: by kind, shape and opcode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.syntax.record import InlineAsmLine, InlineAsmPattern, Kind, MultiLine, Record, Shape

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet


class RecordIndex:
    """An index of a function's records, so that each check visits only those that it needs.

    `kinds`: the records that are or contain statements of a kind, except for instructions.
    `shapes`: the records that are or contain instructions of a shape. `opcodes`: the shapes with an
    opcode, given without modifiers.
    """

    __slots__ = ("kinds", "opcodes", "shapes")

    def __init__(self, distinct: AbstractSet[Record]) -> None:
        self.kinds: dict[Kind, list[Record]] = {}
        self.opcodes: dict[str, list[Shape]] = {}
        self.shapes: dict[Shape, list[Record]] = {}
        forms: dict[InlineAsmPattern, list[Record]] = {}
        for read in distinct:
            if isinstance(read, InlineAsmLine):
                forms.setdefault(read.form, []).append(read)
            elif isinstance(read, MultiLine):
                self._add(read.records, [read])
            elif isinstance(read, Shape):
                self.shapes.setdefault(read, []).append(read)
            else:
                self.kinds.setdefault(read.kind, []).append(read)
        for form, holders in forms.items():
            self._add(form.records, holders)
        for shape in self.shapes:
            self.opcodes.setdefault(shape.name, []).append(shape)

    def _add(self, held: Iterable[Record], holders: list[Record]) -> None:
        for read in frozenset(held):
            if isinstance(read, Shape):
                self.shapes.setdefault(read, []).extend(holders)
            else:
                self.kinds.setdefault(read.kind, []).extend(holders)
