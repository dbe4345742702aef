"""Groups of rows that differ, with the rows around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.comparison.result import ChangeKind
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.comparison.result import DiffRow


class DiffHunk(NamedTuple):
    """Neighbouring rows that are shown together.

    Attributes:
        rows: the rows that differ, and equal ones around them.
        label: the last label of the new text before it, without the colon; "" if there is none.
        n_skipped: the number of equal rows since the hunk before.
    """

    rows: Sequence[DiffRow]
    label: str
    n_skipped: int

    @property
    def old_line(self) -> int | None:
        """The first line of the old text, from 0; None if it has none."""
        return next((row.old_line for row in self.rows if row.old_line is not None), None)

    @property
    def new_line(self) -> int | None:
        """The first line of the new text, from 0; None if it has none."""
        return next((row.new_line for row in self.rows if row.new_line is not None), None)


def hunks(rows: Sequence[DiffRow], n_context: int) -> Iterator[DiffHunk]:
    """Yields the rows that differ in order, each with up to `n_context` equal rows around it."""
    differing = [number for number, row in enumerate(rows) if row.kind is not ChangeKind.SAME]
    label, at = "", 0
    for first, stop in _spans(differing, n_context, len(rows)):
        label = _last_label(rows[at:first]) or label
        yield DiffHunk(rows[first:stop], label, first - at)
        label = _last_label(rows[first:stop]) or label
        at = stop


def is_label(text: str) -> bool:
    """Whether the text of a row is a label."""
    return text.endswith(":")


def _spans(numbers: Sequence[int], n_context: int, n_rows: int) -> Iterator[tuple[int, int]]:
    first = stop = -1
    for number in numbers:
        begin = max(0, number - n_context)
        if first < 0:
            first = begin
        elif begin > stop:
            yield first, stop
            first = begin
        stop = min(n_rows, number + n_context + 1)
    if first >= 0:
        yield first, stop


def _last_label(rows: Sequence[DiffRow]) -> str:
    return next((row.new[:-1] for row in reversed(rows) if is_label(row.new)), "")
