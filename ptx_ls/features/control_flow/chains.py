"""Straight chains of blocks, which a picture shows as one box.

A label that only one jump reaches, or none, begins a block of its own, but its block always runs
right after the one before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.flow.graph import Block, FlowGraph


class Chains(NamedTuple):
    """The blocks of a graph in chains of neighbours, in the order of the text.

    `chain_of`: the index of the chain of each block.
    """

    chains: tuple[tuple[Block, ...], ...]
    chain_of: tuple[int, ...]

    def joined(self, tail: int, head: int) -> tuple[int, int] | None:
        """Returns the chains of two blocks; None if they are neighbours in the same chain."""
        pair = self.chain_of[tail], self.chain_of[head]
        return None if pair[0] == pair[1] and head == tail + 1 else pair


def chains(graph: FlowGraph) -> Chains:
    """Returns the chains of a graph; a block that continues no other begins one."""
    found: list[list[Block]] = []
    chain_of = []
    for block in graph.blocks:
        if found and _continues(found[-1][-1], block):
            found[-1].append(block)
        else:
            found.append([block])
        chain_of.append(len(found) - 1)
    return Chains(tuple(map(tuple, found)), tuple(chain_of))


def _continues(before: Block, block: Block) -> bool:
    """Whether a block always runs after the one before it in the text, and only then."""
    is_only_way = [*before.successors] == [block.number] and not before.leaves
    return is_only_way and not before.is_open and [*block.predecessors] == [before.number]
