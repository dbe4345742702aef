"""Computes numbers in the threads of the first row of the first block.

They follow from the number of the thread also where the form of a value ends: at a mask, a shift to
the right, a quotient or a remainder, as in `%tid.x & 15`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.register_events import GUARDS
from ptx_ls.values.affine import TermKind
from ptx_ls.values.transfer.number_types import INTEGER_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.affine_values import AffineValues
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput
    from ptx_ls.values.launch import LaunchSizes
    from ptx_ls.values.spans import Span

THREAD: Final = "%tid.x"
LANE: Final = "%laneid"
_ZERO: Final = ("%tid.y", "%tid.z", "%ctaid.x", "%ctaid.y", "%ctaid.z")
LANES: Final = 32
_MAX_NESTED: Final = 8
"""Maximum number of instructions after each other whose results are computed."""
_WORD: Final = 31
"""Number of bits of a value that is the same as signed and unsigned."""


def _inserted(field: int, value: int, place: int, size: int) -> int:
    """Returns a value with a bit field replaced by the low bits of another one."""
    mask = (1 << size) - 1 << place
    return (value & ~mask | field << place & mask) & (1 << _WORD) - 1


_OPERATIONS: Final[Mapping[str, tuple[int, Callable[..., int]]]] = {
    "and": (2, lambda left, right: left & right),
    "or": (2, lambda left, right: left | right),
    "xor": (2, lambda left, right: left ^ right),
    "shr": (2, lambda left, right: left >> min(right, _WORD)),
    "div": (2, lambda left, right: left // right),
    "rem": (2, lambda left, right: left % right),
    "min": (2, min),
    "max": (2, max),
    "bfi": (4, _inserted),
}
"""For each opcode, the number of operands, and the result if none of them is negative."""
_DIVIDING: Final = ("div", "rem")
_CUTTING: Final = ("and", "rem", "min")
"""Opcodes that only matter to threads whose result differs from the first operand."""


class RowNumbers(NamedTuple):
    """The numbers that some threads have.

    `others`: the special registers that they depend on, other than the number of the thread in the
    row and in the warp. `matters`: the first threads that a mask or a remainder changes a number
    of, one for each such instruction.
    """

    numbers: list[int]
    others: frozenset[str] = frozenset()
    matters: tuple[int, ...] = ()


class FirstRow:
    """The numbers of a function in the threads of the first row of block 0."""

    def __init__(
        self,
        given: FunctionInput,
        forms: AffineValues,
        ensure: Callable[[Iterable[int]], None],
    ) -> None:
        """`ensure` evaluates definitions."""
        self._given, self._forms, self._ensure = given, forms, ensure

    def attained(
        self, form: AffineForm, limits: Mapping[AffineTerm, Span], sizes: LaunchSizes
    ) -> RowNumbers | None:
        """Returns the values of a form that it surely has in some threads, within limits of terms.

        None if they are unknown. Without a stated size, a block has at least the first thread that
        is within the limits, the first that a limit excludes, and the first whose number a mask
        changes, because limits and masks are needless in smaller blocks.
        """
        shape = sizes.threads
        threads = range(sizes.max_threads if shape is None else shape[0])
        found = self._form(form, threads, _MAX_NESTED)
        if found is None:
            return None
        others, needed, excluded = found.others, [*found.matters], set[int]()
        for term, span in limits.items():
            own = self.term(term, threads)
            if own is None:
                return None
            others |= own.others
            outside = [each for each in threads if not span.contains(own.numbers[each])]
            needed += [*outside[:1], *own.matters]
            excluded.update(outside)
        allowed = [each for each in threads if each not in excluded]
        last = threads[-1] if shape is not None else max((*needed, *allowed[:1]), default=0)
        numbers = [found.numbers[each] for each in allowed if each <= last]
        return RowNumbers(numbers, others) if numbers else None

    def form(self, form: AffineForm, threads: range) -> RowNumbers | None:
        """Returns the values of a form in some threads; None if they are unknown."""
        return self._form(form, threads, _MAX_NESTED)

    def term(self, term: AffineTerm, threads: range) -> RowNumbers | None:
        """Returns the values of a term in some threads; None if they are unknown."""
        return self._term(term, threads, _MAX_NESTED)

    def _form(self, form: AffineForm, threads: range, depth: int) -> RowNumbers | None:
        total = RowNumbers([form.offset] * len(threads))
        for term, times in form.terms:
            found = self._term(term, threads, depth)
            if found is None:
                return None
            total = RowNumbers(
                [
                    each + own * times
                    for each, own in zip(total.numbers, found.numbers, strict=True)
                ],
                total.others | found.others,
                total.matters + found.matters,
            )
        return total

    def _term(self, term: AffineTerm, threads: range, depth: int) -> RowNumbers | None:
        if term.kind is TermKind.SPECIAL:
            if term.name == THREAD:
                return RowNumbers([*threads])
            if term.name == LANE:
                return RowNumbers([each % LANES for each in threads])
            is_zero = term.name in _ZERO
            return RowNumbers([0] * len(threads), frozenset({term.name})) if is_zero else None
        if term.kind is not TermKind.DEFINITION or not depth:
            return None
        return self._written(term.definitions[0], threads, depth - 1)

    def _written(self, definition: int, threads: range, depth: int) -> RowNumbers | None:
        """Returns what an instruction without guard writes, if it is one of those above."""
        instruction = self._given.decoder.of_use(definition)
        name = instruction.name
        n_sources, compute = _OPERATIONS.get(name, (0, min))
        is_integer = instruction.modifiers[-1:] and instruction.modifiers[-1] in INTEGER_TYPES
        width = self._given.decoder.width(definition)
        is_guarded = self._given.flow.uses.ways[instruction.uses.start] & GUARDS
        if not n_sources or not is_integer or is_guarded:
            return None
        if len(instruction.sources) != n_sources:
            return None
        self._ensure(self._given.definitions_of(instruction))
        found = [
            self._operand(instruction, number, width, threads, depth) for number in range(n_sources)
        ]
        given = [each for each in found if each is not None]
        if len(given) < n_sources or (name in _DIVIDING and 0 in given[1].numbers):
            return None
        numbers = [*map(compute, *[each.numbers for each in given])]
        matters = tuple(each for it in given for each in it.matters)
        if name in _CUTTING:
            pairs = zip(threads, given[0].numbers, numbers, strict=True)
            matters += (*[thread for thread, old, new in pairs if old != new][:1],)
        return RowNumbers(numbers, frozenset().union(*[it.others for it in given]), matters)

    def _operand(
        self,
        instruction: DecodedInstruction,
        number: int,
        width: int,
        threads: range,
        depth: int,
    ) -> RowNumbers | None:
        form = self._forms.operand(instruction, instruction.sources[number], width)
        found = None if form is None else self._form(form, threads, depth)
        is_usual = found is not None and all(0 <= each < 1 << _WORD for each in found.numbers)
        return found if is_usual else None
