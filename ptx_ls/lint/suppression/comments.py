"""Reads the comments that suppress diagnostics, such as `// ptx-ls: ignore[operand-width]`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from ptx_ls.lint.suppression.forms import CommentFault, SuppressionForm
from ptx_ls.lint.suppression.marks import MARK
from ptx_ls.source.lines import content_length
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax.comments import comments_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

EVERY: Final = "*"
"""Stands for the rules that a comment without a list is about."""
_DIRECTIVE: Final = LazyPattern(
    rf"(?://|^/\*)[ \t]*+{MARK}[ \t]*+(?P<form>[\w-]*+)[ \t]*+"
    r"(?P<list>\[(?P<names>[^\]\r\n/]*+)(?P<closed>\])?)?",
    re.ASCII,
)
_OTHER_COMMENT: Final = LazyPattern(r"(?<=[ \t])//", re.ASCII)
"""Begins a comment after a reason; an address such as `https://` in a reason does not."""
_NAME: Final = LazyPattern(r"[^\s,]++(?:[ \t]++[^\s,]++)*", re.ASCII)
_ONLY_COMMENTS: Final = LazyPattern(
    r"[ \t]*+(?:/\*[^*\r\n]*+(?:\*(?!/)[^*\r\n]*+)*\*/[ \t]*+)*(?://.*)?", re.ASCII
)


class CommentWord(NamedTuple):
    """A word of a comment, such as the name of a rule, with its columns."""

    name: str
    start: int
    end: int

    def moved(self, columns: int) -> CommentWord:
        """Returns the word further to the right."""
        return CommentWord(self.name, self.start + columns, self.end + columns)


class SuppressionComment(NamedTuple):
    """A comment on a line.

    Attributes:
        row: its line, counted from the start of the chunk or function that it is read for.
        start: the column where it starts.
        end: the column where it ends, with its reason.
        form: its form; LINE if its first word is none.
        word: its first word, with its columns.
        listed: the names in its list; None if it has no list, so that it is about all rules.
        inside: the columns of the text between the brackets; None if it has no list.
        reason: the text after the list.
        is_alone: whether the line has only comments.
        fault: why it suppresses nothing; None if it suppresses what it names.
    """

    row: int
    start: int
    end: int
    form: SuppressionForm
    word: CommentWord
    listed: tuple[CommentWord, ...] | None
    inside: tuple[int, int] | None
    reason: str
    is_alone: bool
    fault: CommentFault | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The rules that it names; only `EVERY` if it has no list, and none if it has a fault."""
        if self.fault is not None:
            return ()
        return (EVERY,) if self.listed is None else tuple([each.name for each in self.listed])

    def moved(self, rows: int, columns: int) -> SuppressionComment:
        """Returns the comment further down, and to the right."""
        if not columns:
            return self._replace(row=self.row + rows) if rows else self
        inside = self.inside and (self.inside[0] + columns, self.inside[1] + columns)
        listed = self.listed and tuple([each.moved(columns) for each in self.listed])
        return self._replace(
            row=self.row + rows,
            start=self.start + columns,
            end=self.end + columns,
            word=self.word.moved(columns),
            listed=listed,
            inside=inside,
            is_alone=False,
        )


def suppression_comments(lines: Sequence[str]) -> Iterator[SuppressionComment]:
    """Yields the comments in a text that begins outside of comments, given by its lines.

    A comment that begins with `//` has several lines if a lone carriage return ends one of them.
    """
    starts = [*accumulate(map(len, lines), initial=0)]
    is_alone: tuple[int, bool] = -1, False  # of the last row: a line may have many comments
    for first, end in comments_in("".join(lines)):
        row = bisect_right(starts, first) - 1
        is_line_comment = lines[row].startswith("//", first - starts[row])
        further = starts[row + 1 : bisect_left(starts, end)] if is_line_comment else ()
        for start in (first, *further):
            row = bisect_right(starts, start) - 1
            line, column = lines[row], start - starts[row]
            length = content_length(line)
            stop = min(end - starts[row], length)
            is_whole = is_line_comment or end - starts[row] <= length
            if is_whole and MARK in line[column:stop]:
                if is_alone[0] != row:
                    is_alone = row, is_only_comments(line)
                yield from _directives(line[column:stop], row, column, is_alone=is_alone[1])


def is_only_comments(line: str) -> bool:
    """Whether a line has a comment, and no other text, outside of comments over several lines."""
    content = line[: content_length(line)]
    return bool(content.strip()) and _ONLY_COMMENTS.fullmatch(content) is not None


def _directives(
    comment: str, row: int, start: int, *, is_alone: bool
) -> Iterator[SuppressionComment]:
    """Yields the directives in a comment that starts at a column of a line."""
    body = comment.removesuffix("*/") if comment.startswith("/*") else comment
    matches = [*_DIRECTIVE.finditer(body)]
    if body is not comment:  # a part of such a comment cannot be removed
        matches = [each for each in matches[:1] if each.start() == 0]
    for match, following in zip(matches, (*matches[1:], None), strict=False):
        if body is not comment:
            end = len(comment)
        else:
            stop = len(body) if following is None else following.start()
            other = _OTHER_COMMENT.search(body, match.end(), stop)
            stop = stop if other is None else other.start()
            end = match.start() + len(body[match.start() : stop].rstrip())
        reason = body[match.end() : end].strip().lstrip(":-").strip()
        listed = inside = None
        if match["list"] is not None:
            first = start + match.start("names")
            inside = first, start + match.end("names")
            names = _NAME.finditer(match["names"])
            listed = tuple(
                [CommentWord(it[0], first + it.start(), first + it.end()) for it in names]
            )
        form, fault = _form(match["form"]), None
        if match["list"] is not None and match["closed"] is None:
            fault = CommentFault.BRACKET
        elif listed == ():
            fault = CommentFault.EMPTY
        if form is None:
            form, fault = SuppressionForm.LINE, CommentFault.FORM
        yield SuppressionComment(
            row,
            start + match.start(),
            start + end,
            form,
            CommentWord(match["form"], start + match.start("form"), start + match.end("form")),
            listed,
            inside,
            reason,
            is_alone,
            fault,
        )


def _form(word: str) -> SuppressionForm | None:
    return next((each for each in SuppressionForm if each == word), None)
