"""Computes numbers in the first threads of a block: threads 0 and 1 of its first row.

They follow from the number of the thread also where the form of a value ends: at a mask, a shift to
the right, a quotient or a remainder, as in `%tid.x & 15`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.register_events import GUARDS
from ptx_ls.values.affine import TermKind
from ptx_ls.values.transfer.operations import INTEGER_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput

_FIRST_OF_ROW: Final = ("%tid.x", "%laneid")
_ZERO: Final = ("%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z")
_MAX_NESTED: Final = 8
"""Maximum number of instructions after each other whose results are computed."""
_WORD: Final = 31
"""Number of bits of a value that is the same as signed and unsigned."""
_BINARY: Final = 2
_OPERATIONS: Final[Mapping[str, Callable[[int, int], int | None]]] = {
    "and": lambda left, right: left & right,
    "shr": lambda left, right: left >> min(right, _WORD),
    "div": lambda left, right: left // right if right else None,
    "rem": lambda left, right: left % right if right else None,
}
"""The results of opcodes for a number and a constant, neither of which is negative."""


class FirstThreads:
    """The numbers of a function in the first threads of block 0."""

    def __init__(
        self,
        given: FunctionInput,
        forms: AffineValues,
        ensure: Callable[[Iterable[int]], None],
    ) -> None:
        self._given, self._forms, self._ensure = given, forms, ensure

    def form(self, form: AffineForm, thread: int) -> int | None:
        """Returns the value of a form in thread 0 or 1; None if it is unknown."""
        return self._form(form, thread, _MAX_NESTED)

    def term(self, term: AffineTerm, thread: int) -> int | None:
        """Returns the value of a term in thread 0 or 1; None if it is unknown."""
        return self._term(term, thread, _MAX_NESTED)

    def _form(self, form: AffineForm, thread: int, depth: int) -> int | None:
        total = form.offset
        for term, times in form.terms:
            value = self._term(term, thread, depth)
            if value is None:
                return None
            total += value * times
        return total

    def _term(self, term: AffineTerm, thread: int, depth: int) -> int | None:
        if term.kind is TermKind.SPECIAL:
            if term.name in _FIRST_OF_ROW:
                return thread
            return 0 if term.name in _ZERO else None
        if term.kind is not TermKind.DEFINITION or not depth:
            return None
        return self._written(term.definitions[0], thread, depth - 1)

    def _written(self, definition: int, thread: int, depth: int) -> int | None:
        """Returns what an instruction without guard writes, if it is one of those above."""
        instruction = self._given.decoder.of_use(definition)
        compute = _OPERATIONS.get(instruction.name)
        is_integer = instruction.modifiers[-1:] and instruction.modifiers[-1] in INTEGER_TYPES
        width = self._given.decoder.width(definition)
        is_guarded = self._given.flow.uses.ways[instruction.uses.start] & GUARDS
        if compute is None or not is_integer or is_guarded or len(instruction.sources) != _BINARY:
            return None
        self._ensure(self._given.definitions_of(instruction))
        left, right = (
            self._operand(instruction, number, width, thread, depth) for number in (0, 1)
        )
        return None if left is None or right is None else compute(left, right)

    def _operand(
        self, instruction: DecodedInstruction, number: int, width: int, thread: int, depth: int
    ) -> int | None:
        form = self._forms.operand(instruction, instruction.sources[number], width)
        value = None if form is None else self._form(form, thread, depth)
        return value if value is not None and 0 <= value < 1 << _WORD else None
