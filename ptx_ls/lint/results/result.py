"""The diagnostics of a function, relative to its start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.results.document_positions import placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ptx_ls.source import Diagnostic, Position, Range


class Result:
    """Diagnostics of a function; their positions are relative to its start.

    `hidden`: the rows and rules of mistakes that are not reported by themselves, because they
    follow from others or are further uses of one; if the function has no comment for ptx-ls, only
    the first and the last of each rule.
    `names`: the names of the module whose declarations the diagnostics point to.
    """

    __slots__ = ("_moved", "diagnostics", "hidden", "names")

    def __init__(
        self, diagnostics: Sequence[Diagnostic], hidden: AbstractSet[tuple[int, str]] = frozenset()
    ) -> None:
        self.diagnostics, self.hidden = tuple(diagnostics), frozenset(hidden)
        related = (each for one in diagnostics for each in one.related)
        self.names = frozenset([each.name for each in related if each.name])
        self._moved: tuple[object, list[Diagnostic]] | None = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Result)
            and self.diagnostics == other.diagnostics
            and self.hidden == other.hidden
        )

    __hash__ = object.__hash__  # few results are equal

    def at(
        self, start: Position, header: dict[str, Range], declared: Mapping[str, Range]
    ) -> list[Diagnostic]:
        """Returns the diagnostics of the function where it starts at `start`.

        `header` and `declared`: as in `KnownDiagnostics`.
        """
        places = header | {name: declared[name] for name in self.names if name in declared}
        key = start, tuple(places.items())
        known = self._moved
        if known is not None and known[0] == key:
            return known[1]
        found = [placed(diagnostic, start, places) for diagnostic in self.diagnostics]
        self._moved = key, found
        return found


def outermost(found: Iterable[tuple[int, str]]) -> frozenset[tuple[int, str]]:
    """Returns the first and the last row of each rule among some rows with rules."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for row, rule in found:
        first[rule] = min(row, first.get(rule, row))
        last[rule] = max(row, last.get(rule, row))
    return frozenset([(row, rule) for rows in (first, last) for rule, row in rows.items()])


CLEAN: Final = Result(())
"""The shared result of all functions without diagnostics."""
