"""The ISA database: instructions decoded one at a time, and the tables that they share."""

from __future__ import annotations

from threading import Lock
from typing import Final

from ptx_ls.isa.load import CompiledFile, open_compiled
from ptx_ls.isa.model import Instruction, Prose
from ptx_ls.isa.stored_forms import revive_form
from ptx_ls.isa.tables import IsaTables


class Database(IsaTables):
    """Everything that ptx-ls knows about the PTX ISA. `database()` returns the only instance."""

    def __init__(self, compiled: CompiledFile) -> None:
        super().__init__(compiled)
        self._instructions: dict[str, Instruction] = {}

    def instruction(self, opcode: str) -> Instruction | None:
        """Returns the instruction with an opcode, or None if the database does not have it."""
        found = self._instructions.get(opcode)
        if found is None and opcode in self._positions:
            forms, prose = self._positions[opcode]
            stored, ignored = self._compiled.block(forms)
            rows = tuple(revive_form(row) for row in stored)
            made = Instruction(
                opcode,
                rows,
                ignored,
                lambda: Prose(self._compiled.block(prose)),
                self,
            )
            # Another thread may have made it: each form must be one object, as it is a key.
            found = self._instructions.setdefault(opcode, made)
        return found


_database: Database | None = None
_opening: Final = Lock()


def database() -> Database:
    """Returns the database, which the first call opens."""
    global _database  # noqa: PLW0603  one database for each process
    if _database is None:
        with _opening:
            if _database is None:
                _database = Database(open_compiled())
    return _database
