"""The statements that control flow depends on: labels, branches, braces, and others on their rows.

Source: PTX ISA, "Control Flow Instructions", "Control Flow Directives" and "Labels".
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.semantics.instructions.control_transfer import CONTROL
from ptx_ls.semantics.symbols.label_lists import listed_labels
from ptx_ls.semantics.symbols.region_text import label_name, single
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import without_comments
from ptx_ls.syntax.dotted import opcode_of
from ptx_ls.syntax.guards import guard_of
from ptx_ls.syntax.labels import NAMED_DIRECTIVES
from ptx_ls.syntax.names import names_in
from ptx_ls.syntax.record import (
    CLOSE,
    INSTRUCTIONS,
    LABEL,
    OPEN,
    Kind,
    Record,
    Shape,
    pattern_of,
    records_in,
)
from ptx_ls.syntax.statements import BLANKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Pattern

CALL: Final = "call"
BRANCHES: Final = ("bra", "brx")
_TARGETS: Final = ".branchtargets"
_STRUCTURE: Final = (Kind.LABEL, Kind.FUNCTION, Kind.DIRECTIVE, Kind.BROKEN)
_MAX_KEPT_PATTERNS: Final = 1 << 12
"""Number of patterns whose role is cached."""


class ControlStatement(NamedTuple):
    """A statement on a row that control flow depends on.

    `name`: the name of a label, or the opcode of an instruction without modifiers. `names`: the
    names after the opcode of a branch or call, or those in a list of labels. `is_named`: whether it
    is a directive that a label names. `is_guarded`: whether a guard precedes an instruction.
    """

    kind: Kind
    start: FunctionPosition
    end: FunctionPosition
    name: str = ""
    names: tuple[str, ...] | None = None
    is_named: bool = False
    is_guarded: bool = False


def control_statement(found: Found) -> ControlStatement:
    """Returns the parts of a statement that control flow depends on."""
    kind = found.record.kind
    made = ControlStatement(kind, found.start, found.end)
    if kind is Kind.LABEL:
        return made._replace(name=label_name(found.text))
    if kind is Kind.DIRECTIVE:
        name = opcode_of(found.text)
        if name not in NAMED_DIRECTIVES:
            return made
        names = listed_labels(found.text) if name == _TARGETS else None
        return made._replace(names=names, is_named=True)
    return _instruction(found, made) if kind in INSTRUCTIONS else made


def control_statement_on(line: str, read: Record, row: int) -> ControlStatement:
    """Returns the only statement of a line; its places are on a row."""
    if "/" in line or '"' in line or not (read is LABEL or isinstance(read, Shape)):
        return control_statement(single(line, read, row))
    code = line.strip(BLANKS)
    column = len(line) - len(line.lstrip(BLANKS))
    start, end = on_row(row, column, column + len(code))
    if not isinstance(read, Shape):
        return ControlStatement(read.kind, start, end, label_name(code))
    is_guarded = bool(read.guard)
    has_names = read.name == CALL or read.name in BRANCHES
    names = tuple(names_in(code)[1 + is_guarded :]) if has_names else ()
    return ControlStatement(read.kind, start, end, read.name, names, is_guarded=is_guarded)


def _instruction(found: Found, made: ControlStatement) -> ControlStatement:
    read, text = found.record, without_comments(found.text).partition(";")[0]
    if isinstance(read, Shape):
        opcode, is_guarded = read.name, bool(read.guard)
    else:
        opcode, is_guarded = opcode_of(text).partition(".")[0], guard_of(text) is not None
    names: list[str] = []
    if opcode == CALL or opcode in BRANCHES:
        names = names_in(text)[1 + is_guarded :]
    return made._replace(name=opcode, names=tuple(names), is_guarded=is_guarded)


def has_instruction(read: Record) -> bool:
    """Whether a line or run has an instruction without syntax errors."""
    return pattern_has_instruction(pattern_of(read))


def pattern_has_instruction(pattern: Pattern) -> bool:
    """Whether the lines with a pattern have an instruction without syntax errors."""
    return any(isinstance(it, Shape) for it in records_in(pattern))


def is_control(read: Record) -> bool:
    """Whether a flow graph may depend on a line or run."""
    return pattern_is_control(pattern_of(read))


@lru_cache(maxsize=_MAX_KEPT_PATTERNS)
def pattern_is_control(pattern: Pattern) -> bool:
    """Whether a flow graph may depend on the lines with a pattern."""
    records = records_in(pattern)
    return not _is_block(records) or any(
        it.name in CONTROL if isinstance(it, Shape) else it.kind in _STRUCTURE for it in records
    )


def _is_block(records: Sequence[Record]) -> bool:
    """Whether the braces among the records of a line or run are balanced."""
    depth = 0
    for each in records:
        depth += (each is OPEN) - (each is CLOSE)
        if depth < 0:
            return False
    return not depth
