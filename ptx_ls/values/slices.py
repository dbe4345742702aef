"""Finds the definitions that a value depends on, in an order in which they can be evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

MAX_SLICE: Final = 4_096
"""Maximum number of definitions that are followed for one question."""


class Component(NamedTuple):
    """Definitions that depend on each other, or a single one.

    `is_cyclic`: whether they, or it, depend on themselves. `is_cut`: whether there were too many to
    follow, so that nothing is known of this one.
    """

    members: tuple[int, ...]
    is_cyclic: bool
    is_cut: bool = False


def components(
    roots: Iterable[int],
    sources: Callable[[int], tuple[int, ...]],
    known: Container[int],
) -> Iterator[Component]:
    """Yields the components of the definitions that some depend on, sources first.

    Known definitions are left out. This is Tarjan's algorithm without recursion.
    """
    search = _ComponentSearch(sources, known)
    for root in roots:
        if root not in known and root not in search.low:
            yield from search.visit(root)


class _ComponentSearch:
    def __init__(self, sources: Callable[[int], tuple[int, ...]], known: Container[int]) -> None:
        self._sources, self._known = sources, known
        self.low: dict[int, int] = {}
        self._number: dict[int, int] = {}
        self._open: list[int] = []
        self._is_open: set[int] = set()

    def visit(self, root: int) -> Iterator[Component]:
        path: list[tuple[int, Iterator[int]]] = [self._enter(root)]
        while path:
            node, rest = path[-1]
            for following in rest:
                if following in self._known and following not in self._is_open:
                    continue
                if following not in self._number:
                    if len(self._number) >= MAX_SLICE:
                        self._number[following] = self.low[following] = len(self._number)
                        yield Component((following,), is_cyclic=False, is_cut=True)
                        continue
                    path.append(self._enter(following))
                    break
                if following in self._is_open:
                    self.low[node] = min(self.low[node], self._number[following])
            else:
                path.pop()
                if path:
                    before = path[-1][0]
                    self.low[before] = min(self.low[before], self.low[node])
                if self.low[node] == self._number[node]:
                    yield self._close(node)

    def _enter(self, node: int) -> tuple[int, Iterator[int]]:
        self._number[node] = self.low[node] = len(self._number)
        self._open.append(node)
        self._is_open.add(node)
        return node, iter(self._sources(node))

    def _close(self, node: int) -> Component:
        at = len(self._open) - 1
        while self._open[at] != node:
            at -= 1
        members = tuple(sorted(self._open[at:]))
        del self._open[at:]
        self._is_open.difference_update(members)
        is_cyclic = len(members) > 1 or node in self._sources(node)
        return Component(members, is_cyclic)
