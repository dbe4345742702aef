"""Declarations of nothing: `.global .b32;`, or a type alone.

ptxas takes them, whatever version and target the type needs, and checks a few things only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.semantics.declarations.declaration_faults import fault_without_name
from ptx_ls.semantics.problems.declarations import BadDeclaration
from ptx_ls.semantics.symbols.declaration_reader import properties_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region import RegionFacts


def check_unnamed(facts: RegionFacts) -> Iterator[BadDeclaration]:
    """Yields the declarations of a region that are wrong although they declare nothing."""
    for start, text in facts.unnamed.items():
        symbol = properties_of(text, start)
        is_local = facts.scope_at(start) is not facts.module_scope
        fault = fault_without_name(symbol, is_local=is_local)
        if fault is not None:
            yield BadDeclaration(symbol, fault, symbol.start, symbol.end)
