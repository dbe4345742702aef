"""Mistakes in suppression comments, as data without words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionPosition, FunctionSpan
    from ptx_ls.lint.suppression.forms import CommentFault, SuppressionForm


class UnusedSuppression(NamedTuple):
    """A comment that suppresses nothing, or rules in it for which that is so.

    Attributes:
        names: these rules; none if the comment is about all rules.
        form: the form of the comment.
        edit: the text to replace, and the new text, without these rules.
        is_whole: whether the edit removes the comment.
        start: the start of the text to report.
        end: its end.
    """

    names: tuple[str, ...]
    form: SuppressionForm
    edit: tuple[FunctionSpan, str]
    is_whole: bool
    start: FunctionPosition
    end: FunctionPosition


class InvalidSuppression(NamedTuple):
    """A comment that cannot be read, if `fault` is given, or a name in it that no rule has.

    `text`: the wrong word or name.
    """

    text: str
    fault: CommentFault | None
    start: FunctionPosition
    end: FunctionPosition


class SuppressionWithoutReason(NamedTuple):
    """A comment that gives no reason."""

    start: FunctionPosition
    end: FunctionPosition
