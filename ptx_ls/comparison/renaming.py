"""Finds which names of one version of a function have become which names of the other one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.comparison.code import FunctionCode
    from ptx_ls.source.sequences import ItemPair

_EQUAL_WEIGHT: Final = 4
"""The weight of statements that differ only in names, compared with those of the same opcode."""


def renaming(pairs: Iterable[ItemPair], old: FunctionCode, new: FunctionCode) -> dict[int, int]:
    """Returns new local names by old ones, each at most once.

    The names that aligned statements have in the same places are counted; the most frequent pairs
    win; among these, those that are spelled alike, and then the first ones, which are usually where
    a register is written. Statements that differ in more than names count only for names with the
    same declaration. If any renaming makes all pairs of statements equal, the result does.
    """
    counts: dict[tuple[int, int], int] = {}
    for pair in pairs:
        one, two = old.lines[pair.old], new.lines[pair.new]
        if len(one.names) != len(two.names):
            continue
        is_alike = one.pieces == two.pieces
        weight = _EQUAL_WEIGHT if is_alike else 1
        for name, other in zip(one.names, two.names, strict=True):
            if (
                isinstance(name, int)
                and isinstance(other, int)
                and (is_alike or old.names[name].declared == new.names[other].declared)
            ):
                counts[name, other] = counts.get((name, other), 0) + weight
    found: dict[int, int] = {}
    taken: set[int] = set()

    def order(names: tuple[int, int]) -> tuple[int, bool]:
        one, two = old.names[names[0]].name, new.names[names[1]].name
        return -counts[names], one != two

    for name, other in sorted(counts, key=order):
        if name not in found and other not in taken:
            found[name] = other
            taken.add(other)
    return found


def changed_declarations(
    renamed: Mapping[int, int], old: FunctionCode, new: FunctionCode
) -> list[tuple[str, str, tuple[str, ...]]]:
    """Returns pairs of different declarations of the same name, with the new names they are of."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, other in sorted(renamed.items()):
        one, two = old.names[name], new.names[other]
        if one.declared != two.declared:
            found.setdefault((one.declared, two.declared), []).append(two.name)
    return [(one, two, tuple(names)) for (one, two), names in found.items()]
