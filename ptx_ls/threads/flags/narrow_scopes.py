"""Finds accesses that are only strong within a block, to memory that all blocks share.

Source: PTX ISA, "Scope" and "Morally strong operations": two operations have to be in the scopes of
each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.slices.sources import OperandOrigins, depends_on
from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import reached
from ptx_ls.syntax.register_events import GUARDS, READS
from ptx_ls.threads.events.sites import address_of, base_use, event_sites
from ptx_ls.threads.flags.places import is_same_in_blocks
from ptx_ls.threads.flags.spin_loops import spin_loops
from ptx_ls.values.affine import TermKind
from ptx_ls.values.data_sources import OF_BLOCKS, OF_THREADS, DataSourceFinder
from ptx_ls.values.transfer.comparison import MIRRORED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.semantics.instructions.memory_events import ShapeEvents
    from ptx_ls.semantics.symbols.region_text import Found, RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_values import FunctionValues

OPCODES: Final = ("atom", "ld", "red", "st")
"""The opcodes of accesses with a scope."""
_LOAD: Final = "ld"
_STORE: Final = "st"
_INDEX: Final = "%ctaid"
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
    if not any(map(values.flow.has_text, _OF_BLOCKS)):
        return
    flags, sources = _Flags(values), OperandOrigins(values.flow)
    for site in event_sites(values, OPCODES, _is_narrow):
        for event in site.known.events.accesses if site.known is not None else ():
            use = base_use(values, site, event.operand)
            is_data = use is not None and sources.are_data(use)
            if is_data and event.kind != _UPDATES and not flags.are_known:
                continue  # data is not known to be the same in all blocks
            is_read = event.kind == _READS
            own = (*OF_BLOCKS, *OF_THREADS) if is_data else OF_BLOCKS
            if use is not None and not flags.compared(is_read=is_read):
                if depends_on(values.flow, use, own):  # takes less time than the address
                    continue
            form = address_of(values, site, event.operand)
            base = form.base if form is not None else None
            if form is None or base is None or base.symbol is None or form.space == ".shared":
                continue
            is_global = base.kind is TermKind.PARAMETER or base.symbol.space == ".global"
            if not is_global:
                continue
            is_of_data = is_data and event.kind == _UPDATES and _has_index_of_data(values, form)
            is_same = is_of_data or is_same_in_blocks(form)
            if is_read and flags.may_be_set_before(site.found):
                continue
            is_of_all = is_same and _runs_in_several_blocks(values, site.found)
            if is_of_all or flags.are_of_others(site.found, form, is_read=is_read):
                yield NarrowScope(site.found, base.symbol, is_of_data)
                break


class _Flags:
    """The flags for which loops of a kernel wait, and the stores that may set them."""

    def __init__(self, values: FunctionValues) -> None:
        self._values = values
        shapes = {each for each in values.flow.text.shapes_of((_LOAD,)) if _is_wide_load(each)}
        self._waits = [
            (found, form)
            for loop in spin_loops(values.flow, shapes, _is_wide_load)
            for found in loop.loads
            if (form := values.address_form(found, 1)) is not None
        ]
        stores = {each for each in values.flow.text.shapes_of((_STORE,)) if _is_wide(each)}
        self._stores = [
            (found, form)
            for found in values.flow.text.instructions(stores)
            if (form := values.address_form(found, 0)) is not None
        ]

    @property
    def are_known(self) -> bool:
        """Whether there is a flag with a known address."""
        return bool(self._waits)

    def may_be_set_before(self, found: Found) -> bool:
        """Whether a thread may wait for a flag with a wide scope before a statement.

        The wait may order what other blocks have stored before all later reads of the block.
        """
        graph = self._values.graph
        block = graph.number_at(found.start)
        if block is None or not self._waits:
            return False
        before = reached([block], graph.predecessors.__getitem__)
        return any(graph.number_at(each.start) in before for each, _ in self._waits)

    def compared(self, *, is_read: bool) -> Sequence[tuple[Found, AffineForm]]:
        """Returns what reads, or other accesses, are compared with, and at which addresses."""
        return self._stores if is_read else self._waits

    def are_of_others(self, found: Found, form: AffineForm, *, is_read: bool) -> bool:
        """Whether surely another block waits for what a statement accesses, or stores it.

        They name one variable with different indices of the block, or only one of them runs in all
        blocks.
        """
        for wait, other in self.compared(is_read=is_read):
            if other.base != form.base or found.start == wait.start:
                continue
            both = is_same_in_blocks(form), is_same_in_blocks(other)
            if both == (False, False) and form.terms == other.terms and form.offset != other.offset:
                return True
            if both == (True, True) and self._of_one(found) != self._of_one(wait):
                return True
        return False

    def _of_one(self, found: Found) -> bool:
        """Whether the index of the block decides if a statement runs, and equals a number."""
        for condition in self._values.conditions(found):
            for held in condition.facts.comparisons if condition.facts.is_exact else ():
                sides = (held.left, held.right)
                forms = [self._values.source_form(held.instruction, it, held.width) for it in sides]
                is_index = any(map(_is_index_of_block, forms))
                if held.operator == "eq" and is_index and None not in forms:
                    return True
        return False


def _is_index_of_block(form: AffineForm | None) -> bool:
    return form is not None and any(
        term.kind is TermKind.SPECIAL and term.name.startswith(_INDEX) for term, _ in form.terms
    )


def _is_wide(shape: Shape) -> bool:
    """Whether instructions of a shape are strong accesses with a scope of several blocks."""
    known = events_of(shape)
    events = known.events.accesses if known is not None else ()
    return bool(events) and all(it.scope not in ("", _BLOCK) and it.is_strong for it in events)


def _is_wide_load(shape: Shape) -> bool:
    return shape.name == _LOAD and _is_wide(shape)


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
