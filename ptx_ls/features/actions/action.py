"""What a change of a module is, before anybody asks for its edits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from ptx_ls.source import Position, Range, TextEdit

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from ptx_ls.semantics.analysis import Analysis
    from ptx_ls.syntax.statement import Statement

    Edits = Callable[[], Sequence[TextEdit]]

_LINE_ENDS: Final = "\r\n"


class ActionKind(Enum):
    """What a change is for; the values are those of the protocol."""

    QUICK_FIX = "quickfix"
    REWRITE = "refactor.rewrite"
    EXTRACT = "refactor.extract"
    INLINE = "refactor.inline"
    FIX_ALL = "source.fixAll.ptx"
    ORGANIZE = "source.organize.ptx"


@dataclass(frozen=True, slots=True)
class Renaming:
    """A name to be given to what stands at a position, everywhere."""

    position: Position
    name: str


@dataclass(frozen=True, slots=True)
class Steps:
    """Edits that take long to make: `start` begins a generator that yields every now and then."""

    start: Callable[[], Generator[None, None, list[TextEdit]]]


@dataclass(frozen=True, slots=True)
class Action:
    """A change that is offered.

    Attributes:
        title: what it does, as a command; no two that are offered together have the same.
        kind: what it is for.
        work: makes its edits, which do not overlap, at once or in steps; or its renaming.
        is_costly: whether to make the edits only when the change is chosen.
        disabled: why it cannot be done here; "" if it can.
    """

    title: str
    kind: ActionKind
    work: Edits | Steps | Renaming
    is_costly: bool = False
    disabled: str = ""


def edit_once(place: Range, text: str) -> Edits:
    """The making of a single edit."""
    return lambda: [TextEdit(place, text)]


def line_end(analysis: Analysis, line: int) -> str:
    """The line end of a line, or of the one before where it has none."""
    lines = analysis.document.lines
    for number in (line, line - 1):
        text = lines[number] if 0 <= number < len(lines) else ""
        if text.endswith(tuple(_LINE_ENDS)):
            return text[len(text.rstrip(_LINE_ENDS)) :]
    return "\n"


def margin(text: str) -> str:
    """The white space that a line begins with."""
    return text[: len(text) - len(text.lstrip(" \t"))]


def is_alone(analysis: Analysis, statement: Statement) -> bool:
    """Whether nothing but white space shares the lines of a statement."""
    lines = analysis.document.lines
    before = lines[statement.start.line][: statement.start.column]
    behind = lines[statement.end.line][statement.end.column :]
    return not before.strip() and not behind.strip()
