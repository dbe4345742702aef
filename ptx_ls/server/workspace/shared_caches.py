"""Caches that one text fills for the next one: shapes, and verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker

_MAX_CHARACTERS: Final = 64_000_000
"""The caches are dropped after so many characters, because different texts share little."""


class SharedCaches:
    """Caches shared by texts that are read and checked in sequence; for one thread at a time.

    Attributes:
        reader: makes the documents; `checkers` may only check documents of this reader.
        checkers: the checkers that `LintSession` keeps.
    """

    __slots__ = ("_n_read", "checkers", "reader")

    def __init__(self) -> None:
        self.reader = Reader()
        self.checkers: dict[object, InstructionChecker] = {}
        self._n_read = 0

    def begin(self, n_characters: int) -> None:
        """Prepares for a text of so many characters; call this before it is read."""
        if self._n_read > _MAX_CHARACTERS:
            self.reader, self.checkers, self._n_read = Reader(), {}, 0
        self._n_read += n_characters
