"""The messages of ptxas about a saved document, until the text that they are about is edited.

A message is kept with its region, with lines relative to it. So it moves with its function, and is
dropped as soon as that is edited.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import module_names
from ptx_ls.source import Position, Range, RelatedRange, Severity
from ptx_ls.source.lines import content_length

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.source import Diagnostic
    from ptx_ls.syntax.document import Document
    from ptx_ls.syntax.outline import Region
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.toolchain.ptxas import Message

_KEPT: Final = "ptxas"
"""Key among what is kept with a region until an edit."""
_MAX_MESSAGES: Final = 1000
"""Messages of one run that are kept, and statements of one line that are looked at."""
_NAME: Final = re.compile(r"'([^']+)'")
_HEADER: Final = re.compile(r"\s*\.target\b").match
_MAX_HEADER_LINES: Final = 200
"""Lines in which `.target` is looked for."""
_SEVERITIES: Final = {
    "error": Severity.ERROR,
    "fatal": Severity.ERROR,
    "warning": Severity.WARNING,
}
_RANKS: Final = list(Severity)


class PtxasMessage(NamedTuple):
    """One message, and the text that it is about."""

    range: Range
    message: str
    severity: Severity


class PtxasMessages:
    """The messages about one document that still hold. For the thread of the event loop alone."""

    def __init__(self) -> None:
        self._regions: list[Region] = []

    def take(self, document: Document, messages: Iterable[Message]) -> None:
        """Keeps messages about the present text, in place of earlier ones."""
        self.clear()
        placed: dict[int, list[PtxasMessage]] = {}
        for one in list(messages)[:_MAX_MESSAGES]:
            message = PtxasMessage(
                _area(document, one), one.text, _SEVERITIES.get(one.severity, _LEAST)
            )
            index = max(0, document.outline.region_at(message.range.start.line))
            placed.setdefault(index, []).append(message)
        for index, found in placed.items():
            region = document.outline.regions[index]
            region.facts[_KEPT] = tuple(_moved(message, -region.start) for message in found)
            self._regions.append(region)

    def clear(self) -> None:
        """Forgets all."""
        for region in self._regions:
            region.facts.pop(_KEPT, None)
        self._regions.clear()

    def present(self, document: Document) -> list[PtxasMessage]:
        """Returns the messages that still hold, where they are now, in the order of the text."""
        if not self._regions:
            return []
        self._regions = [it for it in self._regions if _holds(it, document)]
        found: list[PtxasMessage] = []
        for region in self._regions:
            kept = region.facts[_KEPT]
            assert isinstance(kept, tuple)  # noqa: S101  for mypy
            found += [_moved(message, region.start) for message in kept]
        return sorted(found, key=lambda message: message.range)


_LEAST: Final = Severity.INFORMATION


def merged(
    ours: list[Diagnostic], theirs: list[PtxasMessage]
) -> tuple[list[Diagnostic], list[PtxasMessage]]:
    """Returns our diagnostics, and the messages of ptxas that are left.

    Where one of ours is about the same lines and at least as severe, the message becomes one of
    its related places instead.
    """
    if not theirs:
        return ours, theirs
    by_line: dict[int, list[int]] = {}
    for number, one in enumerate(ours):
        for line in {one.range.start.line, one.range.end.line}:
            by_line.setdefault(line, []).append(number)
    ours, left = list(ours), []
    for each in theirs:
        lines = range(each.range.start.line, each.range.end.line + 1)
        same = [
            number
            for line in lines
            for number in by_line.get(line, ())
            if _RANKS.index(ours[number].severity) <= _RANKS.index(each.severity)
        ]
        if same:
            one = ours[same[0]]
            related = RelatedRange(each.range, f"ptxas: {each.message}")
            ours[same[0]] = one._replace(related=(*one.related, related))
        else:
            left.append(each)
    return ours, left


def _holds(region: Region, document: Document) -> bool:
    return _KEPT in region.facts and document.outline.index_of(region) is not None


def _moved(message: PtxasMessage, lines: int) -> PtxasMessage:
    start, end = message.range
    place = Range(
        Position(start.line + lines, start.column), Position(end.line + lines, end.column)
    )
    return message._replace(range=place)


def _area(document: Document, message: Message) -> Range:
    """The statement that a message is about; of one without a line, the function that it names."""
    names = _NAME.findall(message.text)
    if message.line is not None:
        line = min(max(message.line - 1, 0), len(document.lines) - 1)
        return _on_line(document, line, names)
    for name in names:
        for region in module_names(document).functions.get(name, ()):
            place = _declared(document, region, name)
            if place is not None:
                return place
    top = range(min(_MAX_HEADER_LINES, len(document.lines)))
    line = next((line for line in top if _HEADER(document.lines[line])), 0)
    return _on_line(document, line, names)


def _declared(document: Document, region: Region, name: str) -> Range | None:
    """The name of a function in its head."""
    index = document.outline.index_of(region)
    for symbol in region_facts(document, index).exports if index is not None else ():
        if symbol.name == name:
            (first, column), (last, end) = symbol.start, symbol.end
            first, last = region.start + first, region.start + last
            return Range(Position(first, column), Position(last, end))
    return None


def _on_line(document: Document, line: int, names: list[str]) -> Range:
    """The statement of a line, or what of the line there is where that is not clear."""
    found = [it for it in _statements(document, line) if it.start.line <= line <= it.end.line]
    if len(found) > 1:
        named = [it for it in found if any(name in it.text for name in names)]
        found = named if len(named) == 1 else found
    if len(found) == 1:
        return Range(found[0].start, found[0].end)
    text = document.lines[line]
    end = len(text[: content_length(text)].rstrip())
    whole = Range(Position(line, min(len(text) - len(text.lstrip()), end)), Position(line, end))
    if not found:
        return whole
    return Range(max(whole.start, found[0].start), min(whole.end, found[-1].end))


def _statements(document: Document, line: int) -> list[Statement]:
    return [it for _, it in zip(range(_MAX_MESSAGES), document.statements(line), strict=False)]
