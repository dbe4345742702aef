"""Straight chains of blocks, which a picture shows as one box.

A label that only one jump reaches, or none, begins a block of its own, but its block always runs
right after the one before it. A block that is nothing but a jump, as compilers write it after a
guarded branch, is shown with the branch: `@%p1 bra $then; bra.uni $else;`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.control_flow.flow_text import block_lines, instructions
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.features.control_flow.flow_text import Flow
    from ptx_ls.flow.graph import Block

_BRANCH: Final = "bra"


class Chains(NamedTuple):
    """The blocks of a graph in chains of neighbours, in the order of the text.

    `chain_of`: the index of the chain of each block. `jumps`: the blocks that are shown with the
    guarded branch before them.
    """

    chains: tuple[tuple[Block, ...], ...]
    chain_of: tuple[int, ...]
    jumps: frozenset[int]

    def joined(self, tail: int, head: int) -> tuple[int, int] | None:
        """Returns the chains of two blocks; None if they are neighbours in the same chain."""
        pair = self.chain_of[tail], self.chain_of[head]
        return None if pair[0] == pair[1] and head == tail + 1 else pair


def chains(flow: Flow) -> Chains:
    """Returns the chains of a graph; a block that continues no other begins one."""
    guarded = {it.block for it in flow.graph.branches if not it.is_indexed}
    found: list[list[Block]] = []
    chain_of = []
    jumps = set[int]()
    for block in flow.graph.blocks:
        before = found[-1][-1] if found else None
        if before is None or before.number in jumps:
            found.append([block])
        elif _continues(before, block):
            found[-1].append(block)
        elif before.number in guarded and _is_jump(flow, before, block):
            found[-1].append(block)
            jumps.add(block.number)
        else:
            found.append([block])
        chain_of.append(len(found) - 1)
    return Chains(tuple(map(tuple, found)), tuple(chain_of), frozenset(jumps))


def _continues(before: Block, block: Block) -> bool:
    """Whether a block always runs after the one before it in the text, and only then."""
    is_only_way = [*before.successors] == [block.number] and not before.leaves
    return is_only_way and not before.is_open and [*block.predecessors] == [before.number]


def _is_jump(flow: Flow, before: Block, block: Block) -> bool:
    """Whether a block only jumps elsewhere if the branch before it is not taken."""
    if block.labels or block.is_open or before.is_open or before.leaves:
        return False
    if len(block.successors) != 1 or [*block.predecessors] != [before.number]:
        return False
    texts = [text for _, text in instructions(block_lines(flow, block))]
    return len(texts) == 1 and texts[0].partition(" ")[0].partition(".")[0] == _BRANCH
