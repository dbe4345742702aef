"""Caches of shapes and verdicts that are shared by texts read one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.reader import Reader

if TYPE_CHECKING:
    from ptx_ls.semantics.instructions.instruction_checker import InstructionChecker

_MAX_CHARACTERS: Final = 64_000_000
"""Number of characters after which the caches are dropped, to limit their size."""


class SharedCaches:
    """Caches shared by texts that are read and checked in sequence; for one thread at a time.

    Attributes:
        reader: the reader of the documents.
        checkers: checkers for `LintSession`, for documents of this reader.
    """

    __slots__ = ("_n_read", "checkers", "reader")

    def __init__(self) -> None:
        self.reader = Reader()
        self.checkers: dict[object, InstructionChecker] = {}
        self._n_read = 0

    def begin(self, n_characters: int) -> None:
        """Prepares for a text of `n_characters`; call this before it is read."""
        if self._n_read > _MAX_CHARACTERS:
            self.reader, self.checkers, self._n_read = Reader(), {}, 0
        self._n_read += n_characters
