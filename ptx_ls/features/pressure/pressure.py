"""The registers that are alive in a function: on each line, in each loop, and at the widest point.

PTX has any number of registers, so these are not the registers of the machine; but no assembler can
keep fewer values at a time without storing some of them in memory.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.graphs import never_returning
from ptx_ls.flow.liveness import CLASSES, LiveCount, Liveness, register_class
from ptx_ls.flow.structure.loop_forest import LoopForest
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.region_text import MAX_RECENT_FUNCTIONS
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.flow.function_flow import FunctionFlow

MAX_LINES: Final = 100_000
"""Number of lines of the longest function that is analysed while a user waits."""


class LivePoint(NamedTuple):
    """The number of registers that are alive after the instruction on a line.

    Attributes:
        line: the line, from 0.
        counts: the number of registers of each class, in the order of `CLASSES`.
        words: the number of 32-bit registers that they take, without predicates.
    """

    line: int
    counts: tuple[int, ...]
    words: int


class LoopPressure(NamedTuple):
    """The widest point of a loop.

    Attributes:
        line: the line where the loop begins, from 0.
        depth: the number of loops around it, with itself.
        peak: the widest point.
        last: the last line of the loop that uses registers.
    """

    line: int
    depth: int
    peak: LivePoint
    last: int


class Pressure(NamedTuple):
    """The registers that are alive in a function.

    Attributes:
        name: the name of the function.
        line: the line where it begins, from 0.
        points: the numbers after each instruction that uses registers, in the order of the text.
        peak: the widest point.
        alive: the registers that are alive there by class, in order.
        loops: the widest points of its loops, in the order of the text.
    """

    name: str
    line: int
    points: tuple[LivePoint, ...]
    peak: LivePoint
    alive: tuple[tuple[str, tuple[str, ...]], ...]
    loops: tuple[LoopPressure, ...]


def pressures(document: Document) -> Iterator[Pressure]:
    """Yields the pressure in each function of a document that uses registers."""
    for number in range(document.n_leaves):
        found = pressure_of(document, number)
        if found is not None:
            yield found


def pressure_of(document: Document, number: int) -> Pressure | None:
    """Returns the pressure in the function with a number; None if it uses no registers."""
    named, liveness = region_facts(document.leaf(number)).function, liveness_of(document, number)
    if named is None or liveness is None:
        return None
    flow, first = liveness.flow, document.functions[number].first_line
    counts = [liveness.counts(block) for block in range(flow.blocks.n_blocks)]
    points = [[_point(first, each) for each in own] for own in counts]
    block, place = max(
        ((block, place) for block, own in enumerate(points) for place in range(len(own))),
        key=lambda at: (points[at[0]][at[1]].words, sum(points[at[0]][at[1]].counts)),
        default=(0, 0),
    )
    if not points[block]:
        return None
    return Pressure(
        named.name,
        first,
        tuple(chain.from_iterable(points)),
        points[block][place],
        tuple(_by_class(flow, liveness.alive_after(block, place))),
        tuple(_loops(flow, first, points)),
    )


def liveness_of(document: Document, number: int) -> Liveness | None:
    """Returns the live registers of the function with a number; None if it uses none."""
    found = _liveness(document.leaf(number), never_returning(document))
    return found if found.flow.uses.codes and found.flow.blocks.n_blocks else None


@lru_cache(maxsize=MAX_RECENT_FUNCTIONS)
def _liveness(function: Function, names: frozenset[str]) -> Liveness:
    return Liveness(function_flow(function, names))


def _point(first: int, count: LiveCount) -> LivePoint:
    return LivePoint(first + count.row, count.counts, count.words)


def _by_class(flow: FunctionFlow, codes: frozenset[int]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, name in enumerate(CLASSES):
        own = [code for code in codes if register_class(flow.registers.bank(code).type) == number]
        if own:
            yield name, tuple(flow.registers.name(code) for code in sorted(own))


def _loops(
    flow: FunctionFlow, first: int, points: Sequence[Sequence[LivePoint]]
) -> Iterator[LoopPressure]:
    forest = LoopForest(flow.blocks.successors)
    widest: dict[int, LivePoint] = {}
    lasts: dict[int, int] = {}
    for block, own in enumerate(points):
        if own:
            peak = max(own, key=_words)
            for head in forest.heads_around(block):
                widest[head] = max(widest.get(head, peak), peak, key=_words)
                lasts[head] = max(lasts.get(head, 0), own[-1].line)
    for head, peak in sorted(widest.items()):
        line = first + flow.graph.starts[head][0]
        yield LoopPressure(line, forest.depth(head), peak, lasts[head])


def _words(point: LivePoint) -> int:
    return point.words
