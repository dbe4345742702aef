"""How far apart the addresses of neighbouring threads, or of successive iterations, are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.flow.structure.loop_forest import NO_LOOP
from ptx_ls.values.affine import TermKind
from ptx_ls.values.code_place import ENTRY

if TYPE_CHECKING:
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.function_values import FunctionValues

_SAME: Final = (TermKind.SYMBOL, TermKind.PARAMETER, TermKind.WINDOW, TermKind.COUNTER)
"""Terms that are the same in all threads of a block, in one iteration of a loop."""
_BLOCKS: Final = ("%ctaid.", "%nctaid.", "%ntid.")


def thread_stride(form: AffineForm, values: FunctionValues) -> int | None:
    """Returns the difference of a form between the first two threads of a block.

    None if it is unknown, because something in the form depends on the thread in another way.
    """
    stride = 0
    for term, times in form.terms:
        parts: AffineForm | None = None
        if term.kind is TermKind.DEFINITION and term.width < form.width:
            parts = values.written(term.definitions[0]).affine
        found = [(term, 1)] if parts is None else parts.terms
        for part, count in found:
            if _is_same_in_block(part):
                continue
            difference = values.difference_of_threads(part)
            if difference is None:
                return None
            stride += difference * times * count
    return stride


def iteration_stride(form: AffineForm, found: Found, values: FunctionValues) -> int | None:
    """Returns the difference of a form between two iterations of the innermost loop.

    None if it is unknown, and if the statement may not run in successive iterations.
    """
    blocks = values.flow.blocks
    block = values.flow.block_at(found.start)
    head = blocks.loop_forest.innermost(block) if block >= 0 else NO_LOOP
    own = [(it, times) for it, times in form.terms if it.kind is TermKind.COUNTER]
    counter, stride = next((it for it in own if it[0].head == head), (None, 0))
    if head == NO_LOOP or counter is None or values.term_value(counter).high == 0:
        return None
    loop = blocks.loop_forest.blocks(head)
    latches = [each for each in blocks.predecessors[head] if each in loop]
    if not all(blocks.dominators.dominates(block, each) for each in latches):
        return None
    if values.guard(found).constant != 1:
        return None
    others = (it for it, _ in form.terms if it != counter)
    is_known = all(_is_same_in_loop(each, loop, values) for each in others)
    return stride if is_known else None


def _is_same_in_loop(term: AffineTerm, loop: frozenset[int], values: FunctionValues) -> bool:
    """Whether a term does not change while the innermost loop runs."""
    if term.kind is TermKind.COUNTER or term.is_stable:
        return True
    if term.kind is TermKind.PRODUCT:
        return all(_is_same_in_loop(each, loop, values) for each in term.factors)
    block_of = values.flow.index.block_of
    return bool(term.definitions) and not any(
        each == ENTRY or block_of(each) in loop for each in term.definitions
    )


def _is_same_in_block(term: AffineTerm) -> bool:
    """Whether a term is the same number in all threads of a block."""
    if term.kind is TermKind.PRODUCT:
        return all(map(_is_same_in_block, term.factors))
    is_of_block = term.kind is TermKind.SPECIAL and term.name.startswith(_BLOCKS)
    return is_of_block or term.kind in _SAME
