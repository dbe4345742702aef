"""The flow graph of a function as a picture: SVG without scripts or external resources.

Each block, or straight chain of blocks, is a `g` of the class `block` with its number in
`data-block`, and its lines, from 0, in `data-first` and `data-last`; each link is a `path` of the
class `link` with the numbers of its blocks in `data-from` and `data-to`.
"""

from __future__ import annotations

from html import escape
from math import inf
from typing import TYPE_CHECKING, Final

from ptx_ls.features.control_flow.flow_picture import (
    Detail,
    LinkKind,
    boxes,
    clipped,
    columns_of,
    hints,
    links,
    usual_detail,
)
from ptx_ls.features.control_flow.flow_style import KINDS, style
from ptx_ls.features.control_flow.flow_svg_block import COLUMN, PAD, block, size_of
from ptx_ls.features.control_flow.layered.bundles import BundleEdge
from ptx_ls.features.control_flow.layered.layout import Point, Size, TooTangledError, lay_out
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.english import counted
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ptx_ls.features.control_flow.flow_picture import FlowLink
    from ptx_ls.features.control_flow.flow_text import Flow

_MAX_BLOCKS: Final = 3000
"""Maximum number of blocks of a legible picture."""
WINDOW: Final = Size(830, 950)
"""The area for a picture next to the text on a usual screen."""
_MAX_FITTED: Final = 100
"""Maximum number of blocks of a picture that is made to fit into a window."""
_DETAILS: Final = (
    *(Detail(n_rows) for n_rows in (16, 8, 4, 2, 0)),
    Detail(0, is_bare=True),
)
"""Details to try until the picture fits into a window; the last one is as small as possible."""
_READABLE: Final = 0.65
"""The least scale at which text is readable."""
_HEADER_HEIGHT: Final = 52
"""Height of the title and a legend of one line above the blocks."""
_LEGEND_Y: Final = 42.0
"""The base line of the first line of the legend."""
_SIGN_WIDTH: Final = 24
"""Width of a sign of the legend, with the space after it."""
_LINE_HEIGHT: Final = 18
"""Height of each further line of the legend."""
_TITLE_SCALE: Final = 1.25
"""The size of the title relative to other text."""
_MAX_NAME_WIDTH: Final = 80
"""Maximum number of columns shown of the function's name."""
_CORNER_RADIUS: Final = 5.0
_BACK: Final = "back"
_LEGEND: Final = {
    "plain": "always",
    "taken": "branch taken",
    "otherwise": "falls through",
    "case": "by index",
    _BACK: "next iteration",
}
_PART: Final = "part"
_DIVIDED: Final = "part of a warp"


class NoPictureError(Exception):
    """The graph is too large, or too tangled, for a picture; the message says so."""


def svg(
    flow: Flow, should_stop: Callable[[], bool] = lambda: False, window: Size | None = None
) -> str:
    """Returns the picture; its layout is simpler once `should_stop` returns true.

    `window`: an area that shows all of the picture, if that is possible at a readable size: blocks
    show as many lines as fit, or only their titles.

    Raises:
        NoPictureError: if it would be too large to read.
    """
    n_blocks = len(flow.graph.blocks)
    if n_blocks > _MAX_BLOCKS:
        raise NoPictureError(
            f"{n_blocks} blocks are too many for a picture; the limit is {_MAX_BLOCKS}"
        )
    if window is not None and n_blocks <= _MAX_FITTED:
        for detail in _DETAILS:
            picture = _picture(flow, detail, should_stop, window.width)
            if should_stop() or _fits(picture.size, window):
                break
        return picture.text
    return _picture(flow, usual_detail(n_blocks), should_stop).text


class _Picture(NamedTuple):
    text: str
    size: Size


def _fits(size: Size, window: Size) -> bool:
    return min(window.width / size.width, window.height / size.height) >= _READABLE


def _picture(
    flow: Flow, detail: Detail, should_stop: Callable[[], bool], most: float = inf
) -> _Picture:
    """Returns the picture with a detail; `most`: the width to which its header is wrapped."""
    shown, ways = boxes(flow, detail), links(flow)
    inner = [BundleEdge(it.tail, it.head, it.is_back, columns_of(it.label) * COLUMN) for it in ways]
    try:
        drawing = lay_out([size_of(box) for box in shown], inner, list(hints(flow)), should_stop)
    except TooTangledError:
        n_blocks = len(flow.graph.blocks)
        raise NoPictureError(
            f"the branches between {n_blocks} blocks are too long for a picture"
        ) from None
    has_divided = any(box.is_divided for box in shown)
    looks = {_look(way) for way in ways}
    head, above = _head(flow, looks, max(most, drawing.size.width), has_divided=has_divided)
    size = Size(max(above.width, drawing.size.width), drawing.size.height + above.height)
    routes = list(zip(ways, drawing.routes, strict=True))
    corners = zip(shown, drawing.corners, drawing.boxes, strict=True)
    parts = [
        *_open(flow, size.width, size.height),
        *('<g class="head">', *head, "</g>\n"),
        f'<g transform="translate(0 {above.height:.0f})">\n',
        *(_link(way, route) for way, route in routes),
        *(block(number, *it) for number, it in enumerate(corners)),
        *(_label(way, route[0]) for way, route in routes if way.label),
        "</g>\n</svg>\n",
    ]
    return _Picture("".join(parts), size)


def _open(flow: Flow, width: float, height: float) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cfg" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">\n'
        f"<title>Control flow of {escape(_name(flow))}</title>\n<style>{style()}</style>\n<defs>"
    )
    for look in (*KINDS, _BACK):
        yield (
            f'<marker id="to-{look}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            'markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
            f'<path class="of-{look}" d="M0 0 8 4 0 8z"/></marker>'
        )
    yield '</defs>\n<rect class="paper" width="100%" height="100%"/>\n'


def _head(flow: Flow, looks: set[str], most: float, *, has_divided: bool) -> tuple[list[str], Size]:
    """Returns the title, the numbers of blocks and loops, and the legend; also their size."""
    name = clipped(_name(flow), _title_columns(most))
    n_blocks, n_loops = len(flow.graph.blocks), len(flow.graph.loops)
    said = counted(n_blocks, "block")
    said += f", {counted(n_loops, 'loop')}" if n_loops else ""
    parts = [
        f'<text class="title" x="{PAD}" y="22">{escape(name)}</text>\n',
        f'<text class="muted" x="{PAD}" y="{_LEGEND_Y:.0f}">{said}</text>\n',
    ]
    width = 2 * PAD + columns_of(name) * COLUMN * _TITLE_SCALE
    x, y = PAD + (len(said) + 3) * COLUMN, _LEGEND_Y
    items = [(look, words) for look, words in _LEGEND.items() if look in looks]
    for look, words in [*items, (_PART, _DIVIDED)] if has_divided else items:
        end = x + _SIGN_WIDTH + len(words) * COLUMN
        if end > most and x > PAD:
            x, y, end = PAD, y + _LINE_HEIGHT, end - x + PAD
        parts.append(_legend_item(look, words, x, y))
        width, x = max(width, end + PAD), end + 3 * COLUMN
    return parts, Size(width, _HEADER_HEIGHT - _LEGEND_Y + y)


def _title_columns(width: float) -> int:
    columns = (width - 2 * PAD) / (COLUMN * _TITLE_SCALE)
    return int(min(max(1, columns), _MAX_NAME_WIDTH))


def _legend_item(look: str, words: str, x: float, y: float) -> str:
    if look == _PART:
        place = f'x="{x:.0f}" y="{y - 11:.0f}" width="18" height="13" rx="3"'
        sign = f'<rect class="box" {place}/><rect class="part" {place}/>'
    else:
        sign = (
            f'<path class="link {look}" d="M{x:.0f} {y - 4:.0f}h18" marker-end="url(#to-{look})"/>'
        )
    return f'{sign}<text class="muted" x="{x + _SIGN_WIDTH:.0f}" y="{y:.0f}">{words}</text>\n'


def _name(flow: Flow) -> str:
    return clipped(demangled(flow.name) or flow.name or "function", _MAX_NAME_WIDTH)


def _look(way: FlowLink) -> str:
    return _BACK if way.is_back else way.kind.value


def _link(way: FlowLink, route: Sequence[Point]) -> str:
    said = {
        LinkKind.PLAIN: "always",
        LinkKind.TAKEN: f"branch taken {way.label}",
        LinkKind.OTHERWISE: f"falls through {way.label}",
        LinkKind.CASE: f"index {way.label}",
    }[way.kind]
    back = " back" if way.is_back else ""
    return (
        f'<path class="link {way.kind}{back}" data-from="{way.tail}" data-to="{way.head}" '
        f'marker-end="url(#to-{_look(way)})" d="{_path(route)}">'
        f"<title>{escape(said)}</title></path>\n"
    )


def _label(way: FlowLink, start: Point) -> str:
    place = f'x="{start.x + 5:.1f}" y="{start.y + 13:.1f}"'
    return f'<text class="of-{way.kind}" {place}>{escape(way.label)}</text>\n'


def _path(route: Sequence[Point]) -> str:
    """Returns the path of a link with rounded corners."""
    parts = [f"M{route[0].x:.1f} {route[0].y:.1f}"]
    for before, corner, after in zip(route, route[1:], route[2:], strict=False):
        start, end = _towards(corner, before), _towards(corner, after)
        parts.append(
            f"L{start.x:.1f} {start.y:.1f}Q{corner.x:.1f} {corner.y:.1f} {end.x:.1f} {end.y:.1f}"
        )
    parts.append(f"L{route[-1].x:.1f} {route[-1].y:.1f}")
    return "".join(parts)


def _towards(corner: Point, other: Point) -> Point:
    """Returns the point of a line where the rounding of its corner begins."""
    length = abs(other.x - corner.x) + abs(other.y - corner.y)
    part = min(_CORNER_RADIUS, length / 2) / length if length else 0.0
    return Point(corner.x + (other.x - corner.x) * part, corner.y + (other.y - corner.y) * part)
