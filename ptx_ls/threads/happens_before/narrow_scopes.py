"""Finds accesses that are only strong within a block, to memory that all blocks share.

Source: PTX ISA, "Scope" and "Morally strong operations": two operations have to be in the scopes of
each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.events.sites import address_of, event_sites
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues

OPCODES: Final = ("atom", "ld", "red", "st")
"""The opcodes of accesses with a scope."""
_MARK: Final = ".cta."
_BLOCK: Final = "cta"
_SPACES: Final = frozenset({"generic", "global"})
_OF_BLOCKS: Final = ("%ctaid", "%nctaid")
"""Special registers that only matter to kernels with several blocks."""
_SAME_IN_BLOCKS: Final = ("%tid", "%ntid", "%laneid", "%nctaid")
_WITHOUT_BLOCK: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW)


class NarrowScope(NamedTuple):
    """An access with the scope `cta` to memory at an address that is the same in all blocks.

    `symbol`: the variable, or the parameter with the pointer.
    """

    found: Found
    symbol: Symbol


def may_be_narrow(text: RegionText) -> bool:
    """Whether a function has accesses with the scope of a block to memory outside of it."""
    return any(
        _MARK in each.opcode and _is_narrow(events_of(each)) for each in text.shapes_of(OPCODES)
    )


def _is_narrow(known: ShapeEvents | None) -> bool:
    events = known.events.accesses if known is not None else ()
    return any(each.scope == _BLOCK and each.space in _SPACES for each in events)


def narrow_scopes(values: FunctionValues) -> Iterator[NarrowScope]:
    """Yields the accesses of a kernel whose scope is too narrow for its blocks."""
    if not any(map(values.flow.has_text, _OF_BLOCKS)):
        return
    for site in event_sites(values, OPCODES, _is_narrow):
        for event in site.known.events.accesses if site.known is not None else ():
            form = address_of(values, site, event.operand)
            base = form.base if form is not None else None
            if form is None or base is None or base.symbol is None or form.space == ".shared":
                continue
            is_global = base.kind is TermKind.PARAMETER or base.symbol.space == ".global"
            if is_global and _is_same(form) and _runs_in_all_blocks(values, site.found):
                yield NarrowScope(site.found, base.symbol)
                break


def _is_same(form: AffineForm) -> bool:
    """Whether a number does not depend on the block."""
    return all(_is_term_same(term) for term, _ in form.terms)


def _is_term_same(term: AffineTerm) -> bool:
    if term.kind is TermKind.SPECIAL:
        return term.name.startswith(_SAME_IN_BLOCKS)
    if term.kind is TermKind.PRODUCT:
        return all(map(_is_term_same, term.factors))
    return term.kind in _WITHOUT_BLOCK


def _runs_in_all_blocks(values: FunctionValues, found: Found) -> bool:
    """Whether no condition of a statement depends on the block, as far as conditions are known."""
    forms: list[AffineForm | None] = []
    for condition in values.conditions(found):
        if not condition.facts.is_exact:
            return False
        for held in condition.facts.comparisons:
            sides = (held.left, held.right)
            forms += [values.source_form(held.instruction, each, held.width) for each in sides]
    return _are_same(forms)


def _are_same(forms: Iterable[AffineForm | None]) -> bool:
    return all(each is not None and _is_same(each) for each in forms)
