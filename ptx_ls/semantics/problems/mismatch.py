"""The protocol of all mismatches, so that a rule can define a class of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition


class Mismatch(Protocol):
    """A mistake in a function, as data without words: a named tuple with its place."""

    @property
    def start(self) -> FunctionPosition:
        """The start of the text to report."""

    @property
    def end(self) -> FunctionPosition:
        """The end of the text to report."""
