"""Finds the comparisons that must hold for a predicate to have a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.values.decoding import plain_name
from ptx_ls.values.transfer.bitwise import AND, OR
from ptx_ls.values.transfer.comparison import NEGATIONS
from ptx_ls.values.transfer.setp_comparison import comparison_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.syntax.operands import OperandSyntax
    from ptx_ls.values.decoding import DecodedInstruction
    from ptx_ls.values.function_input import FunctionInput

_MAX_DEPTH: Final = 8
"""Maximum number of instructions on predicates that are followed one after another."""
_SIGN: Final = "! \t"


class HeldComparison(NamedTuple):
    """A comparison of integers that holds.

    Attributes:
        instruction: the `setp` that makes it; its operands are those at that place.
        operator: `eq`, `ne`, `lt`, `le`, `gt` or `ge`.
        left: the operand before the operator.
        right: the one after it.
        width: the number of bits that are compared.
        is_signed: whether the numbers are signed.
    """

    instruction: DecodedInstruction
    operator: str
    left: OperandSyntax
    right: OperandSyntax
    width: int
    is_signed: bool


class PredicateFacts(NamedTuple):
    """Consequences of the value of a predicate.

    Attributes:
        comparisons: the comparisons of integers that hold.
        is_exact: whether the predicate has this value whenever all of them hold.
    """

    comparisons: tuple[HeldComparison, ...]
    is_exact: bool


NO_FACTS: Final = PredicateFacts((), is_exact=False)


def predicate_facts(given: FunctionInput, use: int, *, value: bool) -> PredicateFacts:
    """Returns what follows if a predicate has a value at a use that reads it."""
    return _facts(given, use, _MAX_DEPTH, value=value)


def result_facts(given: FunctionInput, definition: int, *, value: bool) -> PredicateFacts:
    """Returns what follows if an instruction writes a value to a predicate, at a use of it."""
    return _of_result(given, definition, _MAX_DEPTH, value=value)


def _facts(given: FunctionInput, use: int, depth: int, *, value: bool) -> PredicateFacts:
    definition = given.flow.definition(use)
    if definition is None or not depth:
        return NO_FACTS
    return _of_result(given, definition, depth, value=value)


def _of_result(given: FunctionInput, definition: int, depth: int, *, value: bool) -> PredicateFacts:
    decoder = given.decoder
    instruction, place = decoder.of_use(definition), decoder.destination(definition)
    if place is None or place[1] >= 0 or given.flow.index.guard(definition) is not None:
        return NO_FACTS
    if instruction.name == "setp":
        return _of_comparison(given, instruction, depth, value=value, is_second=place[0] == 1)
    if instruction.modifiers != (".pred",) or place[0]:
        return NO_FACTS
    operands = [(each, value) for each in instruction.sources]
    if instruction.name == "not":
        operands = [(each, not value) for each, _ in operands]
    elif instruction.name != "mov" and (instruction.name, value) not in _CONJUNCTIONS:
        return NO_FACTS
    return _all_of(_of_operand(given, instruction, it, depth, value=own) for it, own in operands)


_CONJUNCTIONS: Final = (("and", True), ("or", False))
"""The instructions that have a result only if both operands have it."""


def _all_of(found: Iterator[PredicateFacts]) -> PredicateFacts:
    parts = [*found]
    comparisons = tuple(each for it in parts for each in it.comparisons)
    return PredicateFacts(comparisons, is_exact=all(each.is_exact for each in parts))


def _of_operand(
    given: FunctionInput,
    instruction: DecodedInstruction,
    operand: OperandSyntax,
    depth: int,
    *,
    value: bool,
) -> PredicateFacts:
    is_negated = operand.negation == "!"
    name = operand.text.lstrip(_SIGN) if is_negated else plain_name(operand)
    use = given.decoder.reading_use(instruction, name)
    return NO_FACTS if use is None else _facts(given, use, depth - 1, value=value != is_negated)


def _of_comparison(
    given: FunctionInput,
    instruction: DecodedInstruction,
    depth: int,
    *,
    value: bool,
    is_second: bool,
) -> PredicateFacts:
    test = comparison_of(instruction.modifiers)
    sources = instruction.sources
    if test is None or len(sources) != 2 + (test.table is not None):
        return NO_FACTS
    if test.table is not None and (test.table, value) not in ((AND, True), (OR, False)):
        return NO_FACTS
    own = PredicateFacts((), is_exact=False)
    if test.operator:
        operator = test.operator if value != is_second else NEGATIONS[test.operator]
        held = HeldComparison(
            instruction, operator, sources[0], sources[1], test.width, test.is_signed
        )
        own = PredicateFacts((held,), is_exact=True)
    if test.table is None:
        return own
    other = _of_operand(given, instruction, sources[2], depth, value=value)
    return _all_of(iter((own, other)))
