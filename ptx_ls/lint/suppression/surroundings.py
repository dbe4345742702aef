"""Rules that comments outside of a function suppress in it."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact
from ptx_ls.lint.suppression.comments import EVERY, SuppressionComment
from ptx_ls.lint.suppression.forms import SuppressionForm
from ptx_ls.lint.suppression.function_comments import (
    FunctionSuppressions,
    PlacedSuppression,
    last_row_of_statement,
    suppressions_of_group,
)
from ptx_ls.semantics.symbols.region_text import region_text
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.document import Document

OF_COMMENTS: Final = frozenset(
    {"invalid-suppression", "suppression-without-reason", "unused-suppression"}
)
"""The rules about these comments; a comment suppresses them only if it names them."""
Rules = frozenset[str]
"""Names of rules; `EVERY` stands for all rules that are not about comments."""
_NONE: Final[Rules] = frozenset()


class OpenRanges(NamedTuple):
    """The ranges that are open at a place: `rules` are suppressed, without `excepted`."""

    rules: Rules = _NONE
    excepted: Rules = _NONE

    def after(self, comment: SuppressionComment) -> OpenRanges:
        """Returns the ranges that are open after a comment."""
        names = frozenset(comment.names)
        if comment.form is SuppressionForm.START:
            kept = _NONE if EVERY in names else self.excepted - names
            return OpenRanges(self.rules | names, kept)
        if comment.form is not SuppressionForm.END or EVERY in names:
            return CLOSED if comment.form is SuppressionForm.END else self
        excepted = self.excepted | names if EVERY in self.rules else _NONE
        return OpenRanges(self.rules - names, excepted)

    def include(self, rule: str) -> bool:
        """Whether diagnostics of a rule are suppressed."""
        return includes(self.rules, rule) and rule not in self.excepted


CLOSED: Final = OpenRanges()


def includes(rules: Rules, rule: str) -> bool:
    """Whether a rule is among some, or is one of those that `EVERY` stands for."""
    return rule in rules or (EVERY in rules and rule not in OF_COMMENTS)


class Around(NamedTuple):
    """The rules that comments outside of a function suppress in it.

    Attributes:
        whole: rules that are suppressed in the whole function.
        ranges: the ranges that are open at its start.
        first: the rules that are suppressed on its rows up to a row.
        last: the rules that are suppressed where it ends: on its last row, or before the first
            character of the next function.
    """

    whole: Rules = _NONE
    ranges: OpenRanges = CLOSED
    first: tuple[tuple[int, Rules], ...] = ()
    last: Rules = _NONE


NOTHING: Final = Around()


@lru_cache(maxsize=256)
def _shared(around: Around) -> Around:
    """Returns the same object for equal values, because facts compare inputs by identity."""
    return around


_shared(NOTHING)


class Surroundings:
    """The suppression comments in a document.

    Attributes:
        comments: the comments of each function that has any, by its number, in order.
    """

    def __init__(self, comments: dict[int, FunctionSuppressions]) -> None:
        self.comments = comments
        self._numbers = [*comments]
        self._after: list[OpenRanges] = []
        whole: set[str] = set()
        ranges = CLOSED
        for each in comments.values():
            for comment, _, _ in each.outer:
                ranges = ranges.after(comment)
                if comment.form is SuppressionForm.FILE:
                    whole.update(comment.names)
            self._after.append(ranges)
        self._whole = frozenset(whole)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Surroundings) and self.comments == other.comments

    __hash__ = object.__hash__  # it is kept with one document

    def around(self, document: Document, number: int) -> Around:
        """Returns what comments outside of a function suppress in it.

        `document`: the document that the comments are of. `number`: the function's number.
        """
        if not self.comments:
            return NOTHING
        before = bisect_left(self._numbers, number)
        ranges = self._after[before - 1] if before else CLOSED
        above = [it.comment for it in self._outer(number - 1) if it.is_for_next]
        functions = [it.names for it in above if it.form is SuppressionForm.FUNCTION]
        whole = self._whole.union(*functions)
        first = tuple(self._on_first_rows(document, number))
        last = frozenset(self._on_last(document, number))
        return _shared(Around(whole, ranges, first, last))

    def _outer(self, number: int) -> tuple[PlacedSuppression, ...]:
        return self.comments[number].outer if number in self.comments else ()

    def _on_first_rows(self, document: Document, number: int) -> Iterator[tuple[int, Rules]]:
        """Yields the rules that comments of earlier functions suppress on its rows up to a row."""
        for each in self._outer(number - 1):
            if each.is_for_next and each.comment.form is SuppressionForm.LINE:
                last = last_row_of_statement(region_text(document.leaf(number)), 0)
                yield last, frozenset(each.comment.names)
        while not begins_line(document, number):
            number -= 1
            last = document.leaf(number).extent.lines
            for each in self._outer(number):
                if each.comment.form is SuppressionForm.LINE and each.last == last:
                    yield 0, frozenset(each.comment.names)
            if last:
                break

    def _on_last(self, document: Document, number: int) -> Iterator[str]:
        """Yields the rules that comments of later functions suppress where it ends."""
        while number + 1 < document.n_leaves:
            number += 1
            for each in self._outer(number):
                if each.comment.form is SuppressionForm.LINE and not each.comment.row:
                    yield from each.comment.names
            if document.leaf(number).extent.lines:
                break


_NO_COMMENTS: Final = Surroundings({})


def begins_line(document: Document, number: int) -> bool:
    """Whether no other function is on the first line of a function before it."""
    return not number or not shares_last_line(document, number - 1)


def shares_last_line(document: Document, number: int) -> bool:
    """Whether a function ends within a line, or is empty, which only the first one can be."""
    function = document.leaf(number)
    return bool(function.extent.columns) or not function.n_leaves


@fact
def surroundings(document: Document) -> Surroundings:
    """Returns the suppression comments in a document."""
    found: dict[int, FunctionSuppressions] = {}
    for first, group in document.groups():
        for number, each in suppressions_of_group(group):
            found[first + number] = each
    return Surroundings(found) if found else _NO_COMMENTS
