"""The page of the documentation that shows how each series grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.growth.growth import MAX_EXPONENT, MAX_MEMORY, MAX_SECONDS, Growth
from benchmarks.growth.serving import MAX_STEP, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEAD = f"""\
# Growth

This page shows the time and memory that ptx-ls takes for texts that repeat one construct. \
`./dev bench growth [SERIES...] --write` writes it.

| column | what | goal |
| --- | --- | --- |
| exponent | growth of CPU time from a text to one of four times its size; 1 is linear | \
{MAX_EXPONENT} |
| s/100 kB | CPU seconds per 100 kB of text | {MAX_SECONDS:g} |
| memory | bytes per byte of text, at the peak | {MAX_MEMORY} |
| step | CPU time of the longest step of the server's loop while the text is open, in ms | \
{1000 * MAX_STEP:g} |

Dense texts, such as functions of 25 bytes, take more time and memory for each byte than compiler \
output ([measurements](decisions/measurements.md)). Bold figures miss their goals.

| series | lint: exponent | s/100 kB | memory | format: exponent | s/100 kB | memory | step |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


class Row(NamedTuple):
    """A series and its figures; `step` is None if the server took too long."""

    name: str
    lint: Growth
    layout: Growth
    step: Step | None

    @property
    def n_missed(self) -> int:
        """The number of goals that it misses."""
        return sum(is_missed for cells in self._cells() for _, is_missed in cells)

    def text(self) -> str:
        """Returns the row of a table in a terminal."""
        lint, layout, [(step, is_late)] = self._cells()
        groups = [f"{text}{'*' if is_missed else ' '}" for text, is_missed in (*lint, *layout)]
        cells = "".join([f"{cell:>9}" for cell in groups])
        name = self.step.name if self.step is not None and is_late else ""
        return f"{self.name:42}{cells}{step:>9}{'*' if is_late else ' '} {name}".rstrip()

    def markdown(self) -> str:
        """Returns the row of a table in Markdown."""
        cells = [
            f"**{text}**" if is_missed else text
            for cells in self._cells()
            for text, is_missed in cells
        ]
        return f"| {' | '.join([self.name.replace('|', chr(92) + '|'), *cells])} |\n"

    def _cells(self) -> list[list[tuple[str, bool]]]:
        """Returns figures and whether each misses its goal: of lint, format, and the server."""
        step = self.step
        text = f"{1000 * step.cpu:.0f}" if step is not None else "ended"
        is_late = step is None or step.cpu > MAX_STEP
        return [_of_growth(self.lint), _of_growth(self.layout), [(text, is_late)]]


def _of_growth(growth: Growth) -> list[tuple[str, bool]]:
    if growth.is_ended:
        return [("ended", True)] * 3
    return [
        (f"{growth.exponent:.2f}", growth.exponent > MAX_EXPONENT),
        (f"{growth.seconds:.2f}", growth.seconds > MAX_SECONDS),
        (f"{max(0.0, growth.memory):.1f}", growth.memory > MAX_MEMORY),
    ]


def page(rows: Iterable[Row]) -> str:
    """Returns the page in Markdown."""
    return _HEAD + "".join([row.markdown() for row in rows])
