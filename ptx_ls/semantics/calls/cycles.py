"""Who calls a function, directly or through others: itself, too, if it is recursive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.reachability import components, reached

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping


def recursive_functions(edges: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Returns the functions that reach themselves by calls.

    Args:
        edges: the functions that each function calls; callees that are not a key are ignored.
    """
    numbers = {name: number for number, name in enumerate(edges)}
    names = [*edges]
    callees = [[numbers[each] for each in edges[name] if each in numbers] for name in names]
    return frozenset(
        names[number]
        for component in components(callees)
        if len(component) > 1 or component[0] in callees[component[0]]
        for number in component
    )


def with_callers(names: Iterable[str], callers: Mapping[str, Collection[str]]) -> frozenset[str]:
    """Returns some functions, and all functions that reach them by calls."""
    return frozenset(reached(names, lambda name: callers.get(name, ())))
