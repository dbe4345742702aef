"""Finds the values of predicates that all paths to a block of a function need."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.threads.uniformity.levels import Level
from ptx_ls.values.affine_values import is_stable
from ptx_ls.values.comparisons import predicate_facts
from ptx_ls.values.decoding import plain_name
from ptx_ls.values.transfer.comparison import NEGATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ptx_ls.threads.uniformity.function_uniformity import FunctionUniformity
    from ptx_ls.values.affine import AffineForm
    from ptx_ls.values.comparisons import HeldComparison

    PredicateValues = Mapping[object, bool]

_NOTHING: Final[PredicateValues] = {}
_NEXT: Final = {"gt": "ge", "le": "lt"}
"""The comparisons with the next larger constant that mean the same as these."""
_MAX_BLOCKS: Final = 2_000
"""Number of blocks of a function up to which paths are followed."""


class FixedComparison(NamedTuple):
    """A comparison of integers that do not change while a thread runs.

    `operator`: the written one or its negation, whichever is first in the alphabet.
    `is_same`: whether all threads of a block compare the same numbers.
    """

    operator: str
    left: AffineForm
    right: AffineForm
    width: int
    is_signed: bool
    is_same: bool


class NeededPredicates:
    """The predicates on which branches to the blocks of a function depend.

    A predicate is a register with the writes that its value may come from, as a branch reads it.
    If it depends on comparisons of numbers that do not change, it is also these comparisons.
    """

    def __init__(self, uniformity: FunctionUniformity) -> None:
        self._uniformity, self._values = uniformity, uniformity.values
        self._graph = uniformity.values.graph

    def at(self, block: int) -> PredicateValues | None:
        """Returns the values that predicates have whenever a block runs; None if it never does."""
        return self._found.get(block, _NOTHING)

    @cached_property
    def _found(self) -> Mapping[int, PredicateValues | None]:
        graph = self._graph
        found: dict[int, PredicateValues | None] = {0: _NOTHING}
        if graph.n_blocks > _MAX_BLOCKS:
            return found
        heads = {head for _, head in graph.back_edges}
        for block in self._in_order()[1:]:
            if block in heads:
                found[block] = found.get(graph.dominators.parent[block], _NOTHING)
            else:
                found[block] = _common([*self._entering(block, found)])
        return found

    def _in_order(self) -> Sequence[int]:
        """Returns the blocks, each after those that lead to it within an iteration."""
        graph, back = self._graph, frozenset(self._graph.back_edges)
        order, seen = list[int](), {0}
        waiting = [(0, iter(graph.successors[0]))]
        while waiting:
            block, following = waiting[-1]
            for each in following:
                if each not in seen and (block, each) not in back:
                    seen.add(each)
                    waiting.append((each, iter(graph.successors[each])))
                    break
            else:
                order.append(block)
                waiting.pop()
        return order[::-1]

    def _entering(
        self, block: int, found: Mapping[int, PredicateValues | None]
    ) -> Iterator[PredicateValues]:
        """Yields the values that hold on each edge to a block that threads may take."""
        for each in self._graph.predecessors[block]:
            if each not in self._graph.reachable:
                continue
            before, decided = found.get(each, _NOTHING), self._decided(each, block)
            if before is not None and agree(before, decided):
                yield {**before, **decided}

    def _decided(self, block: int, following: int) -> PredicateValues:
        """Returns the predicates that an edge needs, with their values."""
        fact = self._values.flow.edge_fact(block, following)
        use = None if fact is None else self._values.given.guard_at_end(block, fact[0])
        return _NOTHING if fact is None or use is None else self.read(use, value=fact[1])

    def read(self, use: int, *, value: bool) -> PredicateValues:
        """Returns the predicates that a use of a register reads if it has a value."""
        flow = self._values.flow
        found: dict[object, bool] = {(flow.uses.codes[use], flow.definitions(use)): value}
        for held in predicate_facts(self._values.given, use, value=value).comparisons:
            left, right = (
                self._values.source_form(held.instruction, each, held.width)
                for each in (held.left, held.right)
            )
            if left is None or right is None or not (is_stable(left) and is_stable(right)):
                continue
            is_same = self._is_same(held)
            operator, right = _with_next(held.operator, right, is_signed=held.is_signed)
            first = min(operator, NEGATIONS[operator])
            fixed = FixedComparison(first, left, right, held.width, held.is_signed, is_same)
            found[fixed] = operator == first
        return found

    def _is_same(self, held: HeldComparison) -> bool:
        """Whether all threads of a block compare the same numbers."""
        decoder = self._values.given.decoder
        names = (plain_name(each) for each in (held.left, held.right))
        uses = (decoder.reading_use(held.instruction, each) for each in names)
        return all(it is None or self._uniformity.read(it).surely >= Level.CTA for it in uses)


def _with_next(operator: str, right: AffineForm, *, is_signed: bool) -> tuple[str, AffineForm]:
    """Returns a comparison that means the same, such as `n >= 1` for `n > 0`.

    Compilers write `n < 1` for the opposite of `n > 0`.
    """
    following, after_largest = right.offset + 1, 1 << right.width - 1 if is_signed else 0
    if operator not in _NEXT or right.terms or following == after_largest:
        return operator, right
    return _NEXT[operator], right._replace(offset=following)


def agree(one: PredicateValues, other: PredicateValues) -> bool:
    """Whether no predicate has different values."""
    return all(one.get(key, value) == value for key, value in other.items())


def _common(entering: Sequence[PredicateValues]) -> PredicateValues | None:
    """Returns what holds on each of some edges; None if there are none."""
    if not entering:
        return None
    first, *others = entering
    return {
        key: value
        for key, value in first.items()
        if all(other.get(key) == value for other in others)
    }
