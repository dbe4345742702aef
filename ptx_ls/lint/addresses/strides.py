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
_MAX_DEPTH: Final = 3
"""Number of definitions that one part of an address is followed through."""
_BLOCKS: Final = ("%ctaid.", "%nctaid.", "%ntid.")


def thread_stride(form: AffineForm, found: Found, values: FunctionValues) -> int | None:
    """Returns the difference of a form at a statement between the first two threads of a block.

    In a loop, that is the difference in the first iteration. None if it is unknown, because
    something in the form depends on the thread in another way.
    """
    return _difference(form, found, values, _MAX_DEPTH)


def _difference(form: AffineForm, found: Found, values: FunctionValues, depth: int) -> int | None:
    stride = 0
    for term, times in form.terms:
        if _is_same_in_block(term):
            continue
        definition = -1
        if term.kind is TermKind.DEFINITION and term.width < form.width:
            definition = term.definitions[0]
        elif term.kind is TermKind.MERGE:
            definition = _first_definition(term, found, values)
        parts = values.written(definition).affine if depth and definition >= 0 else None
        if parts is None:
            difference = values.difference_of_threads(term)
        else:
            difference = _difference(parts, found, values, depth - 1)
        if difference is None:
            return None
        stride += difference * times
    return stride


def _first_definition(term: AffineTerm, found: Found, values: FunctionValues) -> int:
    """Returns what sets a register before the loop of a statement that changes it; -1: unknown.

    The statement has to run in each iteration.
    """
    head, block = _loop_of(found, values)
    if head == NO_LOOP or not _runs_in_each(head, block, values):
        return -1
    loop, block_of = values.flow.blocks.loop_forest.blocks(head), values.flow.index.block_of
    inner = [each for each in term.definitions if each != ENTRY and block_of(each) in loop]
    outer = [each for each in term.definitions if each not in inner]
    if len(outer) != 1 or outer[0] == ENTRY:
        return -1
    return outer[0] if all(_is_after(each, found, block, values) for each in inner) else -1


def _is_after(definition: int, found: Found, block: int, values: FunctionValues) -> bool:
    """Whether a definition in a loop is always after a statement of the same iteration."""
    flow = values.flow
    other = flow.index.block_of(definition)
    if other == block:
        return flow.statement(definition).start > found.start
    return flow.blocks.dominators.dominates(block, other)


def _loop_of(found: Found, values: FunctionValues) -> tuple[int, int]:
    """Returns the head of the innermost loop of a statement, and the block of the statement."""
    block = values.flow.block_at(found.start)
    return values.flow.blocks.loop_forest.innermost(block) if block >= 0 else NO_LOOP, block


def _runs_in_each(head: int, block: int, values: FunctionValues) -> bool:
    """Whether a block runs in each iteration of a loop after which another one follows."""
    blocks = values.flow.blocks
    loop = blocks.loop_forest.blocks(head)
    latches = [each for each in blocks.predecessors[head] if each in loop]
    return all(blocks.dominators.dominates(block, each) for each in latches)


def iteration_stride(form: AffineForm, found: Found, values: FunctionValues) -> int | None:
    """Returns the difference of a form between two iterations of the innermost loop.

    None if it is unknown, and if the statement may not run in successive iterations.
    """
    head, block = _loop_of(found, values)
    own = [(it, times) for it, times in form.terms if it.kind is TermKind.COUNTER]
    counter, stride = next((it for it in own if it[0].head == head), (None, 0))
    if head == NO_LOOP or counter is None or values.term_value(counter).high == 0:
        return None
    if not _runs_in_each(head, block, values) or values.guard(found).constant != 1:
        return None
    loop = values.flow.blocks.loop_forest.blocks(head)
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
