"""Shows changes of lines as a unified diff, which `patch` and `git apply` accept."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ptx_ls.cli import console
from ptx_ls.source.lines import content_length, split_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.formatting.changes import LineReplacement

_CONTEXT_LINES: Final = 3
"""The number of lines that a diff shows around changes."""
_COLOURS: Final = {"+": "\x1b[32m", "-": "\x1b[31m", "@": "\x1b[36m"}
_PLAIN: Final = "\x1b[0m"
_QUOTED: Final = frozenset(b'"\\')


def difference(
    path: str, lines: Sequence[str], changes: Sequence[LineReplacement]
) -> Iterator[str]:
    """Yields changes of lines as a unified diff for `patch`; nothing if there are no changes."""
    lines = lines if lines[-1] else lines[:-1]
    changes = [_without_end(each, len(lines)) for each in changes]
    if changes:
        name = _name(path)
        yield f"--- {name}\n+++ {name}\n"
    moved = 0
    for group in _grouped(changes):
        first = max(0, group[0].first - _CONTEXT_LINES)
        stop = min(len(lines), group[-1].stop + _CONTEXT_LINES)
        added = sum(len(each.lines) - (each.stop - each.first) for each in group)
        yield f"@@ -{_span(first, stop)} +{_span(first + moved, stop + moved + added)} @@\n"
        at = first
        for change in group:
            yield from (_row(" ", line) for line in lines[at : change.first])
            yield from (_row("-", line) for line in lines[change.first : change.stop])
            yield from (_row("+", line) for line in change.lines)
            at = change.stop
        yield from (_row(" ", line) for line in lines[at:stop])
        moved += added


def patch(path: str, old: str, new: str) -> str:
    """Returns the changes from one text of a file to another as a unified diff."""
    from ptx_ls.formatting.changes import LineReplacement
    from ptx_ls.lint.fixes.text_changes import line_changes

    changes = [LineReplacement(*each) for each in line_changes(old, new)]
    return "".join(difference(path, split_lines(old), changes))


def _without_end(change: LineReplacement, n_lines: int) -> LineReplacement:
    """Returns a change without the empty line after the last line end of a text."""
    new = [line for line in change.lines if line]
    return change._replace(
        first=min(change.first, n_lines), stop=min(change.stop, n_lines), lines=new
    )


def show(text: str, *, has_colour: bool) -> None:
    """Writes a unified diff to standard output: the bytes of the files, whatever the locale is.

    Raises:
        BrokenPipeError: if its reader is gone.
        OutputError: if it cannot be written for another reason.
    """
    shown = _coloured(text) if has_colour else text
    console.write_bytes(shown.encode("utf-8", "surrogateescape"))


def _coloured(text: str) -> str:
    return "".join(
        f"{_COLOURS[line[0]]}{line.rstrip()}{_PLAIN}\n" if line[:1] in _COLOURS else line
        for line in split_lines(text)
    )


def _name(path: str) -> str:
    """Returns a path as `patch` reads it: in quotes if it has bytes that end or change a line."""
    if not path.isprintable() or not _QUOTED.isdisjoint(os.fsencode(path)):
        return f'"{"".join(map(_quoted, os.fsencode(path)))}"'
    return f"{path}\t" if " " in path else path


def _quoted(byte: int) -> str:
    character = chr(byte)
    is_plain = character.isascii() and character.isprintable() and byte not in _QUOTED
    return character if is_plain else f"\\{byte:03o}"


def _grouped(changes: Sequence[LineReplacement]) -> Iterator[list[LineReplacement]]:
    """Yields groups of changes that are near each other and shown together."""
    group: list[LineReplacement] = []
    for change in changes:
        if group and change.first - group[-1].stop > 2 * _CONTEXT_LINES:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _span(first: int, stop: int) -> str:
    count = stop - first
    if count == 1:
        return str(first + 1)
    return f"{first + 1 if count else first},{count}"


def _row(sign: str, line: str) -> str:
    if content_length(line) < len(line):
        return f"{sign}{line}"
    return f"{sign}{line}\n\\ No newline at end of file\n"
