"""Edits documents: reads the edited text, and shares all other parts with the old document.

Lines are read from the edited statements on until an old boundary between statements is reached,
which is one line in most cases. Only the chunks with these lines are replaced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.chunk import LINE_ENDS, ends_certainly, lines_of, reach_of
from ptx_ls.document.cutting import CHUNK_LINES, MAX_CHUNK_LINES, chunks_of
from ptx_ls.document.document import Document
from ptx_ls.document.function import Function, functions_of
from ptx_ls.document.function_tree import ChunkPath
from ptx_ls.document.window import Window
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Record

if TYPE_CHECKING:
    from ptx_ls.document.chunk import Chunk
    from ptx_ls.source import Position
    from ptx_ls.syntax.reader import Reader

MIN_CHUNK_LINES: Final = 96
"""Minimum number of lines of a chunk; a shorter one is joined with a neighbour."""
_MAX_SINGLE_LINES: Final = 50
"""Maximum number of lines to read one by one; the scanner is faster for more."""


class _Edit(NamedTuple):
    """A range of a document and the text that replaces it."""

    start: Position
    end: Position
    text: str


class _Reading(NamedTuple):
    """The lines of the first `n_chunks` chunks of a window after an edit, with their records."""

    lines: list[str]
    records: list[Record]
    n_chunks: int


def edited(document: Document, start: Position, end: Position, text: str) -> Document:
    """Returns the document with a range replaced by `text`; positions out of range are clamped.

    Takes time in proportion to the number of lines of the range, of `text` and of the statements
    that these touch.
    """
    start = document.clamped(start)
    edit = _Edit(start, max(start, document.clamped(end)), text)
    path = document.chunk_at(start)
    if path is None:  # the document is empty
        return Document.read(text, document.reader)
    window = Window(document, path)
    n_more = 1
    while (reading := _read_again(window, edit, document.reader)) is None:
        for _ in range(n_more):
            window.append()
        n_more *= 2
    return _with_chunks(document, window, reading)


def _read_again(window: Window, edit: _Edit, reader: Reader) -> _Reading | None:
    """Reads the edited window; returns None if it must be extended first."""
    begin = None
    while begin is None:
        first, column = window.row(edit.start)
        stop, end_column = window.row(edit.end)
        if stop >= len(window.lines) or end_column > len(window.lines[stop]):
            return None
        head = window.lines[first][:column]
        text = head + edit.text + window.lines[stop][end_column:]
        if text.startswith("\n") and _follows_return(window, first):
            first -= 1
            text = window.lines[first] + text if first >= 0 else text
        begin = window.start_of_reading(first) if first >= 0 else None
        if begin is None:
            window.prepend()
    stop += 1
    while stop < len(window.lines) and _goes_on(text, window.lines[stop]):
        text += window.lines[stop]
        stop += 1
    following = window.after
    if following is not None and stop == len(window.lines):
        was_ended = window.lines[-1].endswith(LINE_ENDS)
        if was_ended and _goes_on(text, following.text):
            return None
    return _read_lines(window, begin, first, stop, text, reader)


def _follows_return(window: Window, row: int) -> bool:
    """Whether the line before row `row` ends with a carriage return."""
    if row:
        return window.lines[row - 1].endswith("\r")
    return window.before is not None and window.before.text.endswith("\r")


def _goes_on(text: str, line: str) -> bool:
    """Whether a text and the next line have no line end between them."""
    return not text.endswith(LINE_ENDS) or (text.endswith("\r") and line.startswith("\n"))


def _read_lines(
    window: Window, begin: int, first: int, stop: int, text: str, reader: Reader
) -> _Reading | None:
    """Does the same as `_read_again`, from line `begin` on, with `text` as lines [first, stop)."""
    new = lines_of(text)
    is_last = stop == len(window.lines) and window.after is None
    if is_last and (not text or text.endswith(LINE_ENDS)):
        new.append("")  # the last line of the document
    lines = [*window.lines[:first], *new, *window.lines[stop:]]
    delta = len(lines) - len(window.lines)
    records = window.records[:begin]
    old_stop = max(window.stop_of_run(stop), window.known_from)
    while True:
        _read_until(lines, records, old_stop + delta, reader)
        further = window.stop_of_run(len(records) - delta)
        if further == len(records) - delta:
            break
        old_stop = further
    old_stop = len(records) - delta
    if window.after is not None and (
        reach_of(records[begin:]) > len(lines) - len(records)
        or (old_stop == len(window.lines) and _may_go_on(window, lines, records))
    ):
        return None
    return _trimmed(window, lines, records + window.records[old_stop:], old_stop)


def _may_go_on(window: Window, lines: list[str], records: list[Record]) -> bool:
    """Whether the text after the window continues the last line and may affect how it is read."""
    if window.lines[-1].endswith(LINE_ENDS):
        return False
    return not (window.is_certain_end and ends_certainly(lines, records))


def _trimmed(window: Window, lines: list[str], records: list[Record], old_stop: int) -> _Reading:
    """Returns the reading without the chunks after the lines that were read again."""
    n_chunks = len(window.starts)
    while n_chunks > 1 and window.starts[n_chunks - 1] >= old_stop:
        n_chunks -= 1
    stop = len(lines)
    if n_chunks < len(window.starts):
        stop += window.starts[n_chunks] - len(window.lines)
    lines, records = lines[:stop], records[:stop]
    if lines and not lines[-1]:
        lines.pop()
        records.pop()
    return _Reading(lines, records, n_chunks)


def _read_until(lines: list[str], records: list[Record], stop: int, reader: Reader) -> None:
    """Appends the records of the lines up to `stop`, or to the end of a run that contains it."""
    row = len(records)
    if stop - row > _MAX_SINGLE_LINES:
        records += reader.read_lines(lines, row, stop)
        return
    while row < stop:
        read, after = reader.read(lines, row)
        records.extend([read] * (after - row))
        row = after


def _with_chunks(document: Document, window: Window, reading: _Reading) -> Document:
    """Returns the document with the chunks of a window replaced."""
    first = last = window.first
    old = [document.chunk(first)]
    while len(old) < reading.n_chunks:
        last = document.neighbour(last, 1) or last
        old.append(document.chunk(last))
    n_lines = len(reading.lines)
    size = MAX_CHUNK_LINES if n_lines <= MAX_CHUNK_LINES else CHUNK_LINES
    new = chunks_of(reading.lines, reading.records, size)
    for former, chunk in zip(old, new, strict=False):
        chunk.replacing(former)
    if len(new) == 1 and n_lines < MIN_CHUNK_LINES:
        further = document.leaf(last.function).leaves(last.chunk + 1, last.chunk + 2)
        for chunk in further:
            if n_lines + chunk.n_lines <= CHUNK_LINES and not new[0].extent.columns:
                new = [new[0].joined(chunk).replacing(old[0])]
                last = ChunkPath(last.function, last.chunk + 1)
    return _with_functions(document, first, last, new)


def _with_functions(
    document: Document, first: ChunkPath, last: ChunkPath, new: list[Chunk]
) -> Document:
    """Returns the document with the chunks from one path to another replaced."""
    low, high = first.function, last.function
    function = document.leaf(low)
    was_head = function.head if first.chunk == 0 else None
    heads = [chunk.head for chunk in new]
    if low == high and new and heads == [was_head] + [None] * (len(new) - 1):
        functions = [function.spliced(first.chunk, last.chunk + 1, new)]
    else:
        chunks = [
            *function.leaves(0, first.chunk),
            *new,
            *document.leaf(high).leaves(last.chunk + 1),
        ]
        if low and (not chunks or chunks[0].head is None):
            low -= 1
            chunks = [*document.leaf(low).leaves(), *chunks]
        functions = list(functions_of(chunks))
        if not low and (not functions or functions[0].head is not None):
            functions.insert(0, Function(()))
        for number, made in enumerate(functions[: high + 1 - low], low):
            made.replacing(document.leaf(number))
    return document.with_functions(low, high + 1, functions)
