"""The result of a comparison, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class ChangeKind(Enum):
    """The change of a statement or a function."""

    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"
    MOVED = "moved"


class FactChange(NamedTuple):
    """A property that differs, such as the number of registers of a type.

    Attributes:
        name: the property.
        old: its old value, "" if there was none.
        new: its new value, "" if there is none.
    """

    name: str
    old: str
    new: str


class DiffRow(NamedTuple):
    """A statement of the old function, of the new one, or of both.

    Old names are shown as the new ones that they have become.

    Attributes:
        kind: a moved statement has two rows, one where it was and one where it is.
        old: the old text, "" if there is none.
        new: the new text, "" if there is none.
        old_line: the line of the old text, from 0; None if there is none.
        new_line: the line of the new text, from 0; None if there is none.
        other_line: the line of the other text, from 0, to or from which it moved.
    """

    kind: ChangeKind
    old: str
    new: str
    old_line: int | None
    new_line: int | None
    other_line: int | None = None


class DiffCounts(NamedTuple):
    """The numbers of statements that differ."""

    changed: int = 0
    removed: int = 0
    added: int = 0
    moved: int = 0


NO_COUNTS: Final = DiffCounts()


@dataclass(frozen=True)
class FunctionDifference:
    """The differences of a function.

    Attributes:
        kind: SAME, CHANGED, REMOVED or ADDED.
        name: its name; the new one if it was renamed.
        old_name: its old name; "" if it was added.
        facts: the properties that differ.
        rows: all statements in the order of both texts; none if it is the same.
        counts: the numbers of statements that differ.
        remark: why the function is compared as text; "" if it is not.
    """

    kind: ChangeKind
    name: str
    old_name: str
    facts: Sequence[FactChange] = ()
    rows: Sequence[DiffRow] = ()
    counts: DiffCounts = NO_COUNTS
    remark: str = ""


@dataclass(frozen=True)
class ModuleDifference:
    """The differences of two modules.

    Attributes:
        facts: the directives, variables and declarations at module scope that differ.
        functions: all functions, the same ones too, in the order of the new module.
    """

    facts: Sequence[FactChange]
    functions: Sequence[FunctionDifference]

    @property
    def is_same(self) -> bool:
        """Whether the modules have the same meaning."""
        return not self.facts and not self.differing

    @property
    def differing(self) -> list[FunctionDifference]:
        """The functions that differ."""
        return [each for each in self.functions if each.kind is not ChangeKind.SAME]
