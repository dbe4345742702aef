"""Keeps the mismatches of single lines of a region while other lines of it are edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.syntax.record import Record


class _Checked(NamedTuple):
    line: str
    record: Record
    mismatches: tuple[Mismatch, ...]


class CheckedLines:
    """The mismatches of lines of one region that say the same and mean the same as before.

    Names keep their meaning while the region's facts, its module and its judge are the same
    objects. Not thread-safe.
    """

    __slots__ = ("_found", "_under")

    def __init__(self) -> None:
        self._found: dict[int, _Checked] = {}
        self._under: tuple[object, ...] = ()

    def renew(self, *under: object) -> None:
        """Forgets all lines unless these are the objects that they were checked under."""
        is_same = len(under) == len(self._under) and all(
            one is other for one, other in zip(under, self._under, strict=True)
        )
        if not is_same:
            self._found.clear()
            self._under = under

    def keep(self, index: int, line: str, record: Record, found: Sequence[Mismatch]) -> None:
        """Keeps the mismatches of the line with that number."""
        self._found[index] = _Checked(line, record, tuple(found))

    def take(
        self, indices: Iterable[int], lines: Sequence[str], records: Sequence[Record]
    ) -> Iterator[tuple[int, tuple[Mismatch, ...] | None]]:
        """Each of the indices with the mismatches of its line; None where they are not known."""
        for index in indices:
            kept = self._found.get(index)
            is_known = (
                kept is not None and kept.record is records[index] and kept.line == lines[index]
            )
            yield index, kept.mismatches if kept is not None and is_known else None
