"""The live registers of a function as text and as plain data."""

from __future__ import annotations

from itertools import groupby
from string import digits
from typing import TYPE_CHECKING, Any, Final

from ptx_ls.flow.liveness import CLASSES, PREDICATES
from ptx_ls.semantics.demangle import demangled
from ptx_ls.source.english import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ptx_ls.features.pressure.pressure import LivePoint, Pressure

_WIDTH: Final = 96
_MIN_RANGE: Final = 4
"""Minimum number of registers with consecutive numbers that are shown as `%r1 … %r4`."""


def summary(point: LivePoint) -> str:
    """Returns the numbers of a point: `2 registers of 32 bits`, and how many of each size."""
    parts = [
        f"{count} × {name}"
        for name, count in reversed([*zip(CLASSES, point.counts, strict=True)])
        if count and name != PREDICATES
    ]
    shown = f"{counted(point.words, 'register')} of 32 bits"
    if len(parts) > 1 or (parts and not parts[0].endswith(" 32-bit")):
        shown += f" ({', '.join(parts)})"
    n_predicates = point.counts[CLASSES.index(PREDICATES)]
    if n_predicates:
        shown += f", {counted(n_predicates, 'predicate')}"
    return shown


def as_text(found: Pressure, path: str) -> str:
    """Returns the report about a function; `path` is the file as shown."""
    name = demangled(found.name) or found.name
    lines = [
        f"{name} ({path}:{found.line + 1})",
        f"  peak: {summary(found.peak)}, after line {found.peak.line + 1}",
    ]
    for kind, names in found.alive:
        lines += _wrapped(f"    {kind}: ", _with_ranges(names))
    for loop in found.loops:
        indent = "  " * loop.depth
        lines.append(
            f"{indent}loop at line {loop.line + 1}: {summary(loop.peak)}, "
            f"after line {loop.peak.line + 1}"
        )
    return "\n".join(lines) + "\n"


def _with_ranges(names: Sequence[str]) -> Iterator[str]:
    """Yields names, and `%r1 … %r4` for names with consecutive numbers."""
    for (head, _), group in groupby(enumerate(names), _distance):
        members = [name for _, name in group]
        if head and len(members) >= _MIN_RANGE:
            yield f"{members[0]} … {members[-1]}"
        else:
            yield from members


def _distance(numbered: tuple[int, str]) -> tuple[str, int]:
    """Returns what is equal for consecutive numbers: the name without it, and an offset."""
    index, name = numbered
    head = name.rstrip(digits)
    number = name[len(head) :]
    return (head, int(number) - index) if number else ("", -index)


def _wrapped(start: str, names: Iterable[str]) -> Iterator[str]:
    line = start
    for name in names:
        if len(line) + len(name) > _WIDTH and line.strip():
            yield line.rstrip()
            line = " " * len(start)
        line += f"{name} "
    yield line.rstrip()


def as_data(found: Pressure, path: str) -> dict[str, Any]:
    """Returns everything about a function as plain data; lines count from 1."""
    return {
        "path": path,
        "function": found.name,
        "line": found.line + 1,
        "peak": {**_data(found.peak), "alive": {kind: list(names) for kind, names in found.alive}},
        "loops": [
            {"line": loop.line + 1, "depth": loop.depth, "peak": _data(loop.peak)}
            for loop in found.loops
        ],
        "lines": [_data(point) for point in found.points],
    }


def _data(point: LivePoint) -> dict[str, Any]:
    counts = dict(zip(CLASSES, point.counts, strict=True))
    return {"line": point.line + 1, "words": point.words, "registers": counts}
