"""Compares modules by meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ptx_ls.comparison.canonical import canonical_text
from ptx_ls.comparison.comparison import compare as found_differences
from ptx_ls.comparison.result import ChangeKind
from ptx_ls.document.document import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.comparison.result import DiffRow, FactChange, FunctionDifference


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """A property that differs, such as `.maxntid`; "" in place of a value that is missing."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class StatementChange:
    """A statement that differs.

    Attributes:
        kind: `changed`, `removed`, `added`, or `moved` for each of the two places of a statement.
        old: its old text, with the names that the new function uses; "" if there is none.
        new: its new text, "" if there is none.
        old_line: the line of the old text, None if there is none.
        new_line: the line of the new text, None if there is none.
    """

    kind: str
    old: str
    new: str
    old_line: int | None
    new_line: int | None


@dataclass(frozen=True, slots=True)
class FunctionChange:
    """A function that differs.

    Attributes:
        kind: `changed`, `removed` or `added`.
        name: its name; the new one if it was renamed.
        old_name: its old name, "" if it was added.
        properties: its properties that differ.
        statements: its statements that differ, in order.
    """

    kind: str
    name: str
    old_name: str
    properties: tuple[PropertyChange, ...]
    statements: tuple[StatementChange, ...]


@dataclass(frozen=True, slots=True)
class ModuleChanges:
    """The differences of two modules; those with the same meaning have none.

    Attributes:
        properties: the directives and declarations at module scope that differ.
        functions: the functions that differ, in the order of the new module.
    """

    properties: tuple[PropertyChange, ...]
    functions: tuple[FunctionChange, ...]

    def __bool__(self) -> bool:
        return bool(self.properties or self.functions)


def compare(old: str, new: str) -> ModuleChanges:
    """Returns the differences in meaning of two modules, as `ptx-ls diff` finds them.

    >>> old = ".func f() { .reg .b32 %r<9>; mov.b32 %r1, 5; add.s32 %r2, %r1, 1; }"
    >>> bool(compare(old, old.replace("%r1", "%r7")))
    False
    >>> [function] = compare(old, old.replace("5", "6")).functions
    >>> function.statements[0].old, function.statements[0].new
    ('mov.b32 %r1, 5;', 'mov.b32 %r1, 6;')
    """
    found = found_differences(Document.read(old), Document.read(new))
    return ModuleChanges(_properties(found.facts), tuple(map(_function, found.differing)))


def normalize(text: str) -> str:
    """Returns the canonical text of a module, the same for all modules with the same meaning.

    Functions and declarations stay in their order, so a module in another order has another text.

    >>> text = ".func f() { .reg .b32 %r<9>; mov.b32 %r1, 5; }"
    >>> normalize(text) == normalize(text.replace("%r1", "%r7"))
    True
    """
    return canonical_text(Document.read(text))


def _properties(facts: Iterable[FactChange]) -> tuple[PropertyChange, ...]:
    return tuple(PropertyChange(*fact) for fact in facts)


def _function(found: FunctionDifference) -> FunctionChange:
    return FunctionChange(
        found.kind.value,
        found.name,
        found.old_name,
        _properties(found.facts),
        tuple(_statement(row) for row in found.rows if row.kind is not ChangeKind.SAME),
    )


def _statement(row: DiffRow) -> StatementChange:
    lines = (None if line is None else line + 1 for line in (row.old_line, row.new_line))
    return StatementChange(row.kind.value, row.old, row.new, *lines)
