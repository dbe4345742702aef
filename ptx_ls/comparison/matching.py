"""Finds out which names of one module belong to which names of another one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.comparison.generated_names import without_generated_parts
from ptx_ls.semantics.demangle import demangled, without_parameters
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from ptx_ls.comparison.modules import FunctionPlace, ModuleParts

ONLY_OLD: Final = "'"
"""Follows an old name without counterpart that is spelled like a new one."""
_LEAST_ALIKE: Final = 0.7
"""The least share of common instructions of two functions that match although no name does."""
_FEWEST_SHAPES: Final = 4
"""The fewest different instructions of a function that may match so."""
_MAX_COMPARISONS: Final = 40_000
"""Maximum number of pairs of functions to compare in order to find a renamed one."""


class FunctionPair(NamedTuple):
    """A function of each module; None if it is only in the other one."""

    old: FunctionPlace | None
    new: FunctionPlace | None


class Matching(NamedTuple):
    """The functions and names of two modules that belong together.

    Attributes:
        functions: all functions, in the order of the new module; removed ones are placed after the
            function that they followed.
        outer: the new names by the old ones, where they differ.
    """

    functions: Sequence[FunctionPair]
    outer: Mapping[str, str]


def matched(old: ModuleParts, new: ModuleParts) -> Matching:
    """Returns the functions and names that belong together.

    Functions match by name, by name without generated parts, by demangled name, by demangled name
    without parameters, and at last by their instructions; other names by the first two.
    """
    found: dict[int, int] = {}
    taken: set[int] = set()
    for key in (_own_name, _stable_name, _demangled, _short_name):
        _match_by(key, old.functions, new.functions, found, taken)
    _match_by_code(old.functions, new.functions, found, taken)
    outer = {
        old.functions[one].name: new.functions[two].name
        for one, two in found.items()
        if old.functions[one].name != new.functions[two].name
    }
    outer |= _matched_declarations(old, new)
    _keep_apart(outer, old)
    return Matching(_in_order(old.functions, new.functions, found), outer)


def _keep_apart(outer: dict[str, str], old: ModuleParts) -> None:
    """Marks old names that would else mean something that only has the same name."""
    names = {*old.declarations, *(function.name for function in old.functions)}
    given = set(outer.values())
    for name in names - outer.keys():
        if name in given:
            outer[name] = name + ONLY_OLD


def _match_by(
    key: Callable[[str], str | None],
    old: Sequence[FunctionPlace],
    new: Sequence[FunctionPlace],
    found: dict[int, int],
    taken: set[int],
) -> None:
    """Pairs functions with the same key that are not paired yet, in order.

    A key that several of the functions of one module have is used only if it is a name.
    """
    places: dict[str, list[int]] = {}
    for number, function in enumerate(new):
        if number not in taken and (name := key(function.name)) is not None:
            places.setdefault(name, []).append(number)
    wanted: dict[str, list[int]] = {}
    for number, function in enumerate(old):
        if number not in found and (name := key(function.name)) is not None:
            wanted.setdefault(name, []).append(number)
    for name, numbers in wanted.items():
        others = places.get(name, [])
        if len(numbers) == len(others) == 1 or key in (_own_name, _stable_name):
            for one, two in zip(numbers, others, strict=False):
                found[one] = two
                taken.add(two)


def _own_name(name: str) -> str | None:
    return name


def _stable_name(name: str) -> str | None:
    return without_generated_parts(name)


def _demangled(name: str) -> str | None:
    return demangled(name)


def _short_name(name: str) -> str | None:
    """Returns the demangled name without parameters and template arguments."""
    found = demangled(name)
    if found is None:
        return None
    return without_parameters(found).partition("<")[0] or None


def _match_by_code(
    old: Sequence[FunctionPlace],
    new: Sequence[FunctionPlace],
    found: dict[int, int],
    taken: set[int],
) -> None:
    """Pairs functions by their instructions, the most similar ones first."""
    left = {number: _shapes(it) for number, it in enumerate(old) if number not in found}
    right = {number: _shapes(it) for number, it in enumerate(new) if number not in taken}
    if len(left) * len(right) > _MAX_COMPARISONS:
        return
    alike = {
        (one, two): len(shapes & others) / len(shapes | others)
        for one, shapes in left.items()
        for two, others in right.items()
        if min(len(shapes), len(others)) >= _FEWEST_SHAPES
    }
    for one, two in sorted(alike, key=lambda pair: (-alike[pair], pair)):
        if alike[one, two] >= _LEAST_ALIKE and one not in found and two not in taken:
            found[one] = two
            taken.add(two)


def _shapes(function: FunctionPlace) -> frozenset[str]:
    return frozenset(shape.text for shape in region_text(function.located.function).shapes)


def _in_order(
    old: Sequence[FunctionPlace], new: Sequence[FunctionPlace], found: Mapping[int, int]
) -> list[FunctionPair]:
    removed: dict[int, list[FunctionPair]] = {}  # by the number of the new function before
    before = -1
    for number, function in enumerate(old):
        if number in found:
            before = found[number]
        else:
            removed.setdefault(before, []).append(FunctionPair(function, None))
    olds = {two: one for one, two in found.items()}
    pairs = removed.get(-1, [])
    for number, function in enumerate(new):
        pairs.append(FunctionPair(old[olds[number]] if number in olds else None, function))
        pairs += removed.get(number, [])
    return pairs


def _matched_declarations(old: ModuleParts, new: ModuleParts) -> dict[str, str]:
    """Returns the new names of variables and functions without a body, where they differ.

    Names that compilers number, such as `__unnamed_1`, match if the declarations are equal.
    """
    outer: dict[str, str] = {}
    exact = {
        name for name in old.declarations if name in new.declarations and _stable_name(name) == name
    }
    one = _by_key(old, (name for name in old.declarations if name not in exact))
    two = _by_key(new, (name for name in new.declarations if name not in exact))
    left, right = dict.fromkeys(old.declarations), dict.fromkeys(new.declarations)
    for name in exact:
        del left[name], right[name]
    for key, names in one.items():
        for name, other in zip(names, two.get(key, ()), strict=False):
            outer[name] = other
            del left[name], right[other]
    for name in list(left):  # changed declarations
        if name in right:
            del left[name], right[name]
    stable = {without_generated_parts(name): name for name in right}
    for name in left:
        changed = stable.pop(without_generated_parts(name), None)
        if changed is not None:
            outer[name] = changed
    return {name: other for name, other in outer.items() if name != other}


def _by_key(module: ModuleParts, names: Iterable[str]) -> dict[Hashable, list[str]]:
    found: dict[Hashable, list[str]] = {}
    for name in names:
        key = _stable_name(name), module.declarations[name].text("", {})
        found.setdefault(key, []).append(name)
    return found
