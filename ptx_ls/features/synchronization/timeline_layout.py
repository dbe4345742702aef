"""Where the parts of a timeline are: lanes from left to right, rows from top to bottom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.features.synchronization.executing import ALL
from ptx_ls.features.synchronization.outline_model import RowKind
from ptx_ls.features.synchronization.outline_text import opcode_of
from ptx_ls.protocols.chains.relations import ChainRelation
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.features.synchronization.outline_model import SyncOutline, SyncRow

ROW: Final = 24
"""Height of a row."""
TOP: Final = 104
"""Where rows begin, below the title and the heads of lanes."""
CHARACTER: Final = 7.3
"""Width of a character of the text."""
_LEFT: Final = 64
"""Where opcodes begin, after the numbers of lines."""
_MAX_NOTE: Final = 76
"""Number of characters of a note; the rest of a longer one is only shown in its title."""
_LANE: Final = 96
"""Smallest width of a lane."""
SLOT: Final = 14
"""Width of a place for a bar in a lane."""
_MAX_SLOTS: Final = 12
"""Number of bars beside each other; more share the last place."""


def note_of(row: SyncRow) -> str:
    """Returns the note on a row, which says who executes it if not all threads do."""
    who = "" if row.executed_by == ALL else row.executed_by
    note = " · ".join(filter(None, (who, row.note)))
    return note if len(note) <= _MAX_NOTE else f"{note[: _MAX_NOTE - 3]}..."


class WorkBar(NamedTuple):
    """Work that is in flight from one row to another.

    Attributes:
        agent: the name of its lane.
        start, stop: the rows, as numbers that may lie between rows.
        slot: its place in the lane.
        row: the row that begins it.
        wait: the row that waits for it at its end; -1 if that is not drawn.
        is_carried: whether it began in an earlier iteration of a loop.
        is_sure: whether it is complete at its end on all paths.
    """

    agent: str
    start: float
    stop: float
    slot: int
    row: int
    wait: int
    is_carried: bool
    is_sure: bool


class TimelineLayout:
    """The places in a picture.

    Attributes:
        outline: what is drawn.
        bars: the bars of work in flight.
        width, height: the size of the picture.
    """

    def __init__(self, outline: SyncOutline) -> None:
        self.outline = outline
        self.agents = [*dict.fromkeys(row.agent for row in outline.rows if row.agent)]
        self.bars = _with_slots([*_bars(outline)])
        depth = max((len(row.loops) for row in outline.rows), default=0)
        longest = max((len(opcode_of(row)) for row in outline.rows), default=0)
        self._indent = depth * 10
        x = _LEFT + self._indent + longest * CHARACTER + 16
        self._places: dict[tuple[str, object], float] = {}
        self.heads: list[tuple[str, str, float]] = []
        for role in outline.roles:
            x = self._add("thread", role.name, role.name, x, 0)
        for number, each in enumerate(outline.objects):
            x = self._add("object", number, each.title, x, 0)
        for agent in self.agents:
            slots = [it.slot for it in self.bars if it.agent == agent]
            x = self._add("work", agent, agent, x, max(slots, default=0) + 1)
        self.notes_start = x + 8
        longest = max((len(note_of(row)) for row in outline.rows), default=0)
        self.width = self.notes_start + longest * CHARACTER + 16
        self.height = TOP + len(outline.rows) * ROW + 24

    def _add(self, kind: str, key: object, name: str, x: float, n_slots: int) -> float:
        width = max(_LANE, len(name) * CHARACTER + 16, n_slots * SLOT + 30)
        self._places[kind, key] = x + width / 2
        self.heads.append((kind, name, x + width / 2))
        return x + width

    def lane(self, kind: str, key: object) -> float:
        """Returns the middle of a lane."""
        return self._places[kind, key]

    def slot(self, bar: WorkBar) -> float:
        """Returns the middle of a bar."""
        slots = [it.slot for it in self.bars if it.agent == bar.agent]
        offset = bar.slot - max(slots) / 2
        return self.lane("work", bar.agent) + offset * SLOT

    def y(self, row: float) -> float:
        """Returns the middle of a row."""
        return TOP + (row + 0.5) * ROW

    def text_start(self, row: SyncRow) -> float:
        """Returns where the opcode of a row begins."""
        return _LEFT + len(row.loops) * 10

    def loop_start(self, depth: int) -> float:
        """Returns the left side of a loop."""
        return _LEFT - 8 + depth * 10

    def roles(self, row: SyncRow) -> list[float]:
        """Returns the lanes of the threads that execute a row."""
        roles = self.outline.roles
        own = [it for it in roles if it.warps & row.warps] or roles
        return [self.lane("thread", it.name) for it in own]


def _bars(outline: SyncOutline) -> Iterator[WorkBar]:
    for number, row in enumerate(outline.rows):
        if row.kind is not RowKind.OPERATION:
            continue
        waits = [it for it in row.partners if it.relation is ChainRelation.COMPLETE_AT]
        waits = waits or [it for it in row.partners if it.relation is ChainRelation.READ_BY]
        waits = waits or [it for it in row.partners if it.relation is ChainRelation.WAIT]
        later = [it for it in waits if it.row > number]
        around = [it for it in waits if it.row < number and _shared_loop(outline, number, it.row)]
        if later:
            nearest = min(later, key=lambda it: it.row)
            yield WorkBar(
                row.agent, number, nearest.row, 0, number, nearest.row,
                is_carried=False, is_sure=nearest.is_sure,
            )  # fmt: skip
        elif around:
            nearest = min(around, key=lambda it: it.row)
            loop = _shared_loop(outline, number, nearest.row)
            first, last = _rows_of(outline, loop[-1])
            yield WorkBar(
                row.agent, number, last + 0.5, 0, number, -1, is_carried=False, is_sure=True
            )
            yield WorkBar(
                row.agent, first - 0.5, nearest.row, 0, number, nearest.row,
                is_carried=True, is_sure=nearest.is_sure,
            )  # fmt: skip
        else:
            yield WorkBar(
                row.agent, number, number + 0.5, 0, number, -1, is_carried=False, is_sure=True
            )


def _shared_loop(outline: SyncOutline, row: int, other: int) -> list[int]:
    """Returns the loops around two rows, from outside to inside."""
    others = outline.rows[other].loops
    return [each for each in outline.rows[row].loops if each in others]


def _rows_of(outline: SyncOutline, loop: int) -> tuple[int, int]:
    """Returns the first and the last row of a loop."""
    rows = [number for number, row in enumerate(outline.rows) if loop in row.loops]
    return rows[0], rows[-1]


def loop_rows(outline: SyncOutline) -> list[tuple[int, int]]:
    """Returns the first and the last row of each loop."""
    return [_rows_of(outline, number) for number in range(len(outline.loops))]


def _with_slots(bars: Sequence[WorkBar]) -> Sequence[WorkBar]:
    """Returns the bars of each lane in places where they do not overlap."""
    by_row: dict[int, list[WorkBar]] = {}
    for bar in bars:
        by_row.setdefault(bar.row, []).append(bar)
    taken: dict[str, list[list[WorkBar]]] = {}
    found = []
    for own in by_row.values():
        slots = taken.setdefault(own[0].agent, [])
        slot = next((it for it, used in enumerate(slots) if not _overlap(own, used)), len(slots))
        slot = min(slot, _MAX_SLOTS - 1)
        if slot == len(slots):
            slots.append([])
        slots[slot] += own
        found += [bar._replace(slot=slot) for bar in own]
    return found


def _overlap(bars: Sequence[WorkBar], others: Sequence[WorkBar]) -> bool:
    return any(one.start < it.stop and it.start < one.stop for one in bars for it in others)
