"""Whether all statements of a function are understood, so that what it does is known."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.document.braces import braces
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.semantics.symbols.region_text import RegionText


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def is_understood(function: Function, text: RegionText) -> bool:
    """Whether a function is closed, has no syntax error, and only instructions that exist.

    Otherwise, a statement that cannot be read might branch, or use any name.
    """
    if any(read.problems for read in text.distinct) or braces(function).close is None:
        return False
    database = isa.database()
    return all(database.instruction(opcode) is not None for opcode in text.contents.opcodes)
