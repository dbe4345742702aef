"""A picture of the live registers of a function: a curve over its lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from ptx_ls.features.pressure.pressure_text import summary
from ptx_ls.semantics.demangle import demangled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.pressure.pressure import LivePoint, Pressure

_WIDTH: Final = 900
_HEIGHT: Final = 240
_MARGIN: Final = 48
_MAX_POINTS: Final = 1_800
"""Number of points of the curve; of several that are too close, the widest is shown."""
_STYLE: Final = (
    "text{font:12px sans-serif;fill:#444}.curve{fill:#8ab4f8;fill-opacity:.5;stroke:#1a56b0}"
    ".axis{stroke:#999}.loop{fill:#f5b041;fill-opacity:.25}.peak{fill:#c0392b}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}}"
)


def svg(found: Pressure) -> str:
    """Returns a picture of how much is alive on each line, with loops and the widest point."""
    first, last = found.points[0].line, max(found.points[-1].line, found.points[0].line + 1)
    peak, right = found.peak, _WIDTH - _MARGIN

    def x(line: int) -> float:
        return round(_MARGIN + (line - first) * (right - _MARGIN) / (last - first), 1)

    def y(words: int) -> float:
        return round(_HEIGHT - _MARGIN - words * (_HEIGHT - 2 * _MARGIN) / max(peak.words, 1), 1)

    bottom, top = y(0), y(peak.words)
    curve = [f"{x(point.line)},{y(point.words)}" for point in _thinned(found.points)]
    area = " ".join([f"{x(first)},{bottom}", *curve, f"{x(last)},{bottom}"])
    title = escape(f"{demangled(found.name) or found.name}: {summary(peak)}")
    note = f"line {peak.line + 1}: {escape(summary(peak))}"
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{title}</title><style>{_STYLE}</style>",
        f'<text x="{_MARGIN}" y="20">{title}</text>',
    ]
    for loop in found.loops:
        left, end = sorted((x(loop.line), x(loop.peak.line)))
        parts.append(_rectangle(left, end, y(loop.peak.words), bottom))
    parts += [
        f'<polygon class="curve" points="{area}"/>',
        f'<line class="axis" x1="{_MARGIN}" x2="{right}" y1="{bottom}" y2="{bottom}"/>',
        f'<circle class="peak" cx="{x(peak.line)}" cy="{top}" r="4"><title>{note}</title></circle>',
        f'<text x="8" y="{top + 4}">{peak.words}</text>',
        f'<text x="{_MARGIN}" y="{_HEIGHT - 24}">line {first + 1}</text>',
        f'<text x="{right}" y="{_HEIGHT - 24}" text-anchor="end">line {last + 1}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rectangle(left: float, right: float, top: float, bottom: float) -> str:
    width, height = max(right - left, 2), bottom - top
    return f'<rect class="loop" x="{left}" y="{top}" width="{width}" height="{height}"/>'


def _thinned(points: Sequence[LivePoint]) -> list[LivePoint]:
    step = -(-len(points) // _MAX_POINTS)
    return [max(points[at : at + step], key=_words) for at in range(0, len(points), step)]


def _words(point: LivePoint) -> int:
    return point.words
