"""Finds the comparison that alone decides when a loop ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.comparisons import predicate_facts

if TYPE_CHECKING:
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.function_input import FunctionInput


class OnlyTest(NamedTuple):
    """The only test of a loop.

    Attributes:
        held: the comparison that holds while the loop continues.
        block: the block whose branch tests it.
        is_at_end: whether the loop starts again directly after the test.
    """

    held: HeldComparison
    block: int
    is_at_end: bool


def only_test(given: FunctionInput, head: int) -> OnlyTest | None:
    """Returns the only test of the loop that begins with a block.

    None if the loop may end in another way, or if the test is not a single comparison of integers
    in this loop.
    """
    flow, forest = given.flow, given.flow.blocks.loop_forest
    loop, successors = forest.blocks(head), given.flow.blocks.successors
    exits = [block for block in loop if not loop.issuperset(successors[block])]
    if len(exits) != 1 or any(flow.leaves(block) or flow.is_opened(block) for block in loop):
        return None
    block = exits[0]
    staying = loop.intersection(successors[block])
    fact = flow.edge_fact(block, *staying) if len(staying) == 1 else None
    guard = None if fact is None else given.guard_at_end(block, fact[0])
    if fact is None or guard is None:
        return None
    facts = predicate_facts(given, guard, value=fact[1])
    if len(facts.comparisons) != 1 or not facts.is_exact:
        return None
    held = facts.comparisons[0]
    is_inside = forest.innermost(held.instruction.block) == head
    return OnlyTest(held, block, is_at_end=staying == {head}) if is_inside else None
