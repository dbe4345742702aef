"""The messages of ptxas about a saved document.

A message is kept with its function, and its place is relative to the start of the function. So it
moves with the function, and is dropped as soon as the function is edited.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from ptx_ls.document.statements import statements_on
from ptx_ls.semantics.symbols.module import region_facts
from ptx_ls.semantics.symbols.module_names import module_names
from ptx_ls.source import Position, Range, RelatedRange, Severity
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.document.document import Document
    from ptx_ls.document.function import Function
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.source import Diagnostic
    from ptx_ls.syntax.statement import Statement
    from ptx_ls.toolchain.ptxas import Message

_MAX_MESSAGES: Final = 1000
"""Maximum number of messages to keep of one run, and of statements to examine on one line."""
_NAME: Final = re.compile(r"'([^']+)'")
_MAX_HEADER_LINES: Final = 200
"""Number of lines in which `.target` is searched for."""
_SEVERITIES: Final = {
    "error": Severity.ERROR,
    "fatal": Severity.ERROR,
    "warning": Severity.WARNING,
}
_RANKS: Final = list(Severity)


class PtxasMessage(NamedTuple):
    """A message, and the range that it is about."""

    range: Range
    message: str
    severity: Severity


class _Placed(NamedTuple):
    """A message, with the start and end of its range as positions in a function."""

    start: FunctionPosition
    end: FunctionPosition
    message: PtxasMessage


class PtxasMessages:
    """The valid messages about one document. Use it on the event loop only."""

    def __init__(self) -> None:
        self._placed: dict[Function, list[_Placed]] = {}

    def take(self, document: Document, messages: Iterable[Message]) -> None:
        """Keeps messages about the current text instead of earlier ones."""
        self.clear()
        for one in islice(messages, _MAX_MESSAGES):
            area = _area(document, one)
            message = PtxasMessage(area, one.text, _SEVERITIES.get(one.severity, _DEFAULT_SEVERITY))
            located = document.located_at(area.start)
            placed = _Placed(located.place(area.start), located.place(area.end), message)
            self._placed.setdefault(located.function, []).append(placed)

    def clear(self) -> None:
        """Forgets all messages."""
        self._placed.clear()

    def present(self, document: Document) -> list[PtxasMessage]:
        """Returns the messages that are still valid, with their current ranges, in order."""
        if not self._placed:
            return []
        numbers = [n for n, function in enumerate(document.leaves()) if function in self._placed]
        functions = [document.functions[number] for number in numbers]
        self._placed = {it.function: self._placed[it.function] for it in functions}
        found = [
            each.message._replace(range=located.range(each.start, each.end))
            for located in functions
            for each in self._placed[located.function]
        ]
        return sorted(found, key=lambda message: message.range)


_DEFAULT_SEVERITY: Final = Severity.INFORMATION


def merged(
    ours: list[Diagnostic], theirs: list[PtxasMessage]
) -> tuple[list[Diagnostic], list[PtxasMessage]]:
    """Returns our diagnostics, and the remaining messages of ptxas.

    A message becomes related information of one of our diagnostics if that is about the same lines
    and at least as severe.
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


def _area(document: Document, message: Message) -> Range:
    """Returns where to show a message: its line, a function that it names, or the `.target`."""
    names = _NAME.findall(message.text)
    if message.line is not None:
        line = min(max(message.line - 1, 0), document.n_lines - 1)
        return _on_line(document, line, names)
    for name in names:
        for number in module_names(document).declaring_function(name):
            place = _declared(document.functions[number], name)
            if place is not None:
                return place
    top = range(min(_MAX_HEADER_LINES, document.n_lines))
    line = next((n for n in top if document.lines[n].lstrip().startswith(".target")), 0)
    return _on_line(document, line, names)


def _declared(located: LocatedFunction, name: str) -> Range | None:
    """Returns the range of a function's name in its head."""
    for symbol in region_facts(located.function).exports:
        if symbol.name == name:
            return located.range(symbol.start, symbol.end)
    return None


def _on_line(document: Document, line: int, names: list[str]) -> Range:
    """Returns the statement of a line, or the whole line if that is ambiguous."""
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
    return list(islice(statements_on(document, line), _MAX_MESSAGES))
