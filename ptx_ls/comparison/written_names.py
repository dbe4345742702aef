"""Remembers which names of a statement it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.comparison.phrases import rendered
from ptx_ls.semantics.instructions.accesses import accesses_in
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.comparison.code import CodeLine, FunctionCode


class WrittenNames:
    """Finds the names that statements write; statements that differ only in names once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[int, ...]] = {}

    def writers(self, code: FunctionCode) -> dict[int, tuple[int, int]]:
        """Returns the first statement that writes each local name, and the index of the name."""
        found: dict[int, tuple[int, int]] = {}
        for number, line in enumerate(code.lines):
            for index in self._indices(line, code):
                name = line.names[index]
                if isinstance(name, int):
                    found.setdefault(name, (number, index))
        return found

    def _indices(self, line: CodeLine, code: FunctionCode) -> tuple[int, ...]:
        if line.record.kind is not Kind.INSTRUCTION:
            return ()
        known = self._known.get(line.pieces)
        if known is None:
            found = accesses_in(line.record, rendered(line.pieces, code.spelled(line)))
            known = tuple(
                index for index, each in enumerate(found[: len(line.names)]) if each.access.is_write
            )
            self._known[line.pieces] = known
        return known
