"""Writes comments that suppress diagnostics."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.document.statements import statements_on
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.function_comments import suppressions_of
from ptx_ls.lint.suppression.marks import MARK
from ptx_ls.lint.suppression.surroundings import surroundings
from ptx_ls.source import Position, Range, TextEdit
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.comments import PlainPlaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ptx_ls.document.document import Document
    from ptx_ls.document.located import LocatedFunction
    from ptx_ls.lint.suppression.comments import SuppressionComment
    from ptx_ls.lint.suppression.function_comments import PlacedSuppression

_MAX_LINE_WIDTH: Final = 100
"""A comment goes above a line that would be longer with it."""
_LINE_FEED: Final = "\n"
_RETURN: Final = "\r"
"""A line end that does not end a comment that begins with `//`."""


class FoundHere(NamedTuple):
    """A diagnostic to suppress: where it starts, and its rule."""

    place: Position
    rule: str


class _Existing(NamedTuple):
    """A comment with a list to add to, and its function."""

    located: LocatedFunction
    comment: SuppressionComment

    def longer(self, rules: Iterable[str], reason: str) -> TextEdit:
        """Returns the edit that adds rules to the list, and a reason if the comment has none."""
        comment = self.comment
        start, end = comment.inside or (comment.end, comment.end)
        names = ", ".join(dict.fromkeys([*comment.names, *sorted(rules)]))
        if reason and not comment.reason:
            end += len("]")
            names = f"{names}] {reason}"
        return TextEdit(self.located.range(*on_row(comment.row, start, end)), names)


class SuppressionWriter:
    """Makes the edits of one document that suppress diagnostics.

    `reason`: one line without `*/`, which new comments give; "" for none.
    """

    def __init__(self, document: Document, reason: str = "") -> None:
        self._document, self._reason = document, reason
        self._run, self._plain = range(0), PlainPlaces("")
        self._starts: list[int] = []
        self._comments: tuple[int, list[PlacedSuppression]] = (-1, [])

    def on_lines(self, found: Iterable[FoundHere]) -> list[TextEdit]:
        """Returns the edits that suppress diagnostics on their lines.

        A comment that is about a line already gets more rules. Otherwise, a comment goes to the end
        of the line, or above it if the line would become long. Where neither is possible, it goes
        before the diagnostic.
        """
        on_line: dict[int, list[FoundHere]] = {}
        for each in found:
            on_line.setdefault(each.place.line, []).append(each)
        longer: dict[tuple[int, int, int], tuple[_Existing, set[str]]] = {}
        edits: list[TextEdit] = []
        for line, its in on_line.items():
            rules = {each.rule for each in its}
            existing = self._about_line(line)
            if existing is None:
                edits.append(self._new(min(its).place, rules))
                continue
            located, comment = existing
            key = located.number, comment.row, comment.start
            longer.setdefault(key, (existing, set()))[1].update(rules)
        return edits + [it.longer(rules, self._reason) for it, rules in longer.values()]

    def in_function(self, line: int, rule: str) -> TextEdit | None:
        """Returns the edit that suppresses a rule in the function on a line; None if none can."""
        located = self._document.located_on(line)
        if located.head is None:
            return None
        for existing in self._about_function(located):
            return existing.longer([rule], self._reason)
        place = Position(located.first_line, 0)
        above = self._document.functions[located.number - 1]
        is_after_body = above.head is None or above.close is not None
        if located.start != place or not is_after_body or not self._is_plain(place):
            return None
        return self._line_before(place.line, SuppressionForm.FUNCTION, [rule])

    def in_file(self, rule: str) -> TextEdit:
        """Returns the edit that suppresses a rule in the whole file."""
        for number in surroundings(self._document).comments:
            located = self._document.functions[number]
            for each in _of_form(located, SuppressionForm.FILE):
                return _Existing(located, each.comment).longer([rule], self._reason)
        return self._line_before(0, SuppressionForm.FILE, [rule])

    def _about_line(self, line: int) -> _Existing | None:
        """Returns the comment with a list that is about a line: on it, or else the nearest one."""
        located = self._document.located_on(line)
        row = line - located.first_line
        comments = self._line_comments(located)
        at = bisect_right(comments, row, key=lambda each: each.comment.row) - 1
        if at >= 0 and comments[at].comment.row == row:
            return _Existing(located, comments[at].comment)
        while at >= 0 and not comments[at].comment.is_alone:
            at -= 1
        if at >= 0:
            return _Existing(located, comments[at].comment) if comments[at].last >= row else None
        if row or not located.number:
            return None
        above = self._document.functions[located.number - 1]
        found = [it.comment for it in _of_form(above, SuppressionForm.LINE) if it.is_for_next]
        return _Existing(above, found[-1]) if found else None

    def _line_comments(self, located: LocatedFunction) -> list[PlacedSuppression]:
        """Returns the comments of a function that are about lines; those of the last are kept."""
        number, comments = self._comments
        if number != located.number:
            comments = [*_of_form(located, SuppressionForm.LINE)]
            self._comments = located.number, comments
        return comments

    def _about_function(self, located: LocatedFunction) -> Iterator[_Existing]:
        """Yields the comments with a list that are about a function."""
        above = self._document.functions[located.number - 1]
        for function, is_for_next in ((above, True), (located, False)):
            for each in _of_form(function, SuppressionForm.FUNCTION):
                if each.is_for_next is is_for_next:
                    yield _Existing(function, each.comment)

    def _new(self, place: Position, rules: Iterable[str]) -> TextEdit:
        """Returns the edit that adds a comment about the line of a place."""
        line = self._document.lines[place.line]
        end = content_length(line)
        is_block = line[end:] == _RETURN
        note = comment_text(SuppressionForm.LINE, rules, self._reason, is_block=is_block)
        is_long = len(line[:end].expandtabs()) + len(note) >= _MAX_LINE_WIDTH
        start = Position(place.line, 0)
        is_end_plain = self._is_plain(Position(place.line, end), is_in_line_comment=not is_block)
        if is_end_plain and not (is_long and self._begins_with_statement(place.line)):
            at = Position(place.line, end)
            return TextEdit(Range(at, at), f" {note}" if line[:end].strip() else note)
        if self._is_plain(start):
            return self._line_before(place.line, SuppressionForm.LINE, rules)
        note = comment_text(SuppressionForm.LINE, rules, self._reason, is_block=True)
        return TextEdit(Range(place, place), f"{note} ")

    def _line_before(self, line: int, form: SuppressionForm, rules: Iterable[str]) -> TextEdit:
        """Returns the edit that inserts a line with a comment before another line."""
        text, above = (self._document.lines[max(0, each)] for each in (line, line - 1))
        margin = text[: len(text) - len(text.lstrip(" \t"))]
        endings = [each[content_length(each) :] for each in (text, above)]
        ending = endings[0] or endings[1] or _LINE_FEED
        note = comment_text(form, rules, self._reason, is_block=ending == _RETURN)
        place = Position(line, 0)
        return TextEdit(Range(place, place), f"{margin}{note}{ending}")

    def _begins_with_statement(self, line: int) -> bool:
        """Whether a statement begins on a line, at its indentation."""
        text = self._document.lines[line]
        first = next(statements_on(self._document, line), None)
        margin = len(text) - len(text.lstrip(" \t"))
        return first is not None and first.start == Position(line, margin)

    def _is_plain(self, place: Position, *, is_in_line_comment: bool = False) -> bool:
        """Whether a comment may be inserted at a place.

        `is_in_line_comment`: whether it may be in a comment that begins with `//`.
        """
        if place.line not in self._run:
            self._run = self._document.run_at(place.line)
            lines = self._document.lines[self._run.start : self._run.stop]
            self._plain = PlainPlaces("".join(lines))
            self._starts = [0]
            for line in lines:
                self._starts.append(self._starts[-1] + len(line))
        offset = self._starts[place.line - self._run.start] + place.column
        return self._plain.includes(offset, is_in_line_comment=is_in_line_comment)


def comment_text(
    form: SuppressionForm, rules: Iterable[str], reason: str = "", *, is_block: bool = False
) -> str:
    """Returns a comment that suppresses rules; `is_block`: whether it is one with `/*` and `*/`."""
    text = f"{MARK} {form.value}[{', '.join(sorted(rules))}]{reason and f' {reason}'}"
    return f"/* {text} */" if is_block else f"// {text}"


def _of_form(located: LocatedFunction, form: SuppressionForm) -> Iterator[PlacedSuppression]:
    """Yields the comments of a function that have a form and a list of rules."""
    for each in suppressions_of(located.function).placed:
        if each.comment.form is form and each.comment.fault is None and each.comment.listed:
            yield each
