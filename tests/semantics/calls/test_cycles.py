"""Which functions may call themselves."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptx_ls.semantics.calls.cycles import recursive_functions

_NAMES = st.sampled_from("abcdefg")


def check_cycles(calls: str, recursive: str) -> None:
    """`calls` are functions with their callees, as `a:bc b:`."""
    edges = {it[0]: frozenset(it[2:]) for it in calls.split()}
    assert recursive_functions(edges) == set(recursive)


def reached(edges: Mapping[str, frozenset[str]], name: str) -> set[str]:
    """The functions that a function calls, directly or not."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        callees = edges.get(waiting.pop(), frozenset()) - found
        found |= callees
        waiting += callees
    return found


def test_cycles() -> None:
    check_cycles("", "")
    check_cycles("a:b b:", "")
    check_cycles("a:a b:a", "a")
    check_cycles("a:b b:a c:a", "ab")
    check_cycles("c:a a:b b:d d:", "")
    check_cycles("a:b b:c c:a d:e e:d f:ad", "abcde")


def test_callees_without_calls_of_their_own() -> None:
    check_cycles("a:xy b:x", "")


@given(st.dictionaries(_NAMES, st.frozensets(_NAMES)))
def test_a_function_is_recursive_if_it_reaches_itself(edges: dict[str, frozenset[str]]) -> None:
    expected = {name for name in edges if name in reached(edges, name)}
    assert recursive_functions(edges) == expected


def chain(n: int) -> dict[str, frozenset[str]]:
    """`n` functions, each of which calls the next one; no cycle."""
    return {f"f{i}": frozenset({f"f{i + 1}"}) for i in range(n)}


def ring(n: int) -> dict[str, frozenset[str]]:
    """`n` functions in one cycle of calls."""
    return {f"f{i}": frozenset({f"f{(i + 1) % n}"}) for i in range(n)}


def complete(n: int) -> dict[str, frozenset[str]]:
    """About `n` calls: some functions, each of which calls all."""
    n = int(n**0.5)
    return {f"f{i}": frozenset(f"f{j}" for j in range(n)) for i in range(n)}


@pytest.mark.parametrize("make", [chain, ring, complete])
def test_work_grows_as_the_calls(make: object) -> None:
    assert callable(make)
    assert steps(make(4000)) < 5 * steps(make(1000))


def steps(edges: dict[str, frozenset[str]]) -> int:
    """Lines of Python that run for it."""
    n_lines = 0

    def count(_frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401
        nonlocal n_lines
        n_lines += 1
        return count

    sys.settrace(count)
    try:
        recursive_functions(edges)
    finally:
        sys.settrace(None)
    return n_lines
