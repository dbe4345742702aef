"""Finds the numbers to which a loop adds how many threads there are, as in `i += gridSize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.values.affine import TermKind
from ptx_ls.values.decoding import plain_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.affine import AffineForm, AffineTerm
    from ptx_ls.values.comparisons import HeldComparison
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput

    OperandForms = Callable[[DecodedInstruction, OperandSyntax, int], AffineForm | None]
    """Returns the form of an operand that an instruction reads with a width."""

_LOWERING: Final = ("sub", "neg", "not")
_SIZES: Final = ("%ntid.", "%nctaid.")


def growing_side(
    given: FunctionInput, form_of: OperandForms, held: HeldComparison, loop: AbstractSet[int]
) -> int | None:
    """Returns which side of a comparison such a number is, 0 or 1; None if neither or both are.

    The other side must not change in the loop. A number without a sign must not begin below zero,
    because it may grow until it wraps around.
    """
    writes = [_definitions(given, held.instruction, it) for it in (held.left, held.right)]
    changing = [[each for each in it if _block(given, each) in loop] for it in writes]
    for side, definitions in enumerate(changing):
        if len(definitions) == 1 and not changing[1 - side]:
            if not _grows(given, form_of, definitions[0], loop):
                return None
            starts = {*given.definitions_of(given.decoder.of_use(definitions[0])), *writes[side]}
            is_small = not any(_may_be_negative(given, each) for each in starts)
            return side if held.is_signed or is_small else None
    return None


def _may_be_negative(given: FunctionInput, definition: int) -> bool:
    """Whether an instruction computes a number that is below zero if it has a sign."""
    made = given.decoder.of_use(definition)
    numbers = [given.decoder.number(made, each) for each in made.sources]
    return made.name in _LOWERING or any(each is not None and each < 0 for each in numbers)


def _grows(
    given: FunctionInput, form_of: OperandForms, definition: int, loop: AbstractSet[int]
) -> bool:
    """Whether an instruction adds a number of threads to its own last result."""
    made = given.decoder.of_use(definition)
    if made.name != "add" or given.flow.index.guard(definition) is not None:
        return False
    width = given.decoder.width(definition)
    for number, step in (made.sources, made.sources[::-1]):
        if definition in _definitions(given, made, number):
            is_fixed = all(_block(given, it) not in loop for it in _definitions(given, made, step))
            form = form_of(made, step, width) if is_fixed else None
            return form is not None and _is_positive(form)
    return False


def _is_positive(form: AffineForm) -> bool:
    """Whether a number is a sum of multiples of how many threads or blocks there are."""
    is_sum = bool(form.terms) and form.offset >= 0
    return is_sum and all(times > 0 and _is_size(term) for term, times in form.terms)


def _is_size(term: AffineTerm) -> bool:
    if term.kind is TermKind.PRODUCT:
        return all(map(_is_size, term.factors))
    return term.kind is TermKind.SPECIAL and term.name.startswith(_SIZES)


def _definitions(
    given: FunctionInput, instruction: DecodedInstruction, operand: OperandSyntax
) -> tuple[int, ...]:
    """Returns the instructions that may have written an operand."""
    use = given.decoder.reading_use(instruction, plain_name(operand))
    return () if use is None else tuple(given.flow.definitions(use).writes)


def _block(given: FunctionInput, definition: int) -> int:
    return given.flow.index.block_of(definition)
