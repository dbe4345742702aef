"""A picture of the live registers of a function: a curve over its lines."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from ptx_ls.features.pressure.pressure_text import summary
from ptx_ls.features.svg_palette import BLUE, GREY, RED, YELLOW, SvgPalette
from ptx_ls.semantics.demangle import demangled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.pressure.pressure import LivePoint, Pressure

_WIDTH: Final = 900
_HEIGHT: Final = 240
_MARGIN: Final = 48
_MAX_POINTS: Final = 1_800
"""Number of points of the curve; of several that are too close, the widest is shown."""
_PALETTE: Final = SvgPalette(
    "pressure",
    {
        "axis": GREY,
        "curve": BLUE,
        "loop": YELLOW,
        "peak": RED,
    },
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
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pressure" {size}>',
        f"<title>{title}</title><style>{_style()}</style>",
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}"/>',
        f'<text x="{_MARGIN}" y="20">{title}</text>',
    ]
    for loop in found.loops:
        left, end = x(max(loop.line, first)), x(loop.last)
        parts.append(_rectangle(left, end, y(loop.peak.words), bottom))
    parts += [
        f'<polygon class="curve" points="{area}"/>',
        f'<line class="axis" x1="{_MARGIN}" x2="{right}" y1="{bottom}" y2="{bottom}"/>',
        f'<circle class="peak" cx="{x(peak.line)}" cy="{top}" r="4"><title>{note}</title></circle>',
        f'<text x="8" y="{top + 4}">{peak.words}</text>',
        f'<text x="{x(peak.line)}" y="{top - 9}" text-anchor="middle">line {peak.line + 1}</text>',
        f'<text x="{_MARGIN}" y="{_HEIGHT - 24}">line {first + 1}</text>',
        f'<text x="{right}" y="{_HEIGHT - 24}" text-anchor="end">line {last + 1}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _style() -> str:
    use = _PALETTE.use
    rules = [
        *_PALETTE.rules(),
        f".pressure .curve{{{use('fill', 'curve')}fill-opacity:.3;{use('stroke', 'curve')}}}",
        f".pressure .axis{{{use('stroke', 'axis')}}}",
        f".pressure .loop{{{use('fill', 'loop')}fill-opacity:.25}}",
        f".pressure .peak{{{use('fill', 'peak')}}}",
    ]
    return "".join(rules)


def _rectangle(left: float, right: float, top: float, bottom: float) -> str:
    width, height = max(right - left, 2), bottom - top
    return f'<rect class="loop" x="{left}" y="{top}" width="{width}" height="{height}"/>'


def _thinned(points: Sequence[LivePoint]) -> list[LivePoint]:
    step = -(-len(points) // _MAX_POINTS)
    return [max(points[at : at + step], key=_words) for at in range(0, len(points), step)]


def _words(point: LivePoint) -> int:
    return point.words
