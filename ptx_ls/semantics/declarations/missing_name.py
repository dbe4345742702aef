"""Declarations of nothing: `.global .b32;`, or a type alone.

ptxas takes them, whatever version and target the type needs, and looks at a few things only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.declaration_faults import fault_without_name
from ptx_ls.semantics.problems.declarations import BadDeclaration
from ptx_ls.semantics.symbols.declaration_reader import properties_of
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.comments import COMMENT
from ptx_ls.syntax.names import IN_NAME
from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_SPACE: Final = rf"(?:\s++|{COMMENT})*"
_IS_LIKELY: Final = re.compile(rf"\.(?<!{IN_NAME}\.)\w++{_SPACE};", re.ASCII | re.DOTALL).search
"""The look behind comes after the dot, for `re` is quick to find a first character."""
_END: Final = LazyPattern(rf"(?<!{IN_NAME})\.\w++({_SPACE};)$", re.ASCII | re.DOTALL).search


def check_unnamed(text: RegionText, facts: RegionFacts) -> Iterator[BadDeclaration]:
    """Declarations of a region that are wrong although they declare nothing."""
    if not _IS_LIKELY(text.declaring_text):
        return
    for found in text.statements(text.declaring, declaring_only=True):
        if not is_unnamed(found):
            continue
        symbol = properties_of(found.text, found.start)
        is_local = facts.scope_at(found.start) is not facts.module_scope
        fault = fault_without_name(symbol, is_local=is_local)
        if fault is not None:
            yield BadDeclaration(symbol, fault, symbol.start, symbol.end)


def is_unnamed(found: Found) -> bool:
    """Whether a statement of a region ends where its first name would stand."""
    return found.record.kind is Kind.DECLARATION and _END(found.text) is not None
