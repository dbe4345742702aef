"""Finds accesses that are only strong within a block, to memory that all blocks share.

Source: PTX ISA, "Scope" and "Morally strong operations": two operations have to be in the scopes of
each other.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import OperandOrigins, depends_on
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.threads.events.sites import address_of, base_use, event_sites
from ptx_ls.threads.flags.block_flags import BlockFlags
from ptx_ls.threads.flags.places import is_same_in_blocks
from ptx_ls.values.affine import TermKind
from ptx_ls.values.data_sources import OF_BLOCKS, OF_THREADS, DataSourceFinder
from ptx_ls.values.transfer.comparison import MIRRORED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.isa.memory_events import AccessEvent
    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.threads.events.sites import EventSite
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues

OPCODES: Final = ("atom", "ld", "red", "st")
"""The opcodes of accesses with a scope."""
_STORE: Final = "st"
_MARK: Final = ".cta."
_BLOCK: Final = "cta"
_UPDATES: Final = "updates"
_READS: Final = "reads"
_ABOVE: Final = frozenset({"gt", "ge", "ne"})
_BELOW: Final = frozenset({"lt", "le"})
_SPACES: Final = frozenset({"generic", "global"})
_OF_BLOCK: Final = frozenset({"generic", "shared::cta", "shared::cluster"})
_GLOBALS: Final = frozenset({".global", ".const"})
_COUNTS: Final = ("%nctaid", "%nclusterid", "%cluster_nctaid")
_OF_BLOCKS: Final = ("%ctaid", "%nctaid")
"""Special registers that only matter to kernels with several blocks."""


class NarrowScope(NamedTuple):
    """An access with the scope `cta` to memory at an address that is the same in all blocks.

    `symbol`: the variable, or the parameter with the pointer. `is_of_data`: whether data in memory
    decides where the address is, so that only some data makes blocks access the same place.
    """

    found: Found
    symbol: Symbol
    is_of_data: bool


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
    if any(map(values.flow.has_text, _OF_BLOCKS)):
        search = _NarrowScopes(values)
        for site in event_sites(values, OPCODES, _is_narrow):
            events = site.known.events.accesses if site.known is not None else ()
            found = (search.narrow(site, event) for event in events)
            yield from islice((each for each in found if each is not None), 1)


class _NarrowScopes:
    """The search for such accesses in a kernel."""

    def __init__(self, values: FunctionValues) -> None:
        self._values = values
        self._flags, self._sources = BlockFlags(values), OperandOrigins(values.flow)

    def narrow(self, site: EventSite, event: AccessEvent) -> NarrowScope | None:
        """Returns an access if its scope is too narrow."""
        values, flags = self._values, self._flags
        use = base_use(values, site, event.operand)
        is_data, is_read = use is not None and self._sources.are_data(use), event.kind == _READS
        if is_data and event.kind != _UPDATES and not flags.are_known:
            return None  # data is not known to be the same in all blocks
        own = (*OF_BLOCKS, *OF_THREADS) if is_data else OF_BLOCKS
        is_alone = not flags.compared(is_read=is_read)
        if is_alone and use is not None and depends_on(values.flow, use, own):
            return None  # which takes less time to find out than the address
        form = address_of(values, site, event.operand)
        symbol = _global_of(form)
        if form is None or symbol is None or (is_read and flags.may_be_set_before(site.found)):
            return None
        is_of_data = is_data and event.kind == _UPDATES and _has_index_of_data(values, form)
        is_same = is_of_data or is_same_in_blocks(form)
        is_of_all = is_same and _runs_in_several_blocks(values, site.found)
        if is_of_all or flags.are_of_others(site.found, form, is_read=is_read):
            return NarrowScope(site.found, symbol, is_of_data)
        return None


def _global_of(form: AffineForm | None) -> Symbol | None:
    """Returns the global variable, or the parameter with the pointer, that an address begins at."""
    base = form.base if form is not None else None
    if form is None or base is None or base.symbol is None or form.space == ".shared":
        return None
    is_global = base.kind is TermKind.PARAMETER or base.symbol.space == ".global"
    return base.symbol if is_global else None


def _has_index_of_data(values: FunctionValues, form: AffineForm) -> bool:
    """Whether only data, which any block may load, decides which element an address is."""
    found = DataSourceFinder(values, (*OF_THREADS, *OF_BLOCKS)).of_form(form)
    if not found.has_data or not found.is_known or found.has_thread:
        return False
    return not any(_is_of_one_block(values, each) for each in found.loads)


def _is_of_one_block(values: FunctionValues, load: int) -> bool:
    """Whether a load may return something that only one block has.

    It reads an element of the block, such as where the rows of the block begin, or what the block
    has stored in its shared memory, such as its number or the result of an atomic operation.
    """
    instruction = values.given.decoder.of_use(load)
    if _GLOBALS.isdisjoint(instruction.modifiers) and _stores_own_number(values):
        return True
    address = values.address_form(instruction.found, 1)
    if address is None:
        return True
    of_block = DataSourceFinder(values, OF_BLOCKS).of_form(address)
    return of_block.has_thread and not DataSourceFinder(values).of_form(address).has_thread


def _stores_own_number(values: FunctionValues) -> bool:
    """Whether a block may store in its shared memory what no other block does."""
    finder, flow = DataSourceFinder(values, OF_BLOCKS), values.flow
    for site in event_sites(values, (_STORE,), _may_be_shared):
        address = base_use(values, site, "a")
        for use in values.given.decoder.of_statement(site.found).uses:
            if use != address and flow.uses.ways[use] & (READS | GUARDS) == READS:
                found = finder.of_use(use)
                if found.has_thread or not found.is_known:
                    return True
    return False


def _may_be_shared(known: ShapeEvents | None) -> bool:
    events = known.events.accesses if known is not None else ()
    return any(each.space in _OF_BLOCK for each in events)


def _runs_in_several_blocks(values: FunctionValues, found: Found) -> bool:
    """Whether all conditions of a statement are known, and some launch lets several blocks pass.

    They do not depend on the block, or limit an index by a number that all blocks know. Each thread
    leaves a loop at some time.
    """
    forest, block = values.graph.loop_forest, values.graph.number_at(found.start)
    around = {*forest.heads_around(block)} if block is not None else set()
    for condition in values.conditions(found):
        edge = condition.edge
        if edge is not None and not around.issuperset(forest.heads_around(edge.block)):
            continue
        if not condition.facts.is_exact:
            return False
        if not all(_is_of_several(values, each) for each in condition.facts.comparisons):
            return False
    return True


def _is_of_several(values: FunctionValues, held: HeldComparison) -> bool:
    """Whether a comparison may hold in several blocks."""
    left, right = (
        values.source_form(held.instruction, each, held.width) for each in (held.left, held.right)
    )
    if left is None or right is None:
        return False
    of_left, of_right = (DataSourceFinder(values, OF_BLOCKS).of_form(it) for it in (left, right))
    if not all(each.is_known and not each.has_data for each in (of_left, of_right)):
        return False
    operator = held.operator
    if not of_left.has_thread and not of_right.has_thread:
        return _allows_several(values, left, operator) and _allows_several(
            values, right, MIRRORED[operator]
        )
    if not of_left.has_thread:
        left, right, operator = right, left, MIRRORED[operator]
    is_limit = is_same_in_blocks(right) and any(_is_of_grid(term) for term, _ in right.terms)
    return operator in _BELOW and is_limit


def _allows_several(values: FunctionValues, form: AffineForm, operator: str) -> bool:
    """Whether a comparison with a number on its left holds for several blocks.

    A number of blocks that has to be small, or equal to another one, may be 1.
    """
    has_count = DataSourceFinder(values, _COUNTS).of_form(form).has_thread
    return not has_count or operator in _ABOVE


def _is_of_grid(term: AffineTerm) -> bool:
    """Whether a term may be larger than a block: it depends on a parameter or number of blocks."""
    if term.kind is TermKind.PRODUCT:
        return any(map(_is_of_grid, term.factors))
    if term.kind is TermKind.SPECIAL:
        return term.name.startswith(_COUNTS)
    return term.kind is TermKind.PARAMETER
