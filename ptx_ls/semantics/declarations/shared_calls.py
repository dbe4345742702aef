"""The .shared variables that a kernel needs because of the functions that it reaches.

A kernel reaches the functions that its code names, called or not, and those that these name in
turn. ptxas allocates for it the .shared variables that they declare, and those of the module that
they name. Source: whole programs compiled with ptxas 13.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.semantics.declarations.module_memory import size_of
from ptx_ls.semantics.symbols.symbols import SymbolKind
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.names import identifiers_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from collections.abc import Set as AbstractSet

    from ptx_ls.semantics.symbols.region import RegionFacts
    from ptx_ls.semantics.symbols.region_text import RegionText
    from ptx_ls.semantics.symbols.symbols import Symbol
    from ptx_ls.syntax.record import Shape

_SHARED: Final = ".shared"
_MOVE: Final = "mov"
_JUMPS: Final = frozenset({"bra", "call", "brx"})
"""Opcodes with names of labels, or of functions that are in the call graph anyway."""
_PARAMETER: Final = ".param"
_MAX_VISITS: Final = 1 << 17
"""Maximum number of functions to visit for all kernels of a module, as n kernels that reach n
functions would take n * n steps. Kernels after the limit are not checked."""


class Held(NamedTuple):
    """The .shared variables that a function adds to a kernel that reaches it.

    `size`: the size in bytes of the .shared variables that it declares. `names`: the variables of
    the module that its code names, and the functions whose addresses it takes.
    """

    size: int = 0
    names: frozenset[str] = frozenset()


class SharedThrough(NamedTuple):
    """The .shared variables that a kernel needs for functions that it reaches.

    `size`: the size in bytes of the variables that the functions declare. `names`: the variables of
    the module.
    """

    size: int = 0
    names: frozenset[str] = frozenset()


NOTHING: Final[Mapping[str, SharedThrough]] = {}
"""The value for a module in which no kernel needs shared variables of other functions."""


def own_shared(facts: RegionFacts) -> int:
    """Returns the size in bytes of the .shared variables that the body of a function declares."""
    exported = set(map(id, facts.exports))
    return sum(
        size_of(each)
        for each in facts.symbols
        if each.space == _SHARED and id(each) not in exported
    )


def held_by(
    text: RegionText,
    function: Symbol | None,
    read: Callable[[], RegionFacts],
    *,
    calls_registers: bool,
) -> Held:
    """Returns the shared memory that a function adds to each kernel that reaches it.

    `read` returns its declarations. `calls_registers`: whether it calls functions through
    registers. A kernel, which may be long, is searched for addresses of functions only if it does;
    its own variables are counted elsewhere.
    """
    if function is None:
        return Held()
    if function.kind is SymbolKind.KERNEL:
        return Held(0, _named(text, read, moves_only=True) if calls_registers else frozenset())
    size = own_shared(read()) if _SHARED in text.declarations_text else 0
    return Held(size, _named(text, read, moves_only=False))


def _named(
    text: RegionText, read: Callable[[], RegionFacts], *, moves_only: bool
) -> frozenset[str]:
    """Returns the names in instructions of a function that it does not declare itself."""
    shapes = {
        shape
        for shape in text.contents.shapes
        if (shape.name == _MOVE or not moves_only) and _names_variable(shape)
    }
    found: set[str] = set()
    if shapes:
        for number in text.lines_of(text.with_shapes(shapes)):
            found.update(identifiers_in(text.lines[number]))
    declaring = "".join([text.lines[number] for number in text.declaring]) if found else ""
    if not found.isdisjoint(identifiers_in(declaring)):  # else none is its own
        facts = read()
        exported = set(map(id, facts.exports))
        found.difference_update([each.name for each in facts.symbols if id(each) not in exported])
    return frozenset(found)


def _names_variable(shape: Shape) -> bool:
    return (
        shape.name not in _JUMPS
        and _PARAMETER not in shape.opcode
        and any(identifier.name == "n" for identifier in shape.identifiers)
    )


def shared_through(
    kernels: AbstractSet[str],
    edges: Mapping[str, frozenset[str]],
    held: Mapping[str, Held],
    shared: AbstractSet[str],
) -> Mapping[str, SharedThrough]:
    """Returns, by the names of kernels, the shared memory for the functions that they reach.

    `edges`: the functions that each function calls; `held`: the memory that each adds; `shared`:
    the module's variables in .shared.
    """
    adding = {name for name, each in held.items() if each.size or not shared.isdisjoint(each.names)}
    if adding <= kernels:
        return NOTHING
    nothing: frozenset[str] = frozenset()
    named = {
        name: each | (held.get(name, Held()).names & edges.keys()) for name, each in edges.items()
    }
    found: dict[str, SharedThrough] = {}
    known: dict[frozenset[str], SharedThrough] = {nothing: SharedThrough()}
    n_left = _MAX_VISITS
    for kernel in sorted(kernels):
        callees = named.get(kernel, nothing)
        if callees not in known:
            reached = _reached(named, callees, n_left)
            n_left -= len(reached)
            if n_left <= 0:
                break
            added = [held[name] for name in reached & adding]
            names = nothing.union(*[each.names & shared for each in added])
            known[callees] = SharedThrough(sum(each.size for each in added), names)
        if known[callees] != SharedThrough():
            found[kernel] = known[callees]
    return found


def _reached(edges: Mapping[str, frozenset[str]], names: frozenset[str], limit: int) -> set[str]:
    """Returns the functions `names` and all functions that they reach, up to about `limit`."""
    found: set[str] = set()
    waiting = list(names)
    while waiting and len(found) < limit:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += edges.get(name, ())
    return found
