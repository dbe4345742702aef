"""Marks of the pointers that the values of a function may be based on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.addresses.outlines import value_outline
from ptx_ls.lint.addresses.outlines.value_outline import FIRST_POINTER, ValueOutline
from ptx_ls.values.affine import AffineForm, added, term_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.values.affine import AffineTerm

POINTER_WIDTH: Final = 64
_MAX_POINTERS: Final = 128
"""Maximum number of pointers in a function that have marks."""


class PointerMarks:
    """Gives each pointer of a function a mark in outlines."""

    def __init__(self) -> None:
        self._forms: list[AffineForm] = []
        self._numbers: dict[AffineForm, int] = {}
        self._of_marks: dict[int, tuple[AffineForm, ...]] = {}

    def pointers(self, outline: ValueOutline) -> tuple[AffineForm, ...]:
        """Returns the pointers that a value may be based on."""
        marks = outline.marks >> FIRST_POINTER
        found = self._of_marks.get(marks)
        if found is None:
            forms = enumerate(self._forms)
            found = self._of_marks[marks] = tuple(it for bit, it in forms if marks >> bit & 1)
        return found

    def based_on(self, term: AffineTerm, outline: ValueOutline) -> ValueOutline:
        """Returns an outline with the mark of a pointer."""
        mark = self._mark(term_form(POINTER_WIDTH, term))
        return outline._replace(marks=outline.marks | value_outline.BASED | mark)

    def _mark(self, form: AffineForm) -> int:
        """Returns the mark of a pointer."""
        number = self._numbers.get(form)
        if number is None:
            if len(self._forms) == _MAX_POINTERS:
                return value_outline.MANY
            number = self._numbers[form] = len(self._forms)
            self._forms.append(form)
        return 1 << FIRST_POINTER + number

    def converted(
        self, given: Sequence[ValueOutline], moved: AffineForm, sign: int
    ) -> ValueOutline:
        """Returns the outline of an address to which a conversion adds `sign * moved`."""
        (source,), marks = given, 0
        for form in self.pointers(source) or (AffineForm(POINTER_WIDTH, (), 0),):
            converted = added(form, moved, sign)
            marks |= value_outline.EXTENDED if converted is None else self._mark(converted)
        return source._replace(marks=source.marks & value_outline.PLAIN_MARKS | marks)
