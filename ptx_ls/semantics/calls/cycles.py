"""Finds functions that may call themselves, directly or through others.

Uses Tarjan's algorithm for strongly connected components, which visits each function and each call
once. It is not recursive, because a chain of calls may be as long as the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


def recursive_functions(edges: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Returns the functions that reach themselves by calls.

    Args:
        edges: the functions that each function calls; callees that are not a key are ignored.
    """
    return _Search(edges).run()


class _Search:
    """A depth-first search that numbers functions in the order in which it finds them."""

    def __init__(self, edges: Mapping[str, Collection[str]]) -> None:
        self._edges = edges
        self._numbers: dict[str, int] = {}
        self._lowest: dict[str, int] = {}  # the lowest number that each function reaches
        self._open: list[str] = []  # functions whose component is not complete yet
        self._is_open: set[str] = set()
        self._recursive: set[str] = set()

    def run(self) -> frozenset[str]:
        for name in self._edges:
            if name not in self._numbers:
                self._search(name)
        return frozenset(self._recursive)

    def _search(self, root: str) -> None:
        path = [(root, self._enter(root))]
        while path:
            name, callees = path[-1]
            callee = next(callees, None)
            if callee is None:
                path.pop()
                self._leave(name)
                if path:
                    caller = path[-1][0]
                    self._lowest[caller] = min(self._lowest[caller], self._lowest[name])
            elif callee not in self._numbers:
                path.append((callee, self._enter(callee)))
            elif callee in self._is_open:
                self._lowest[name] = min(self._lowest[name], self._numbers[callee])

    def _enter(self, name: str) -> Iterator[str]:
        self._numbers[name] = self._lowest[name] = len(self._numbers)
        self._open.append(name)
        self._is_open.add(name)
        return (callee for callee in self._edges[name] if callee in self._edges)

    def _leave(self, name: str) -> None:
        """Completes the component of a function, if the function is its root."""
        if self._lowest[name] != self._numbers[name]:
            return
        component: list[str] = []
        while not component or component[-1] != name:
            component.append(self._open.pop())
        self._is_open.difference_update(component)
        if len(component) > 1 or name in self._edges[name]:
            self._recursive.update(component)
