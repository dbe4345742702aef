"""Checks metadata sections: one in a module, with one node for each index.

The manual does not document them; this is the format that ptxas 13.5 accepts.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from ptx_ls.isa.checking.gates import check_availability
from ptx_ls.isa.notation.table import AvailabilityGate
from ptx_ls.semantics.problems.instructions import Unavailable
from ptx_ls.semantics.problems.values import BadValue, ValueFault
from ptx_ls.syntax.literals import number
from ptx_ls.syntax.tokens import NUMBER, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.isa import Context
    from ptx_ls.semantics.symbols.module import ModuleFacts
    from ptx_ls.semantics.symbols.region import DirectiveStatement, RegionFacts

_SECTION: Final = ".metadata_section"
_NODE: Final = ".metadata"
_MODULUS: Final = 1 << 32
_DOMAIN: Final = ".metadata_domain"
_DOMAINS: Final = AvailabilityGate(
    None, (((9, 5), ((107, "f"),)),), lenient=False, needs_operands=False, note=""
)


def check_metadata(
    facts: RegionFacts, module: ModuleFacts, region: int
) -> Iterator[BadValue | Unavailable]:
    """Yields second sections, nodes with the same index, and numbers of more than 32 bits.

    Also yields domains, if the version or target does not have them.
    """
    first: FunctionSpan | None = None
    for directive in facts.directives:
        if directive.name != _SECTION:
            continue
        stream = list(tokenize(directive.text))
        opening = _bad(ValueFault.SECTION_TWICE, stream[0], directive)
        if first is not None:
            yield opening._replace(before=first)
            continue
        first = opening.start, opening.end
        is_placed = facts.scope_at(directive.start) is facts.module_scope
        if is_placed and 0 <= module.metadata < region:
            yield opening
        yield from _check_nodes(stream, directive)
        yield from _check_domain(stream, directive, module.context)


def _check_domain(
    stream: list[Token], directive: DirectiveStatement, context: Context
) -> Iterator[Unavailable]:
    for token in stream:
        if token.string == _DOMAIN:
            place = _bad(ValueFault.OVERFLOW, token, directive)
            for shut in check_availability((_DOMAINS,), context):
                yield Unavailable(_DOMAIN, shut, place.start, place.end)


def _check_nodes(stream: list[Token], directive: DirectiveStatement) -> Iterator[BadValue]:
    seen: dict[float, FunctionSpan] = {}
    for before, token in pairwise(stream):
        value = number(token.string) if token.type is NUMBER else None
        if value is None:
            continue
        if value >= _MODULUS:
            yield _bad(ValueFault.OVERFLOW, token, directive)
        elif before.string == _NODE:
            twice = _bad(ValueFault.NODE_TWICE, token, directive)
            if value in seen:
                yield twice._replace(before=seen[value])
            seen.setdefault(value, (twice.start, twice.end))


def _bad(fault: ValueFault, token: Token, directive: DirectiveStatement) -> BadValue:
    start, end = token.placed(directive.start)
    return BadValue(directive.name, token.string, fault, start, end)
