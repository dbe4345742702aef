"""The shape that all mismatches share, so that a rule can bring a class of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition


class Mismatch(Protocol):
    """Something wrong with a region, in no words: a named tuple with a place in the region."""

    @property
    def start(self) -> FunctionPosition:
        """Where it begins."""

    @property
    def end(self) -> FunctionPosition:
        """Where it ends."""
