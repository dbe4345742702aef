"""Finds the numbers that a mask or a remainder certainly leaves of a loop counter, or of data.

In `table[i & 15]`, the mask is only needed if there is an iteration 16, so iteration 15 exists. A
remainder of a number from memory is only needed if that number may be larger than the divisor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS
from ptx_ls.values.affine import TermKind
from ptx_ls.values.decoding import plain_name
from ptx_ls.values.spans import UNBOUNDED
from ptx_ls.values.special_registers import Attained
from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.loops.counters import LoopCounters
    from ptx_ls.values.place_facts import Evaluation
    from ptx_ls.values.spans import Span

_CUTTING: Final = ("and", "rem")
_MAX_NUMBERS: Final = 1 << 12
"""Maximum number of iterations that are computed, and of numbers that a mask leaves."""
_LIMIT: Final = 1 << 31
"""Numbers below this are the same as signed and unsigned."""
_MAX_COPIES: Final = 4
"""Maximum number of copies and sums between a load and a mask."""
_LOADING: Final = ("ld", "ldu", "atom", "shfl")
_COPYING: Final = ("mov", "cvt", "add", "xor")
_MIXING: Final = ("mul", "mad", "rem")


class _Cut(NamedTuple):
    """An instruction that cuts a number: `source` is the number, `last` the largest result."""

    instruction: DecodedInstruction
    source: OperandSyntax
    last: int

    def of(self, number: int) -> int:
        """Returns what is left of a number that is not negative."""
        return number % (self.last + 1)


class CutNumbers:
    """The numbers that masks and remainders leave in a function."""

    def __init__(self, evaluation: Evaluation, counters: LoopCounters) -> None:
        self._parts, self._counters = evaluation, counters

    def counter(self, term: AffineTerm) -> AffineTerm | None:
        """Returns the loop counter of which a term is a part, if it is one."""
        found = self._counted(term)
        return found[1].terms[0][0] if found is not None else None

    def attained(self, term: AffineTerm, limits: Mapping[AffineTerm, Span]) -> Attained | None:
        """Returns what the part of a loop counter surely gets; None if that is unknown."""
        found = self._counted(term)
        if found is None:
            return None
        cut, form = found
        ((counter, step),) = form.terms
        bounds, allowed = self._counters.bounds(counter.head), limits.get(counter, UNBOUNDED)
        is_exact = self._counters.is_exact(counter.head)
        if not is_exact and bounds.high is not None and bounds.high < _LIMIT >> 1:
            return None
        high = _MAX_NUMBERS if bounds.high is None else min(bounds.high, _MAX_NUMBERS)
        last = high if allowed.high is None else min(high, allowed.high)
        results = list[int]()
        for iteration in range(max(0, allowed.low or 0), last + 1):
            number = form.offset + step * iteration
            if not 0 <= number < _LIMIT:
                break
            results.append(cut.of(number))
            if not is_exact and number > cut.last:
                break
        return Attained(min(results), max(results)) if results else None

    def of_data(self, term: AffineTerm) -> Attained | None:
        """Returns what is left of a number from memory, if it may be any; None otherwise."""
        cut = self._cut(term)
        if cut is None or not self._is_data(cut.instruction, cut.source):
            return None
        known = self._parts.forms.ranges.term(term)
        return Attained(0, cut.last) if (known.low, known.high) == (0, cut.last) else None

    def _counted(self, term: AffineTerm) -> tuple[_Cut, AffineForm] | None:
        """Returns the instruction that cuts a loop counter, and the form of what it cuts."""
        cut = self._cut(term)
        if cut is None:
            return None
        self._parts.ensure(self._parts.given.definitions_of(cut.instruction))
        form = self._parts.forms.operand(cut.instruction, cut.source, term.width)
        if form is None or [it.kind for it, _ in form.terms] != [TermKind.COUNTER]:
            return None
        return cut, form

    def _cut(self, term: AffineTerm) -> _Cut | None:
        if term.kind is not TermKind.DEFINITION:
            return None
        decoder, flow = self._parts.given.decoder, self._parts.given.flow
        instruction = decoder.of_use(term.definitions[0])
        if instruction.name not in _CUTTING or len(instruction.sources) != len(("a", "b")):
            return None
        type_ = INTEGER_TYPES.get(instruction.modifiers[-1]) if instruction.modifiers else None
        is_guarded = flow.uses.ways[instruction.uses.start] & GUARDS
        if type_ is None or is_guarded:
            return None
        source, constant = instruction.sources
        number = decoder.number(instruction, constant)
        if number is None or not 0 < number < _MAX_NUMBERS:
            return None
        if instruction.name == _CUTTING[0]:
            return _Cut(instruction, source, number) if not number & number + 1 else None
        return _Cut(instruction, source, number - 1)

    def _is_data(self, instruction: DecodedInstruction, operand: OperandSyntax) -> bool:
        """Whether an operand is a number from memory that is hashed, or of which `rem` is needed.

        A mask may also take a field of a number, or the number of a letter, which are smaller.
        """
        is_mixed = instruction.name in _MIXING
        given = self._parts.given
        use = given.decoder.reading_use(instruction, plain_name(operand))
        waiting: Iterable[int] = () if use is None else given.flow.definitions(use).writes
        for _ in range(_MAX_COPIES):
            made = [given.decoder.of_use(each) for each in waiting]
            if len(made) != 1:
                return False
            if made[0].name in _LOADING:
                return is_mixed and ".param" not in made[0].modifiers
            if made[0].name not in _COPYING + _MIXING:
                return False
            is_mixed |= made[0].name in _MIXING
            waiting = given.definitions_of(made[0])
        return False
