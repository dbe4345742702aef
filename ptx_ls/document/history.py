"""Recent versions of a document: an edit that restores one of them returns that version.

An undo therefore costs no more than the text that it inserts, however much the undone edit had
changed, and all facts of the restored version are still known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from ptx_ls.document.chunk import extent_of, lines_of
from ptx_ls.document.coordinates import NOTHING, Extent, inwards, outwards
from ptx_ls.document.editing import edited
from ptx_ls.source import Position
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.document.document import Document

_MAX_VERSIONS: Final = 3
"""Maximum number of former versions that are kept."""


class _Former(NamedTuple):
    """A former version: the current text is its text with [start, end) replaced.

    `now`: the end of the new text, in the current version.
    """

    document: Document
    start: Position
    end: Position
    now: Position

    def followed_by(self, start: Position, end: Position, stop: Position) -> Self:
        """Returns this for the text in which [start, end) is replaced by a text up to `stop`."""
        last = max(self.now, end)
        return self._replace(
            start=min(self.start, start),
            end=_moved(last, self.now, self.end),
            now=_moved(last, end, stop),
        )

    def is_restored_by(self, start: Position, end: Position, text: str) -> bool:
        """Whether replacing [start, end) of the current version by `text` restores this version."""
        if start != self.start or end != self.now:
            return False
        return _after(start, text) == self.end and (
            _between(self.document, self.start, self.end) == text
        )


class History:
    """The current version of a document, and some former ones.

    Attributes:
        document: the current version.
    """

    __slots__ = ("_formers", "document")

    def __init__(self, document: Document) -> None:
        self.document = document
        self._formers: tuple[_Former, ...] = ()

    def edit(self, start: Position, end: Position, text: str) -> None:
        """Replaces a range by `text`; positions out of range are clamped."""
        before = self.document
        restored = next(
            (it.document for it in self._formers if it.is_restored_by(start, end, text)), None
        )
        if restored is None:
            start = before.clamped(start)
            end = max(start, before.clamped(end))
        self.document = restored or edited(before, start, end, text)
        stop = _after(start, text)
        if Position(*self.document.extent) != _moved(Position(*before.extent), end, stop):
            self._formers = ()  # a carriage return and a line feed have become one line end
            return
        formers = (_Former(before, start, start, start), *self._formers)
        kept = [each for each in formers if each.document is not restored][:_MAX_VERSIONS]
        self._formers = tuple([each.followed_by(start, end, stop) for each in kept])


def _after(start: Position, text: str) -> Position:
    """Returns where a text ends that begins at a position."""
    added = extent_of(text, len(lines_of(text))) if text else NOTHING
    return Position(*Extent(*start).plus(added))


def _moved(place: Position, end: Position, stop: Position) -> Position:
    """Returns where a place after `end` is once the text before it ends at `stop` instead."""
    return Position(*outwards(inwards(place, Extent(*end)), Extent(*stop)))


def _between(document: Document, start: Position, end: Position) -> str:
    """Returns the text between two positions."""
    lines = document.lines[start.line : end.line + 1]
    lines[-1] = lines[-1][: end.column]
    return "".join(lines)[start.column :]
