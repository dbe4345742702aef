"""Finds the flags in global memory with which the blocks of a kernel wait for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.instructions.memory_events import events_of
from ptx_ls.source.reachability import reached
from ptx_ls.threads.flags.places import is_same_in_blocks
from ptx_ls.threads.flags.spin_loops import spin_loops
from ptx_ls.values.affine import TermKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Shape
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.function_values import FunctionValues

_LOAD: Final = "ld"
_STORE: Final = "st"
_INDEX: Final = "%ctaid"
_BLOCK: Final = "cta"


class BlockFlags:
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
            if self._is_of_each(form, other, wait) or self._is_of_each(other, form, found):
                return True
        return False

    def _is_of_each(self, own: AffineForm, other: AffineForm, found: Found) -> bool:
        """Whether each block has an element, and a statement accesses those of other blocks.

        `own`: where the element of a block is. `other`: what the statement accesses, which does not
        depend on the block. If only one block runs it, a constant element may be its own.
        """
        counters = [each for each in other.terms if each[0].kind is TermKind.COUNTER]
        fixed = other._replace(terms=tuple(each for each in other.terms if each not in counters))
        if not _is_index_of_block(own) or not is_same_in_blocks(fixed):
            return False
        return bool(counters) or not self._of_one(found)

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
