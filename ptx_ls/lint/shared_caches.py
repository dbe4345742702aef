"""Caches that one text fills for the next one: shapes, and verdicts on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker

_MAX_CHARACTERS: Final = 64_000_000
"""The caches are dropped after so many characters, because different texts share little."""


class Learned:
    """Caches shared by texts that are read and checked in sequence; for one thread at a time.

    Attributes:
        reader: makes the documents; `judges` may only check documents of this reader.
        judges: the checkers that `LintSession` keeps.
    """

    __slots__ = ("_n_read", "judges", "reader")

    def __init__(self) -> None:
        self.reader = Reader()
        self.judges: dict[object, InstructionChecker] = {}
        self._n_read = 0

    def begin(self, n_characters: int) -> None:
        """Prepares for a text of so many characters; call this before it is read."""
        if self._n_read > _MAX_CHARACTERS:
            self.reader, self.judges, self._n_read = Reader(), {}, 0
        self._n_read += n_characters
