"""Matches the basic blocks of two versions of a function, by their code and their neighbours."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.graphs import flow_graph
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.sequences import ItemPair, SequencePart, increasing

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ptx_ls.comparison.code import FunctionCode
    from ptx_ls.comparison.vocabulary import Vocabulary
    from ptx_ls.document.document import Document

_N_ROUNDS: Final = 2
"""The number of edges over which neighbours make a block unique."""
_LEAST_ALIKE: Final = 0.3
"""The least share of common statements of two blocks that only their neighbours match."""


class BlockGraph(NamedTuple):
    """The blocks of a function: the number of the first statement of each, and their edges."""

    starts: Sequence[int]
    n_lines: int
    successors: Sequence[Sequence[int]]
    predecessors: Sequence[Sequence[int]]

    def span(self, number: int) -> tuple[int, int]:
        """Returns the numbers of the first statement of a block and of the one after its last."""
        after = number + 1
        return self.starts[number], (
            self.starts[after] if after < len(self.starts) else self.n_lines
        )


def blocks_of(document: Document, code: FunctionCode) -> BlockGraph:
    """Returns the blocks of a function, in the order of the text."""
    graph = flow_graph(document, code.number)
    places = [line.place for line in code.lines]
    starts = [bisect_left(places, start) for start in graph.starts]
    return BlockGraph(starts, len(places), graph.successors, graph.predecessors)


def matched_blocks(
    old: BlockGraph,
    new: BlockGraph,
    old_keys: Sequence[int],
    new_keys: Sequence[int],
    vocabulary: Vocabulary,
) -> list[ItemPair]:
    """Returns the numbers of matching blocks, in the order of the old ones.

    Blocks match if their statements, and those of the blocks around them, occur only once in each
    function; then those at the same edges of matching blocks, if they have statements in common.
    The keys are those of the statements of each function.
    """
    old_rounds = _signatures(old, old_keys, vocabulary)
    new_rounds = _signatures(new, new_keys, vocabulary)
    matched: dict[int, int] = {}
    taken: set[int] = set()
    for signatures, others in zip(reversed(old_rounds), reversed(new_rounds), strict=True):
        in_old = _unique(signatures, matched)
        in_new = _unique(others, taken)
        for signature in in_old.keys() & in_new.keys():
            matched[in_old[signature]] = in_new[signature]
            taken.add(in_new[signature])
    _follow_edges(old, new, matched, taken, (old_keys, new_keys))
    return sorted(ItemPair(*pair) for pair in matched.items())


def parts_between(
    pairs: Sequence[ItemPair], old: BlockGraph, new: BlockGraph
) -> list[SequencePart]:
    """Returns the parts of the statements of both functions that matching blocks divide them into.

    Only a longest selection of the pairs that has the same order in both functions counts.
    """
    parts: list[SequencePart] = []
    at_old = at_new = 0
    for pair in increasing(pairs):
        (first, stop), (new_first, new_stop) = old.span(pair.old), new.span(pair.new)
        parts += [
            SequencePart(at_old, first, at_new, new_first),
            SequencePart(first, stop, new_first, new_stop),
        ]
        at_old, at_new = stop, new_stop
    parts.append(SequencePart(at_old, old.n_lines, at_new, new.n_lines))
    return parts


def _signatures(graph: BlockGraph, keys: Sequence[int], vocabulary: Vocabulary) -> list[list[int]]:
    """Returns a number for each block that depends on its code, and on ever more neighbours."""
    spans = map(graph.span, range(len(graph.starts)))
    current = [vocabulary.number(("block", *keys[first:stop])) for first, stop in spans]
    rounds = [current]
    for _ in range(_N_ROUNDS):
        around: list[Hashable] = [
            (
                "around",
                signature,
                tuple([current[it] for it in graph.successors[number]]),
                tuple(sorted([current[it] for it in graph.predecessors[number]])),
            )
            for number, signature in enumerate(current)
        ]
        current = [vocabulary.number(it) for it in around]
        rounds.append(current)
    return rounds


def _unique(signatures: Sequence[int], known: dict[int, int] | set[int]) -> dict[int, int]:
    """Returns the number of the only block with each signature, among those not yet matched."""
    found: dict[int, int] = {}
    repeated = set()
    for number, signature in enumerate(signatures):
        if number in known:
            continue
        if signature in found:
            repeated.add(signature)
        found[signature] = number
    return {signature: number for signature, number in found.items() if signature not in repeated}


def _follow_edges(
    old: BlockGraph,
    new: BlockGraph,
    matched: dict[int, int],
    taken: set[int],
    keys: tuple[Sequence[int], Sequence[int]],
) -> None:
    """Adds blocks at the same edges of matching blocks."""
    if old.starts and new.starts and 0 not in matched and 0 not in taken:
        matched[0] = 0
        taken.add(0)
    waiting = sorted(matched)
    while waiting:
        number = waiting.pop()
        other = matched[number]
        for one, two in ((old.successors, new.successors), (old.predecessors, new.predecessors)):
            if len(one[number]) != len(two[other]):
                continue
            for after, other_after in zip(one[number], two[other], strict=True):
                if after in matched or other_after in taken:
                    continue
                spans = old.span(after), new.span(other_after)
                if _are_alike(keys, spans):
                    matched[after] = other_after
                    taken.add(other_after)
                    waiting.append(after)


def _are_alike(
    keys: tuple[Sequence[int], Sequence[int]], spans: tuple[tuple[int, int], tuple[int, int]]
) -> bool:
    one, two = (Counter(part[first:stop]) for part, (first, stop) in zip(keys, spans, strict=True))
    return (one & two).total() >= _LEAST_ALIKE * max(one.total(), two.total())
