"""Finds section contents that need newer versions: labels, sums, differences, negative numbers.

Source: PTX ISA, "Debugging Directives: .section"; the versions are those that ptxas requires.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.versions import too_old
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.syntax.record import Kind
from ptx_ls.syntax.tokens import NUMBER, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import Found, RegionText

_Version = tuple[int, int]
_SUMS: Final[_Version] = (3, 2)
_LABELS: Final[_Version] = (7, 0)
_SIGNS: Final[_Version] = (7, 5)


def check_section_gates(
    text: RegionText, facts: RegionFacts, context: Context
) -> Iterator[Unavailable]:
    """Yields section contents that the module's version does not support."""
    version = context.version
    if version is None or version >= _SIGNS or Kind.SECTION not in text.contents.kinds:
        return
    if version < _LABELS:
        yield from _labels(text, facts, version)
    for found in text.of_kind(Kind.DATA):
        if "-" in found.text or "+" in found.text:
            yield from _arithmetic(found, version)


def _labels(text: RegionText, facts: RegionFacts, version: _Version) -> Iterator[Unavailable]:
    opened = {found.start for found in text.of_kind(Kind.SECTION)}
    for symbol in facts.symbols:
        if symbol.kind is SymbolKind.LABEL and facts.scope_at(symbol.start).start in opened:
            violation = too_old(version, _LABELS, "earlier versions have no labels in sections")
            yield Unavailable(symbol.name, violation, symbol.start, symbol.end)


def _arithmetic(found: Found, version: _Version) -> Iterator[Unavailable]:
    """Yields the unsupported arithmetic in data, with its operands."""
    stream = list(tokenize(found.text))
    for index, (token, following) in enumerate(pairwise(stream)):
        if token.string == "+" and version < _SUMS:
            yield _unavailable(found, version, _SUMS, [token, following], "sums")
        elif token.string == "-" and following.type is NUMBER:
            yield _unavailable(found, version, _SIGNS, [token, following], "negative numbers")
        elif token.string == "-":
            parts = [*stream[index - 1 : index], token, following]
            yield _unavailable(found, version, _SIGNS, parts, "differences of labels")


def _unavailable(
    found: Found, version: _Version, since: _Version, parts: list[Token], what: str
) -> Unavailable:
    start, stop = parts[0].placed(found.start)[0], parts[-1].placed(found.start)[1]
    name = "".join([part.string for part in parts])
    return Unavailable(
        name, too_old(version, since, f"earlier versions have no {what} in sections"), start, stop
    )
