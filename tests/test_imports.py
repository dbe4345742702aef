"""Imports between modules: they go one way, and every module is imported by the product."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path

import pytest

import ptx_ls

ROOT = Path(ptx_ls.__file__).parents[1]
PACKAGE = ROOT / "ptx_ls"
PACKAGES = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
PROGRAMS = ("docs", "certify", "benchmarks")
"""Folders of programs whose imports count as uses; tests do not."""
ENTRY_POINTS = {
    "ptx_ls.__main__",  # python -m ptx_ls
    "ptx_ls.api",  # named in `ptx_ls.__getattr__`
    "ptx_ls.server.workspace.file_worker",  # named in the command line of the process it is for
}
FOUND_BY_NAME = ("ptx_ls.lint.rules.", "ptx_ls.server.handlers.")
"""Packages whose modules are imported by walking them."""

Graph = Mapping[str, frozenset[str]]


def module_names(folder: Path) -> dict[str, Path]:
    """The file of each module in a folder, packages included, by its dotted name."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(source: str, modules: Iterable[str]) -> frozenset[str]:
    """Which of the modules a source imports, wherever in it the import is."""
    known, found = set(modules), set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner
            if not inner <= known:
                found.add(node.module or "")
    return frozenset(found & known)


@lru_cache(maxsize=1)
def import_graph() -> Graph:
    modules = module_names(PACKAGE)
    return {
        name: imported(path.read_text("utf-8"), modules) - {name} for name, path in modules.items()
    }


def cycles(graph: Graph) -> list[list[str]]:
    """A shortest cycle of each strongly connected component with more than one module."""
    users: dict[str, set[str]] = {name: set() for name in graph}
    for name, others in graph.items():
        for other in others:
            users[other].add(name)
    found, taken = [], set[str]()
    for root in reversed(finished(graph)):
        if root not in taken:
            component = reached([root], users, taken)
            taken |= component
            if len(component) > 1:
                found.append(shortest_cycle(graph, component))
    return sorted(found)


def finished(graph: Graph) -> list[str]:
    """The modules in the order in which a depth-first search leaves them: Kosaraju's first pass."""
    order: list[str] = []
    seen: set[str] = set()
    for root in graph:
        stack = [(root, iter(sorted(graph[root])))] if root not in seen else []
        seen.add(root)
        while stack:
            name, rest = stack[-1]
            following = next((it for it in rest if it not in seen), None)
            if following is None:
                order.append(name)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(sorted(graph[following]))))
    return order


def with_packages(graph: Graph) -> Graph:
    """The graph with the packages that Python imports before a module of theirs."""
    return {
        name: others.union(
            package
            for other in others
            for end in range(1, other.count(".") + 1)
            if (package := ".".join(other.split(".")[:end])) in graph
        )
        for name, others in graph.items()
    }


def reached(
    roots: Iterable[str], graph: Mapping[str, AbstractSet[str]], without: AbstractSet[str]
) -> set[str]:
    """The roots and what they lead to, without some modules and what only these lead to."""
    found, waiting = set[str](), list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found and name not in without:
            found.add(name)
            waiting += graph[name]
    return found


def shortest_cycle(graph: Graph, component: set[str]) -> list[str]:
    """A shortest way from a module of a component back to it, which is both first and last."""
    ways = []
    for start in sorted(component):
        came_from: dict[str, str] = {}
        waiting = [start]
        while start not in came_from:
            name = waiting.pop(0)
            for other in sorted(graph[name] & component):
                if other not in came_from:
                    came_from[other] = name
                    waiting.append(other)
        way = [start]
        while len(way) == 1 or way[-1] != start:
            way.append(came_from[way[-1]])
        ways.append(way[::-1])
    return min(ways, key=len)


def test_cycles_are_found() -> None:
    graph = {
        "a": frozenset({"b"}),
        "b": frozenset({"c", "d"}),
        "c": frozenset({"a"}),
        "d": frozenset({"e"}),
        "e": frozenset({"d", "f"}),
        "f": frozenset[str](),
    }
    assert cycles(graph) == [["a", "b", "c", "a"], ["d", "e", "d"]]


def test_imports_are_found_wherever_they_are() -> None:
    source = (
        "if TYPE_CHECKING:\n    from p.q import A\n"
        "def f():\n    import p.r\n    from p import s\n    from p import Name\n"
    )
    assert imported(source, ["p", "p.q", "p.r", "p.s", "p.t"]) == {"p", "p.q", "p.r", "p.s"}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_itself_through_others(package: str) -> None:
    found = [" -> ".join(it) for it in cycles(import_graph()) if package in it[0].split(".")[1:2]]
    assert found == []


def test_no_cycle_leads_through_several_packages() -> None:
    found = [it for it in cycles(import_graph()) if len({tuple(n.split(".")[:2]) for n in it}) > 1]
    assert found == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_is_used_by_more_than_tests(package: str) -> None:
    graph = with_packages(import_graph())
    roots = {name for name in graph if name.startswith(FOUND_BY_NAME)} | ENTRY_POINTS
    for folder in PROGRAMS:
        for path in (ROOT / folder).rglob("*.py"):
            roots |= imported(path.read_text("utf-8"), graph)
    unused = {
        name
        for name, path in module_names(PACKAGE / package).items()
        if name not in reached(roots, graph, frozenset()) and path.name != "__init__.py"
    }
    assert unused == set()


def test_every_entry_point_exists() -> None:
    assert set(module_names(PACKAGE)) >= ENTRY_POINTS
