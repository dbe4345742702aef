"""Finds values that one instruction makes in one format, and another reads in another format."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ptx_ls.flow.formats.candidates import candidates, misread_banks
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS, region_text

if TYPE_CHECKING:
    from ptx_ls.document.function import Function
    from ptx_ls.flow.formats.conflict_search import FormatConflict


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def format_conflicts(
    function: Function, never_returning: frozenset[str]
) -> tuple[FormatConflict, ...]:
    """Returns the conflicts in a function, in the order of the text."""
    misread = [*misread_banks(region_text(function).shapes)]
    if not misread:
        return ()
    from ptx_ls.flow.formats.conflict_search import ConflictSearch  # noqa: PLC0415  rarely needed

    flow = function_flow(function, never_returning)
    search = ConflictSearch(flow)
    uses: set[int] = set()
    for banks in misread:
        uses.update(search.reads_of(candidates(function, flow.registers, banks)))
    conflicts = (search.conflict(use) for use in sorted(uses))
    return tuple(each for each in conflicts if each is not None)
