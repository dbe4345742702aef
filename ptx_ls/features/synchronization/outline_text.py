"""The synchronisation of a function as text for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.protocols.chains.relations import ChainRelation
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.features.synchronization.outline_model import SyncObject, SyncOutline, SyncRow

_MAX_OPCODE: Final = 44
"""Columns of an opcode; the end of a longer one is cut."""
_MAX_LINES: Final = 6
"""Number of lines up to which each is named."""
ROLES: Final = {
    ChainRelation.INIT: "initialised",
    ChainRelation.EXPECT: "bytes announced",
    ChainRelation.ARRIVE: "arrivals",
    ChainRelation.SIGNAL: "bytes reported",
    ChainRelation.WAIT: "waits",
    ChainRelation.INVAL: "invalidated",
}
"""The uses of an mbarrier object, as text."""


def as_text(found: SyncOutline, path: str) -> str:
    """Returns the outline of a function; `path` is the file as shown."""
    name = demangled(found.name) or found.name
    head = f"{name} ({path}:{found.line + 1}){summary(found)}"
    lines = [head, *_rows(found)]
    if found.objects:
        lines += ["", "  mbarrier objects", *map(_object, found.objects)]
    return "\n".join(lines) + "\n"


def summary(found: SyncOutline) -> str:
    """Returns what there is in an outline, to follow its name."""
    if not found.is_known:
        return ": not analysed, because it is too large or cannot be parsed completely"
    if not found.rows:
        return ": no synchronisation and no asynchronous operations"
    return f": {counted(found.threads, 'thread')} in a block" if found.threads else ""


def opcode_of(row: SyncRow) -> str:
    """Returns the opcode of a row, and how many statements it has."""
    opcode = row.opcode
    if len(opcode) > _MAX_OPCODE:
        opcode = f"{opcode[: _MAX_OPCODE - 3]}..."
    return f"{opcode} ×{len(row.lines)}" if len(row.lines) > 1 else opcode


def _rows(found: SyncOutline) -> Iterator[str]:
    """Yields the lines of all rows, in aligned columns; bars are beside the rows of a loop."""
    if not found.rows:
        return
    depth = max((len(row.loops) for row in found.rows), default=0)
    shown = [opcode_of(row) for row in found.rows]
    first = max(depth * 2 + max(map(len, shown)), len("statement"))
    who = [row.executed_by for row in found.rows]
    second = max(*map(len, who), len("executed by"))
    number = max(len(str(found.rows[-1].lines[-1] + 1)), len("line"))
    yield f"  {'line':>{number}}  {'statement':<{first}}  {'executed by':<{second}}  effect"
    for place, row in enumerate(found.rows):
        yield from _loops_before(found, place, number)
        bars = "│ " * len(row.loops)
        line = f"  {row.lines[0] + 1:>{number}}  {bars + shown[place]:<{first}}  "
        yield f"{line}{who[place]:<{second}}  {row.note}".rstrip()
        yield from _loops_after(found, place, number)


def _loops_before(found: SyncOutline, place: int, number: int) -> Iterator[str]:
    """Yields the beginnings of the loops that a row is the first of."""
    before = found.rows[place - 1].loops if place else ()
    for depth, loop in enumerate(found.rows[place].loops):
        if loop not in before:
            own = found.loops[loop]
            lines = f"loop, lines {own.first_line + 1} to {own.last_line + 1}"
            yield f"  {'':>{number}}  {'│ ' * depth}┌ {lines}"


def _loops_after(found: SyncOutline, place: int, number: int) -> Iterator[str]:
    """Yields the ends of the loops that a row is the last of."""
    after = found.rows[place + 1].loops if place + 1 < len(found.rows) else ()
    loops = found.rows[place].loops
    for depth in reversed(range(len(loops))):
        if loops[depth] not in after:
            yield f"  {'':>{number}}  {'│ ' * depth}└"


def _object(found: SyncObject) -> str:
    count = found.n_arrivals
    arrivals = f", {counted(count, 'arrival')} per phase" if count is not None else ""
    roles = "; ".join(f"{ROLES[relation]} at {_lines(lines)}" for relation, lines in found.roles)
    return f"    {found.title}{arrivals}: {roles}"


def _lines(lines: tuple[int, ...]) -> str:
    if len(lines) > _MAX_LINES:
        return f"lines {lines[0] + 1} to {lines[-1] + 1}"
    where = ", ".join(str(line + 1) for line in lines)
    return f"{'line' if len(lines) == 1 else 'lines'} {where}"
