"""What a check is given, and what it looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText


class AnalysisInput(NamedTuple):
    """A region to check, by its number in the module."""

    text: RegionText
    facts: RegionFacts
    module: ModuleFacts
    number: int


Check = Callable[[AnalysisInput], Iterable["Mismatch"]]
"""Finds mismatches in a region; their places count from the start of it."""


class RegisteredCheck(NamedTuple):
    """A check of a region, and the classes of the mismatches that it may find."""

    run: Check
    finds: tuple[type[Any], ...]


class Instructions:
    """Looks at functions that have an instruction with one of some opcodes, without modifiers.

    Without any opcode it looks at all functions.
    """

    __slots__ = ("opcodes",)

    def __init__(self, *opcodes: str) -> None:
        self.opcodes = opcodes
