"""The state of a statement while its tokens are read."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax import tokens
from ptx_ls.syntax.tokens import dotted_type

if TYPE_CHECKING:
    from ptx_ls.syntax.offsets import RunPosition

_FREE: Final = frozenset(
    {
        ".version",
        ".target",
        ".address_size",
        ".file",
        ".loc",
        ".loc_intermediate",
        tokens.OLD_DEBUG,
    }
)
DECLARES: Final = frozenset({".reg", ".sreg", ".align", ".attribute"})
"""Directives other than state spaces that begin a declaration."""
_RAW: Final = frozenset({".nv_intermediate_source_section", ".metadata_section"})
_MIN_ARGUMENTS: Final = {".loc": 3, ".loc_intermediate": 3, ".file": 2, tokens.OLD_DEBUG: 2}
"""Minimum number of arguments of a directive without terminator that a line end may end."""
_SOUGHT: Final = {"function_name": 1, "inlined_at": 3, ".section": 3}
"""The number of arguments that such a directive needs after each of these words."""
TARGET: Final = ".target"


class TokenState(Enum):
    """The kind of a statement, as far as its tokens so far show."""

    WORD = auto()
    """A single identifier: a label or an opcode."""
    GUARD = auto()
    INSTRUCTION = auto()
    LINKED = auto()
    """A linkage directive, before a function or a variable."""
    FUNCTION = auto()
    DECLARATION = auto()
    FREE = auto()
    """A directive without a terminator."""
    DIRECTIVE = auto()
    SECTION = auto()
    RAW = auto()


class StatementProgress:
    """A statement, at least the first token of which has been read.

    `previous_kind`: the group of the last token in `TOKEN`, or "opcode". `n_arguments`: the number
    of words, numbers and strings after the first token. `brace`: the place of a `{` that begins a
    line, and the end of the statement before it.
    """

    __slots__ = (
        "brace",
        "braces",
        "brackets",
        "end",
        "first",
        "in_pragma",
        "mode",
        "n_arguments",
        "previous",
        "previous_kind",
        "start",
    )

    def __init__(
        self, mode: TokenState, start: RunPosition, first: str, kind: str, end: RunPosition
    ) -> None:
        self.mode, self.start, self.end = mode, start, end
        self.first = self.previous = first
        self.previous_kind = kind
        self.braces = self.brackets = self.n_arguments = 0
        self.in_pragma = False
        self.brace: tuple[RunPosition, RunPosition] | None = None

    def count(self, token: str) -> None:
        """Follows the nesting of brackets."""
        if token in "([":
            self.brackets += 1
        elif token in ")]":
            self.brackets -= 1
        elif token == "{":
            self.braces += 1
        elif token == "}":
            self.braces -= 1

    def advance(self, token: str, kind: str) -> None:
        """Takes the next token, which does not end the statement; `kind` is its group in `TOKEN`.

        Does not count brackets; see `count`.
        """
        before, before_kind = self.previous, self.previous_kind
        self.previous, self.previous_kind = token, kind
        self.n_arguments += kind != "operator"
        if self.mode is TokenState.WORD:
            self.mode = TokenState.INSTRUCTION
            before_kind = "opcode"
        elif self.mode is TokenState.GUARD:
            if kind == "word" and (before == tokens.ESCAPE or before_kind in ("word", "reg")):
                self.mode = TokenState.INSTRUCTION
                self.previous_kind = "opcode"
        elif self.mode is TokenState.FREE:
            if token in _SOUGHT:
                self.n_arguments = _MIN_ARGUMENTS.get(self.first, 1) - _SOUGHT[token]
        elif self.mode is TokenState.LINKED and kind == "dotted":
            mode = directive_mode(token)
            self.mode = TokenState.DECLARATION if mode is TokenState.FREE else mode
        if kind == "dotted":
            self._advance_dotted(token, before, before_kind)

    def _advance_dotted(self, token: str, before: str, before_kind: str) -> None:
        if before_kind == "opcode" and self.mode is TokenState.INSTRUCTION:
            self.previous_kind = "opcode"
            return
        is_value = (
            self.mode is TokenState.FREE
            and dotted_type(token) is tokens.NAME
            and before != ".section"
        )
        self.previous_kind = "dotted" if before == "]" or is_value else "directive"
        self.in_pragma = self.in_pragma or token == ".pragma"

    @property
    def ends_with_line(self) -> bool:
        """Whether a directive without terminator is complete at the end of its line."""
        if self.mode is not TokenState.FREE or self.first == TARGET:
            return False
        return self.is_complete and self.n_arguments >= _MIN_ARGUMENTS.get(self.first, 1)

    @property
    def is_complete(self) -> bool:
        """Whether the last token can end an operand."""
        if self.previous_kind == "operator":
            return self.previous in ")]}"
        return self.previous_kind in ("word", "reg", "number", "numbers", "string", "dotted")


def directive_mode(token: str) -> TokenState:
    """Returns the state of a statement whose first token is dotted."""
    kind = dotted_type(token)
    if kind is tokens.LINKAGE:
        return TokenState.LINKED
    if kind is tokens.FUNCTION:
        return TokenState.FUNCTION
    if kind in (tokens.SPACE, tokens.VECTOR) or token in DECLARES:
        return TokenState.DECLARATION
    if kind is tokens.TYPE or token in _FREE:
        return TokenState.FREE
    if token == ".section":
        return TokenState.SECTION
    if token in _RAW:
        return TokenState.RAW
    return TokenState.DIRECTIVE
