"""Statements that nobody would miss: all they do is write registers that are not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.dataflow import is_read_again
from ptx_ls.semantics.instructions.accesses import accesses_in
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

_HARMLESS: Final = frozenset({"reads memory"})
_OBSERVED: Final = frozenset({".volatile", ".mmio", ".acquire", ".relaxed"})
"""Modifiers by which a load is more than its value."""


def is_dead(analysis: Analysis, statement: Statement) -> bool:
    """Whether an instruction only writes registers, none of which may be read before it is written.

    False for what is no instruction of the ISA, and for one that control cannot come to, which is
    another matter. Costs what asking for each of its registers does.
    """
    if statement.record.kind is not Kind.INSTRUCTION:
        return False
    judged = analysis.instruction(statement)
    verdict = judged.verdict if judged is not None else None
    if judged is None or judged.instruction is None or verdict is None or verdict.form is None:
        return False
    found = judged.instruction.effects(verdict.form, verdict.slots)
    if not _HARMLESS.issuperset(found) or not _OBSERVED.isdisjoint(judged.modifiers):
        return False
    written = [
        used.name for used in accesses_in(statement.record, statement.text) if used.access.is_write
    ]
    return bool(written) and not any(
        is_read_again(analysis, name, statement.start) for name in written
    )
