"""The shape that all mismatches share, so that a rule can bring a class of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from ptx_ls.syntax.offsets import Place


class Mismatch(Protocol):
    """Something wrong with a region, in no words: a named tuple with a place in the region."""

    @property
    def start(self) -> Place:
        """Where it begins."""

    @property
    def end(self) -> Place:
        """Where it ends."""
