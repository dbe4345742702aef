"""The operands of an instruction as plain data.

Source: PTX ISA, "Instruction Operands" and "Constants".
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.offsets import StatementPosition

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet


class OperandForm(Enum):
    """The form in which an operand is written."""

    IDENTIFIER = auto()
    """A name: a register, special register, label, variable or function."""
    INTEGER = auto()
    FLOAT32 = auto()
    """`0f` and eight hexadecimal digits."""
    FLOAT64 = auto()
    """`0d` and sixteen hexadecimal digits."""
    DECIMAL = auto()
    STRING = auto()
    ADDRESS = auto()
    VECTOR = auto()
    LIST = auto()
    """A list in parentheses, such as the arguments of a call."""
    SINK = auto()
    EXPRESSION = auto()


FLOATS: Final = (OperandForm.FLOAT32, OperandForm.FLOAT64, OperandForm.DECIMAL)
GROUPS: Final = (OperandForm.ADDRESS, OperandForm.VECTOR, OperandForm.LIST)
"""Operands in brackets, braces or parentheses."""


class OperandSyntax(NamedTuple):
    """An operand, with its place in the parsed text.

    `identifier`: the index into the statement's identifiers, -1 if it is not a name.
    `elements`: the parts of an address, vector or list, or the terms of an expression.
    `paired`: `q` of `p|q`. `negation`: `!`, `-` or `~`. `selector`: `.x`, `.b0` or `.unified`.
    `has_offset`: whether a term is added to a name or part of an address.
    """

    form: OperandForm
    start: StatementPosition
    end: StatementPosition
    text: str
    identifier: int = -1
    elements: tuple[OperandSyntax, ...] = ()
    paired: OperandSyntax | None = None
    negation: str = ""
    selector: str = ""
    has_offset: bool = False


class Identifier(NamedTuple):
    """A name in an instruction, without its selector: `%r1`, `$L__BB0_2`, `%tid` of `%tid.x`.

    `full` is the name with its dotted parts, from `start` to `end`.
    """

    name: str
    full: str
    start: StatementPosition
    end: StatementPosition


SINK: Final = "_"
"""The operand that receives an unused result."""
_SIGNS: Final = "-+!~ \t"
_WARP: Final = "WARP_SZ"
"""The only name that is a number."""
_NUMBER_FORMS: Final = {
    "0f": OperandForm.FLOAT32,
    "0F": OperandForm.FLOAT32,
    "0d": OperandForm.FLOAT64,
    "0D": OperandForm.FLOAT64,
}


Parts = tuple[tuple[OperandSyntax, ...], tuple[Identifier, ...]]
"""The operands and the identifiers of an instruction."""


def of_name(identifier: Identifier, index: int) -> OperandSyntax:
    """Returns the operand that is only a name, which has an index among the identifiers."""
    name, full, start, end = identifier
    selector = full[len(name) :]
    return OperandSyntax(OperandForm.IDENTIFIER, start, end, full, index, selector=selector)


def of_terms(terms: tuple[OperandSyntax, ...], signs: AbstractSet[str], text: str) -> OperandSyntax:
    """Returns the operand of several terms with signs between them, such as `a+4` or `p|q`."""
    first = terms[0]
    form, paired, elements = OperandForm.EXPRESSION, None, terms
    identifier, selector = -1, ""
    if first.form is OperandForm.VECTOR and signs == {"|"}:
        form, paired, elements = first.form, terms[1], first.elements
    elif first.form in (OperandForm.IDENTIFIER, OperandForm.SINK):
        form, identifier, selector = first.form, first.identifier, first.selector
        if signs == {"|"} and len(terms) == len(("p", "q")):
            paired, elements = terms[1], ()
        else:
            elements = terms[1:]
    return OperandSyntax(
        form,
        first.start,
        terms[-1].end,
        text,
        identifier,
        elements,
        paired,
        first.negation,
        selector,
        has_offset=paired is None,
    )


def is_parenthesized(elements: Sequence[OperandSyntax]) -> bool:
    """Whether the elements of a list in parentheses are a single constant, so it is not a list."""
    return len(elements) == 1 and _is_constant(elements[0])


def _is_constant(operand: OperandSyntax) -> bool:
    return operand.text.lstrip(_SIGNS).startswith(_WARP) or operand.form in (
        OperandForm.INTEGER,
        OperandForm.FLOAT32,
        OperandForm.FLOAT64,
        OperandForm.DECIMAL,
        OperandForm.EXPRESSION,
    )


def number_form(text: str) -> OperandForm:
    """Returns the form of a number."""
    form = _NUMBER_FORMS.get(text[:2])
    if form is not None:
        return form
    is_integer = text[:2] in ("0x", "0X", "0b", "0B") or not any(mark in text for mark in ".eE")
    return OperandForm.INTEGER if is_integer else OperandForm.DECIMAL
