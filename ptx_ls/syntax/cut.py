"""A statement that was cut out of a text, and its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.progress import StatementProgress, TokenState
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import FUNCTIONS, OLD_DEBUG, TYPE, dotted_type

if TYPE_CHECKING:
    from ptx_ls.syntax.offsets import RunPosition
    from ptx_ls.syntax.record import Record

INSTRUCTION_MODES: Final = (TokenState.WORD, TokenState.GUARD, TokenState.INSTRUCTION)
"""States of a statement that is an instruction."""
_LOCATIONS: Final = (".loc", ".loc_intermediate")


class Follower(NamedTuple):
    """A token that cannot belong to the statement before it: its half-open range and its text."""

    start: RunPosition
    end: RunPosition
    text: str


class Cut(NamedTuple):
    """A statement's kind and its half-open range, which is relative to the cutter's first line.

    `follower`: the token that ended it, if its terminator is missing. `read`: its record, if that
    is already known.
    """

    kind: Kind
    start: RunPosition
    end: RunPosition
    follower: Follower | None = None
    read: Record | None = None


def kind_of(at: StatementProgress) -> Kind:
    """Returns the kind of a statement that is complete, or ends without its terminator."""
    if at.mode in INSTRUCTION_MODES:
        return Kind.INSTRUCTION
    if at.mode is TokenState.FUNCTION or (
        at.mode is TokenState.LINKED and at.previous in FUNCTIONS
    ):
        return Kind.FUNCTION_DECLARATION
    if at.mode in (TokenState.DECLARATION, TokenState.LINKED):
        return Kind.DECLARATION
    if at.mode is TokenState.FREE:
        if at.first in _LOCATIONS:
            return Kind.LOCATION
        if at.first == OLD_DEBUG:
            return Kind.LINE
        if dotted_type(at.first) is TYPE:
            return Kind.DECLARATION if at.previous == ";" else Kind.DATA
    return Kind.DIRECTIVE
