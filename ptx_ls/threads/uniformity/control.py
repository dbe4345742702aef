"""Which branches decide what a function runs, seen from the threads that stay alive.

A thread that exits is not waited for, so an exit under a guard does not divide the others: neither
it nor a branch to code that only exits, or that ends with a trap, decides what the others run.
After a branch, threads meet again at its post-dominator.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.structure.dominators import NONE, post_dominators
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.reachability import components, reached
from ptx_ls.syntax.record import Shape
from ptx_ls.syntax.register_events import READS
from ptx_ls.threads.uniformity.branch_decisions import (
    DecidingBranches,
    deciding_branches,
    has_few_decisions,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.flow.structure.dominators import Dominators

_RETURN: Final = "ret"
_ENDING: Final = ("trap", "call")
"""The opcodes that end the whole grid: a `call` here is one that does not return."""
MAX_CHOICES: Final = 64
"""Maximum number of branches that are examined for one value."""
MAX_BLOCKS: Final = 4_096
"""Maximum number of blocks of a function whose branches are followed."""
_FEW_BLOCKS: Final = 64
"""Number of blocks up to which there cannot be too many decisions."""
_MAX_DEPENDENCES: Final = 8
"""Maximum number of branches that directly decide whether a block runs, on average.

In the code of compilers, it is less than 2.
"""
_MAX_DECISIONS: Final = 20_000
"""Maximum number of pairs of a branch and a block about which it decides, perhaps indirectly.

In 2,500 blocks of a compiler's code, there are 8,400.
"""


class LeavingEdge(NamedTuple):
    """A way out of the kernel that only some threads take.

    `block`: the block that decides it. `following`: the block to which a branch leads, or -1 for an
    exit under a guard.
    """

    block: int
    following: int


class ControlStructure:
    """The branches of a function, and what they decide.

    Attributes:
        flow: the function.
        graph: its blocks, with all edges: threads that part meet again where all of these meet,
            even if a constant decides that no thread takes one.
        is_kernel: whether `ret` ends a thread.
        successors: those of each block, without ways out, if there are others. In a function that
            returns, the block after the last one represents its end.
        leaving: the ways out that were left out.
    """

    def __init__(self, flow: FunctionFlow) -> None:
        self.flow, self.graph = flow, flow.graph
        function = flow.facts.function
        self.is_kernel = function is not None and function.kind is SymbolKind.KERNEL
        self.successors, self.leaving = self._followed()
        self._deciding: dict[int, frozenset[int]] = {}
        self._decided_by: dict[int, Sequence[int]] = {}
        self._regions: dict[int, frozenset[int]] = {}
        self._joins: dict[int, frozenset[int]] = {}

    @cached_property
    def is_known(self) -> bool:
        """Whether all branches can be followed."""
        graph = self.graph
        if graph.opened or graph.n_blocks > MAX_BLOCKS:
            return False
        if graph.n_blocks <= _FEW_BLOCKS:
            return True
        parents = self._parents
        return parents is not None and has_few_decisions(parents, _MAX_DECISIONS)

    def _followed(self) -> tuple[list[Sequence[int]], tuple[LeavingEdge, ...]]:
        graph = self.graph
        end = graph.n_blocks
        found: list[Sequence[int]] = [*graph.successors, ()]
        leaving = []
        for block, opcode in graph.leaves.items():
            if opcode == _RETURN and not self.is_kernel:
                found[block] = [*found[block], end]
            elif found[block] and opcode not in _ENDING:
                leaving.append(LeavingEdge(block, -1))
        ending, exits = self._ending(), self.exits
        for block in range(end):
            following = found[block]
            if len(following) > 1:
                kept = [each for each in following if each not in ending] or following
                others = [each for each in kept if each not in exits]
                if others and len(others) < len(kept):
                    leaving += [LeavingEdge(block, each) for each in kept if each in exits]
                found[block] = others or kept
        return found, tuple(sorted(leaving))

    def _ending(self) -> set[int]:
        """Returns the blocks from which all paths end the whole grid."""
        graph = self.graph
        found = {
            block
            for block, opcode in graph.leaves.items()
            if opcode in _ENDING and not graph.successors[block]
        }
        waiting = [*found]
        while waiting:
            for before in graph.predecessors[waiting.pop()]:
                if before not in found and found.issuperset(graph.successors[before]):
                    found.add(before)
                    waiting.append(before)
        return found

    @cached_property
    def exits(self) -> set[int]:
        """The blocks that only exit, or branch to such a block."""
        graph = self.graph
        opcodes = ("exit", _RETURN) if self.is_kernel else ("exit",)
        found = {
            block
            for block, opcode in graph.leaves.items()
            if opcode in opcodes and not graph.successors[block] and self._has_only(block, opcode)
        }
        waiting = [*found]
        while waiting:
            for before in graph.predecessors[waiting.pop()]:
                is_single = before not in found and len(graph.successors[before]) == 1
                if is_single and self._has_only(before, "bra"):
                    found.add(before)
                    waiting.append(before)
        return found

    def _has_only(self, block: int, opcode: str) -> bool:
        """Whether a block has no instruction except for one with an opcode."""
        graph, text = self.graph, self.flow.text
        rows = graph.lines(block)
        if len(rows) > _MAX_ROWS:
            return False
        return all(
            found.record.name == opcode
            for found in text.statements(rows)
            if isinstance(found.record, Shape) and graph.number_at(found.start) == block
        )

    @cached_property
    def post_dominators(self) -> Dominators:
        """The post-dominators of the blocks."""
        return post_dominators(self.successors, ())

    def is_repeated(self, block: int) -> bool:
        """Whether threads may repeat a branch before they meet those that went the other way.

        Each time, fewer threads may run the code that it decides.
        """
        return block in self._in_loops and block in self.region(block)

    @cached_property
    def _in_loops(self) -> frozenset[int]:
        """The blocks that may run repeatedly."""
        return frozenset(
            block
            for members in components(self.successors)
            for block in members
            if len(members) > 1 or block in self.successors[block]
        )

    @property
    def parents(self) -> DecidingBranches:
        """For each block, those whose branches decide whether it runs; empty if not `is_known`."""
        return self._parents or DecidingBranches([0] * (len(self.successors) + 1), [])

    @cached_property
    def _parents(self) -> DecidingBranches | None:
        """The same; None if they are too many to follow."""
        n_blocks = len(self.successors)
        most = _MAX_DEPENDENCES * n_blocks if n_blocks > _FEW_BLOCKS else n_blocks * n_blocks
        return deciding_branches(self.successors, self.post_dominators, most)

    @cached_property
    def reached(self) -> frozenset[int]:
        """The blocks that some thread reaches without leaving."""
        return frozenset(reached([0] if self.graph.n_blocks else [], self.successors.__getitem__))

    def deciding(self, block: int) -> frozenset[int]:
        """Returns all blocks whose branches decide whether a block runs, and how often."""
        known = self._deciding.get(block)
        if known is not None:
            return known
        found = reached(self.parents[block], self.parents.__getitem__)
        self._deciding[block] = frozenset(found)
        return self._deciding[block]

    def decided_by(self, block: int) -> Sequence[int]:
        """Returns the uses that decide what a block leads to: its guard, or the index of a jump."""
        if block not in self._decided_by:
            self._decided_by[block] = self._find_decided_by(block)
        return self._decided_by[block]

    def _find_decided_by(self, block: int) -> Sequence[int]:
        index, ways = self.flow.index, self.flow.uses.ways
        last = index.firsts[block + 1] - 1
        if block >= len(index.firsts) - 1 or last < index.firsts[block]:
            return ()
        return [use for use in index.statement(last) if ways[use] & READS]

    def meeting_point(self, block: int) -> int:
        """Returns the block where threads that a branch divides meet again, or `NONE`."""
        parent = self.post_dominators.parent[block]
        return NONE if parent >= len(self.successors) else parent

    def region(self, block: int) -> frozenset[int]:
        """Returns the blocks that may run between a branch and the place where threads meet."""
        found = self._regions.get(block)
        if found is None:
            found = frozenset(self._between(self.successors[block], self.meeting_point(block)))
            self._regions[block] = found
        return found

    def following(self, block: int) -> set[int]:
        """Returns the blocks that control may reach after a block."""
        return self._between(self.successors[block])

    def _between(self, first: Sequence[int], *barred: int) -> set[int]:
        """Returns the blocks that control reaches from some without passing others."""
        found: set[int] = set()
        waiting = [*first]
        while waiting:
            each = waiting.pop()
            if each not in found and each not in barred:
                found.add(each)
                waiting += self.successors[each]
        return found

    def choosing(self, use: int) -> tuple[int, ...] | None:
        """Returns the branches that decide which definition the value of a register comes from.

        Threads that were divided by a branch have different values if a definition runs while they
        are apart, and both reach the use: after they met again, or on two paths. None if there are
        too many branches.
        """
        flow = self.flow
        writes = flow.definitions(use).writes
        place = flow.index.block_of(use)
        defining = {flow.index.block_of(each) for each in writes}
        branches = set().union(*map(self.deciding, defining))
        if not branches:
            return ()
        if len(branches) > MAX_CHOICES:
            return None
        keeping = self._keeping(use)
        return tuple(
            branch
            for branch in sorted(branches)
            if self.meeting_point(branch) in keeping
            or (len(writes) > 1 and place in self._joining(branch))
        )

    def _keeping(self, use: int) -> set[int]:
        """Returns the blocks from whose start a register may keep its value up to a use."""
        index, chain = self.flow.index, self.flow.chain(self.flow.uses.codes[use])
        place, first = index.block_of(use), index.first(use)
        if any(each.kills for each in chain.before(place, first)):
            return set()
        killing = {block for block, own in chain.writes.items() if any(each.kills for each in own)}
        found = {place}
        waiting = [place]
        while waiting:
            before = self._predecessors[waiting.pop()]
            new = [each for each in before if each not in found and each not in killing]
            found.update(new)
            waiting += new
        return found

    def _joining(self, branch: int) -> frozenset[int]:
        """Returns the blocks that several ways of a branch reach before threads meet again."""
        found = self._joins.get(branch)
        if found is None:
            seen: set[int] = set()
            twice: set[int] = set()
            for each in self.successors[branch]:
                way = self._between([each], branch, self.meeting_point(branch))
                twice |= seen & way
                seen |= way
            found = self._joins[branch] = frozenset(twice)
        return found

    @cached_property
    def _predecessors(self) -> list[list[int]]:
        """The blocks from which control reaches each block."""
        found: list[list[int]] = [[] for _ in self.successors]
        for block, following in enumerate(self.successors):
            for each in following:
                found[each].append(block)
        return found


_MAX_ROWS: Final = 8
"""Maximum number of lines of a block that is searched to see whether it only exits."""
