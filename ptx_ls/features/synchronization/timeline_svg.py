"""A picture of the synchronisation of a function: who does what, and who waits for what.

Time goes down. A lane is a group of warps, an mbarrier object, or what does asynchronous work.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from ptx_ls.features.synchronization.outline_model import RowKind
from ptx_ls.features.synchronization.outline_text import opcode_of, summary
from ptx_ls.features.synchronization.timeline_layout import (
    ROW,
    SLOT,
    TOP,
    TimelineLayout,
    loop_rows,
    note_of,
)
from ptx_ls.features.synchronization.timeline_style import style
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.synchronization.outline_model import SyncLoop, SyncOutline, SyncRow
    from ptx_ls.features.synchronization.timeline_layout import WorkBar

_MIN_WIDTH: Final = 560
_MAX_TITLE: Final = 90
"""Number of characters of the title; the rest of a longer name is cut."""
_LEGEND: Final = (
    "dot: a statement   square: a commit   diamond: a fence   red line: a barrier",
    "bar: work in flight; dashed: on some paths or iterations   frame: a loop",
)


def svg(found: SyncOutline) -> str:
    """Returns the picture of an outline."""
    layout = TimelineLayout(found)
    name = demangled(found.name) or found.name
    shown = printable(name if len(name) <= _MAX_TITLE else f"{name[: _MAX_TITLE - 3]}...")
    width = round(max(layout.width, _MIN_WIDTH))
    height = round(layout.height)
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sync" {size}>',
        f"<title>{escape(printable(name))}</title><style>{style()}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text class="title" x="12" y="24">{escape(shown + summary(found))}</text>',
        *(
            f'<text class="muted" x="12" y="{44 + 16 * number}">{escape(each)}</text>'
            for number, each in enumerate(_LEGEND)
        ),
        *_loops(layout, width),
        *_lanes(layout),
    ]
    parts += (_bar(layout, each) for each in layout.bars)
    for number, row in enumerate(found.rows):
        parts += _row(layout, number, row)
    for bar in layout.bars:
        parts += _ends(layout, bar)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _loops(layout: TimelineLayout, width: int) -> Iterator[str]:
    for loop, (first, last) in zip(layout.outline.loops, loop_rows(layout.outline), strict=True):
        x, y = layout.loop_start(loop.depth), layout.y(first) - ROW / 2 + 1 + loop.depth
        right = width - 8 - loop.depth * 6
        height = layout.y(last) + ROW / 2 - 1 - loop.depth - y
        yield (
            f'<rect class="loop" x="{_n(x)}" y="{_n(y)}" width="{_n(right - x)}" '
            f'height="{_n(height)}" rx="5"><title>{_loop_title(loop)}</title></rect>'
        )


def _loop_title(loop: SyncLoop) -> str:
    return f"loop, lines {loop.first_line + 1} to {loop.last_line + 1}"


def _lanes(layout: TimelineLayout) -> Iterator[str]:
    bottom = layout.height - 12
    for kind, name, x in layout.heads:
        yield f'<line class="lane" x1="{_n(x)}" x2="{_n(x)}" y1="{TOP - 8}" y2="{_n(bottom)}"/>'
        yield (
            f'<text class="head of-{kind}" x="{_n(x)}" y="{TOP - 16}" text-anchor="middle">'
            f"{escape(printable(name))}</text>"
        )


def _bar(layout: TimelineLayout, bar: WorkBar) -> str:
    x, start, stop = layout.slot(bar) - SLOT / 2 + 2, layout.y(bar.start), layout.y(bar.stop)
    carried = " carried" if bar.is_carried or not bar.is_sure else ""
    row = layout.outline.rows[bar.row]
    return (
        f'<rect class="bar{carried}" x="{_n(x)}" y="{_n(start)}" width="{SLOT - 4}" '
        f'height="{_n(max(stop - start, 4))}" rx="3"><title>{escape(_title(row))}</title></rect>'
    )


def _title(row: SyncRow) -> str:
    first, last = row.lines[0] + 1, row.lines[-1] + 1
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    return printable(": ".join(filter(None, (f"{row.opcode}, {where}", row.note))))


def _row(layout: TimelineLayout, number: int, row: SyncRow) -> Iterator[str]:
    y = layout.y(number)
    lines = f'data-first="{row.lines[0]}" data-last="{row.lines[-1]}"'
    yield f'<g class="block" data-block="{number}" {lines}><title>{escape(_title(row))}</title>'
    yield (
        f'<rect class="hit" x="4" y="{_n(y - ROW / 2)}" width="{_n(layout.width - 8)}" '
        f'height="{ROW}"/>'
    )
    yield (
        f'<text class="muted" x="52" y="{_n(y + 4)}" text-anchor="end">{row.lines[0] + 1}</text>'
        f'<text x="{_n(layout.text_start(row))}" y="{_n(y + 4)}">'
        f"{escape(printable(opcode_of(row)))}</text>"
    )
    yield (
        f'<text class="muted" x="{_n(layout.notes_start)}" y="{_n(y + 4)}">'
        f"{escape(printable(note_of(row)))}</text>"
    )
    yield from _marks(layout, y, row)
    yield from _arrows(layout, number, y, row)
    yield "</g>"


def _marks(layout: TimelineLayout, y: float, row: SyncRow) -> Iterator[str]:
    """Yields what is drawn on the lanes of the threads."""
    lanes = layout.roles(row)
    if row.kind in (RowKind.BARRIER, RowKind.CLUSTER):
        yield _line("wall", min(lanes) - 20, max(lanes) + 20, y)
        return
    for x in lanes:
        if row.kind is RowKind.FENCE:
            yield f'<path class="fence" d="M{_n(x)} {_n(y - 6)}l6 6l-6 6l-6 -6z"/>'
        elif row.kind is RowKind.COMMIT:
            yield f'<path class="dot of-thread" d="M{_n(x - 4)} {_n(y - 4)}h8v8h-8z"/>'
        elif row.kind is RowKind.COLLECTIVE:
            yield f'<path class="divided" d="M{_n(x)} {_n(y - 6)}l7 11h-14z"/>'
        else:
            yield f'<circle class="dot of-thread" cx="{_n(x)}" cy="{_n(y)}" r="4"/>'


def _arrows(layout: TimelineLayout, number: int, y: float, row: SyncRow) -> Iterator[str]:
    """Yields the arrows from threads to mbarrier objects and to work, and from objects."""
    x = max(layout.roles(row))
    if row.kind is RowKind.OPERATION:
        bar = next(it for it in layout.bars if it.row == number and not it.is_carried)
        yield _arrow("thread", x, layout.slot(bar), y)
        return
    for each in row.objects:
        lane = layout.lane("object", each)
        if row.kind is RowKind.WAIT:
            yield _arrow("object", lane, x, y)
        else:
            yield _arrow("thread", x, lane, y)
            yield f'<circle class="ring of-object" cx="{_n(lane)}" cy="{_n(y)}" r="5"/>'


def _ends(layout: TimelineLayout, bar: WorkBar) -> Iterator[str]:
    """Yields the arrow from the end of work to the wait for it, or to its mbarrier object."""
    row, x = layout.outline.rows[bar.row], layout.slot(bar)
    if bar.wait < 0:
        if bar.stop - bar.start < 1:
            for each in row.objects:
                yield _arrow("work", x, layout.lane("object", each), layout.y(bar.stop))
        return
    wait = layout.outline.rows[bar.wait]
    y, unsure = layout.y(bar.stop), "" if bar.is_sure else " perhaps"
    if wait.objects:
        for each in wait.objects:
            yield _arrow(f"work{unsure}", x, layout.lane("object", each), y)
    else:
        yield _arrow(f"work{unsure}", x, max(layout.roles(wait)), y)


def _line(kind: str, start: float, stop: float, y: float) -> str:
    return f'<line class="{kind}" x1="{_n(start)}" x2="{_n(stop)}" y1="{_n(y)}" y2="{_n(y)}"/>'


def _arrow(kind: str, start: float, stop: float, y: float) -> str:
    """Returns a horizontal arrow."""
    step = 6 if stop > start else -6
    tip = f"M{_n(stop - step)} {_n(y)}l{-step} -4v8z"
    own = kind.partition(" ")[0]
    line = f'<path class="arrow of-{kind}" d="M{_n(start)} {_n(y)}H{_n(stop - 2 * step)}"/>'
    return f'{line}<path class="tip of-{own}" d="{tip}"/>'


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")
