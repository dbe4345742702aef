"""The changes that a layout makes to its lines, and the resulting text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.formatting.engine import FormattedLines
    from ptx_ls.source import LineSpan

_END: Final = "\n"


class LineReplacement(NamedTuple):
    """The replacement of lines [first, stop) by `lines`, each with its line end."""

    first: int
    stop: int
    lines: list[str]


def changes(
    layout: FormattedLines, lines: Sequence[str], spans: Sequence[LineSpan]
) -> list[LineReplacement]:
    """Returns the changes of units that touch the lines of one of `spans`.

    They are in order, do not touch each other, and none begins or ends with an unchanged line.
    """
    found: list[LineReplacement] = []
    for number, first in enumerate(layout.lines[:-1]):
        stop = layout.lines[number + 1]
        if not any(stop > start and first < end for start, end in spans):
            continue
        texts = layout.texts[layout.rows[number] : layout.rows[number + 1]]
        if stop == first + 1 and len(texts) == 1 and _is_line(lines[first], texts[0]):
            continue
        new = _with_ends(texts, lines, first, stop, is_kept=first in layout.kept)
        if "".join(new) == "".join(lines[first:stop]):
            continue
        if found and found[-1].stop == first:
            found[-1].lines.extend(new)
            found[-1] = found[-1]._replace(stop=stop)
        else:
            found.append(LineReplacement(first, stop, new))
    return [change for each in found for change in _trimmed(each, lines)]


def applied(lines: Sequence[str], found: Sequence[LineReplacement]) -> str:
    """Returns the text of lines after changes, which are in order."""
    parts: list[str] = []
    at = 0
    for change in found:
        parts += (*lines[at : change.first], *change.lines)
        at = change.stop
    return "".join((*parts, *lines[at:]))


def text_of(layout: FormattedLines, lines: Sequence[str]) -> str:
    """Returns the whole text of a layout of all `lines`."""
    if not any(line.endswith(("\r", "\r\n")) for line in lines):
        end = "" if _keeps_end(layout, lines) else _END
        return "\n".join(layout.texts) + end if layout.texts else ""
    parts: list[str] = []
    for number, first in enumerate(layout.lines[:-1]):
        stop = layout.lines[number + 1]
        texts = layout.texts[layout.rows[number] : layout.rows[number + 1]]
        parts += _with_ends(texts, lines, first, stop, is_kept=first in layout.kept)
    return "".join(parts)


def _keeps_end(layout: FormattedLines, lines: Sequence[str]) -> bool:
    """Whether the text ends with an unchanged unit without a line end."""
    return bool(lines[-1]) and layout.lines[-2] in layout.kept


def _is_line(line: str, text: str) -> bool:
    return line.startswith(text) and line[len(text) :] in ("\n", "\r\n", "\r")


def _with_ends(
    texts: Sequence[str], lines: Sequence[str], first: int, stop: int, *, is_kept: bool
) -> list[str]:
    """Returns the rows with the line ends of their lines; even the last line of a text gets one."""
    if is_kept:
        blank = len(texts) - sum(bool(line) for line in lines[first:stop])
        return [_end(lines, first)] * blank + [line for line in lines[first:stop] if line]
    inner = _end(lines, first)
    outer = _end(lines, stop - 1) if stop > first + 1 else inner
    return [text + (outer if n == len(texts) - 1 else inner) for n, text in enumerate(texts)]


def _end(lines: Sequence[str], number: int) -> str:
    """Returns the end of a line, or the end of the first line if the line has none."""
    for at in (number, 0):
        line = lines[at]
        end = line[content_length(line) :]
        if end:
            return end
    return _END


def _trimmed(change: LineReplacement, lines: Sequence[str]) -> Iterator[LineReplacement]:
    """Yields the change without unchanged lines at its beginning and its end."""
    first, stop, new = change
    begin, end = 0, len(new)
    while first < stop and begin < end and lines[first] == new[begin]:
        first, begin = first + 1, begin + 1
    while first < stop and begin < end and lines[stop - 1] == new[end - 1]:
        stop, end = stop - 1, end - 1
    if first < stop or begin < end:
        yield LineReplacement(first, stop, new[begin:end])
