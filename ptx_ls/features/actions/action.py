"""Changes to a module that can be offered before their edits are computed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.syntax.statement import Statement

    Edits = Callable[[], Sequence[TextEdit]]


class ActionKind(Enum):
    """The kind of a change; the values are those of the protocol."""

    QUICK_FIX = "quickfix"
    REWRITE = "refactor.rewrite"
    EXTRACT = "refactor.extract"
    INLINE = "refactor.inline"
    FIX_ALL = "source.fixAll.ptx"
    ORGANIZE = "source.organize.ptx"


@dataclass(frozen=True, slots=True)
class Renaming:
    """A new name for the symbol at a position, wherever it is used."""

    position: Position
    name: str


@dataclass(frozen=True, slots=True)
class Action:
    """A change that is offered.

    Attributes:
        title: what it does, as a command; unique among the actions that are offered together.
        kind: its kind in the protocol.
        work: a function that makes its edits, which do not overlap; or a renaming.
        is_costly: whether to make the edits only when the change is chosen.
        disabled: why it cannot be done here; "" if it can.
    """

    title: str
    kind: ActionKind
    work: Edits | Renaming
    is_costly: bool = False
    disabled: str = ""


def edit_once(place: Range, text: str) -> Edits:
    """Returns a function that makes a single edit."""
    return lambda: [TextEdit(place, text)]


def line_end(document: Document, line: int) -> str:
    """Returns the line end of a line, or of the line before if it has none."""
    lines = document.lines
    for text in lines[max(0, line - 1) : line + 1][::-1]:
        if len(text) > content_length(text):
            return text[content_length(text) :]
    return "\n"


def margin(text: str) -> str:
    """Returns the white space that a line begins with."""
    return text[: len(text) - len(text.lstrip(" \t"))]


def removal(document: Document, statement: Statement, *, with_comment: bool = False) -> Range:
    """Returns the range to delete to remove a statement: whole lines if it is alone on them.

    Otherwise it includes the spaces before. `with_comment`: whether to include a comment after it.
    """
    start, end = statement.start, statement.end
    before = document.lines[start.line][: start.column]
    after = document.lines[end.line][end.column :].strip()
    is_alone = not before.strip() and (not after or (with_comment and after.startswith("//")))
    if is_alone and end.line + 1 < len(document.lines):
        return Range(Position(start.line, 0), Position(end.line + 1, 0))
    column = len(before.rstrip()) if before.strip() or not after else len(before)
    return Range(Position(start.line, column), end)
