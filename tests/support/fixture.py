"""PTX with marks in it: where the cursor is, and what should be reported.

`<|>` is the cursor, `<|>...<|>` a selection; the characters occur in no PTX outside a string.
A line of carets names the diagnostic expected for the characters above them:

    @%p1 shfl.down.b32 %r1, %r0, 16, 31;
    //   ^^^^ unsynchronized-shuffle: part of the message

Several such lines below each other expect several diagnostics. The `//` may be left out, so that
carets can be below the first two columns. `^^^...` expects a range that ends on a later line,
which is not compared; `|` instead of carets expects an empty range before the character above.

A text that starts with a line feed is written as a block: the line feed and the common
indentation are removed. Marks and lines of carets are not part of the text under test.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import dedent

from ptx_ls.source import Diagnostic, Position, Range
from ptx_ls.source.lines import content_length, split_lines

_MARK = "<|>"
_RULE = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_EXPECTATION = re.compile(
    rf"\s*(?://)?\s*(?P<carets>\^+|\|)(?P<continued>\.\.\.)?\s+"
    rf"(?P<rule>{_RULE})(?::\s*(?P<message>.*?))?\s*"
)
_ATTEMPT = re.compile(r"\s*(?://)?\s*\^")


@dataclass(frozen=True, slots=True, order=True)
class Expectation:
    """A diagnostic that should be reported; `message` may be a part of the whole one.

    For a range that ends on a later line, `range` ends with its first line.
    """

    range: Range
    is_continued: bool
    rule: str
    message: str


@dataclass(frozen=True, slots=True)
class Fixture:
    """A text without its marks, the selection (empty for a cursor) and the expectations."""

    text: str
    selection: Range | None
    expectations: tuple[Expectation, ...]

    @property
    def cursor(self) -> Position:
        """The place of the one `<|>` in the text. Raises ValueError if there is not exactly one."""
        if self.selection is None or self.selection.start != self.selection.end:
            raise ValueError("the text does not have exactly one cursor `<|>`")
        return self.selection.start


def parse_fixture(marked: str) -> Fixture:
    """Reads a text with marks.

    Raises:
        ValueError: if there are more than two `<|>`, or carets that name no rule or have no line.
    """
    if marked.startswith("\n"):
        marked = dedent(marked[1:])
    lines: list[str] = []
    mark_columns: list[int] = []  # of the last line, as written
    places: list[Position] = []
    expectations: list[Expectation] = []
    for written in split_lines(marked):
        match = _EXPECTATION.fullmatch(written)
        if match:
            expectations.append(_expectation(match, lines, mark_columns))
        elif _ATTEMPT.match(written):
            raise ValueError(f"carets without the name of a rule: {written!r}")
        else:
            mark_columns = [mark.start() for mark in re.finditer(re.escape(_MARK), written)]
            places += [
                Position(len(lines), _unmarked(column, mark_columns)) for column in mark_columns
            ]
            lines.append(written.replace(_MARK, ""))
    if len(places) > 2:
        raise ValueError(f"{len(places)} marks; there can be one cursor or one selection")
    text = "".join(lines)
    if match:  # the text ends as the marked text does: without a line end
        text = text[: len(text) - len(lines[-1]) + content_length(lines[-1])]
    selection = Range(places[0], places[-1]) if places else None
    return Fixture(text, selection, tuple(sorted(expectations)))


def assert_diagnostics(fixture: Fixture, diagnostics: Iterable[Diagnostic]) -> None:
    """Fails unless exactly the expected diagnostics were reported, in any order."""
    lines = split_lines(fixture.text)
    reported = sorted(_reported(diagnostic, lines) for diagnostic in diagnostics)
    expected = list(fixture.expectations)
    if len(reported) == len(expected):
        reported = [
            Expectation(it.range, it.is_continued, it.rule, wanted.message)
            if wanted.message in it.message
            else it
            for it, wanted in zip(reported, expected, strict=True)
        ]
    assert marked_text(lines, reported) == marked_text(lines, expected)


def marked_text(lines: Sequence[str], expectations: Iterable[Expectation]) -> str:
    """Writes expectations below the lines of a text: the inverse of `parse_fixture`."""
    notes: dict[int, list[str]] = {}
    for expectation in expectations:
        start, end = expectation.range.start, expectation.range.end
        carets = "^" * (end.column - start.column) or "|"
        indent = "//" + " " * (start.column - 2) if start.column >= 2 else " " * start.column
        note = (
            indent + carets + ("..." if expectation.is_continued else "") + f" {expectation.rule}"
        )
        note += f": {expectation.message}" if expectation.message else ""
        notes.setdefault(start.line, []).append(note)
    return "\n".join(
        part
        for i, line in enumerate(lines)
        for part in (line[: content_length(line)], *notes.get(i, ()))
    )


def _expectation(match: re.Match[str], lines: list[str], mark_columns: list[int]) -> Expectation:
    if not lines:
        raise ValueError(f"no line above the carets: {match[0]!r}")
    n_columns = len(match["carets"]) if match["carets"] != "|" else 0
    start = match.start("carets")
    span = (_unmarked(column, mark_columns) for column in (start, start + n_columns))
    return Expectation(
        Range.on_line(len(lines) - 1, *span),
        match["continued"] is not None,
        match["rule"],
        match["message"] or "",
    )


def _unmarked(column: int, mark_columns: list[int]) -> int:
    """Returns the column without the marks before it."""
    return column - len(_MARK) * sum(mark < column for mark in mark_columns)


def _reported(diagnostic: Diagnostic, lines: list[str]) -> Expectation:
    start, end = diagnostic.range.start, diagnostic.range.end
    is_continued = end.line > start.line
    if is_continued:
        end = Position(start.line, content_length(lines[start.line]))
    return Expectation(Range(start, end), is_continued, diagnostic.rule, diagnostic.message)
