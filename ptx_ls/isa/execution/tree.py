"""Expressions and statements of the pseudo-code, as trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ptx_ls.source.named_tuple import NamedTuple


class Number(NamedTuple):
    """A constant as it is written: `31`, `0x1f`, `0f3f800000`, `1.0`, `NaN`."""

    text: str


class Variable(NamedTuple):
    """An operand, a temporary, a type (`s32`) or `CC.CF`."""

    text: str


class LaneNumber(Variable):
    """`lane`, the number of the lane that executes; a register of that name is a `Variable`."""

    __slots__ = ()


class SlotReference(NamedTuple):
    """The modifier in a slot, `.type`, before an instruction is known."""

    name: str


class Unary(NamedTuple):
    """`-x`, `~x`, `!x`, and `|x|` with the operator "|"."""

    operator: str
    operand: Expression


class Binary(NamedTuple):
    """Two expressions with a binary operator of C, or `of lane`."""

    operator: str
    left: Expression
    right: Expression


class Conditional(NamedTuple):
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression


class FunctionCall(NamedTuple):
    """`function(arguments)`. A function such as `.ftz` applies only if the modifier is written."""

    function: str
    arguments: tuple[Expression, ...]


class Over(NamedTuple):
    """`function(variable in domain: body)`, such as `sum(i in 0 .. 3: a.byte[i])`."""

    function: str
    variable: str
    domain: Expression
    body: Expression


class BitRange(NamedTuple):
    """`first .. last`, both included."""

    first: Expression
    last: Expression


class Subscript(NamedTuple):
    """`x[i]`: a bit, or an element of a packed value."""

    operand: Expression
    place: Expression


class Bits(NamedTuple):
    """`x[high:low]`."""

    operand: Expression
    high: Expression
    low: Expression


class BitField(NamedTuple):
    """`x.b0`, `x.h1`, `x.byte[i]`, `x.half[i]`; `.asel` before the instruction is known."""

    operand: Expression
    name: str
    place: Expression | None = None


class Vector(NamedTuple):
    """`{x, y}`, the first in the lowest bits."""

    elements: tuple[Expression, ...]


Expression = (
    Number
    | Variable
    | SlotReference
    | Unary
    | Binary
    | Conditional
    | FunctionCall
    | Over
    | BitRange
    | Subscript
    | Bits
    | BitField
    | Vector
)


class Assignment(NamedTuple):
    """`target = value;`."""

    target: Expression
    value: Expression


class EffectCall(NamedTuple):
    """`wait(membermask);`: a call that changes no value."""

    call: FunctionCall


class If(NamedTuple):
    """`if (condition) statement`."""

    condition: Expression
    body: Statement


class For(NamedTuple):
    """`for variable in domain: statements`."""

    variable: str
    domain: Expression
    body: tuple[Statement, ...]


Statement = Assignment | EffectCall | If | For


def map_parts(  # noqa: C901, PLR0911  one case for each kind of node
    node: Expression, change: Callable[[Expression], Expression]
) -> Expression:
    """Returns a node with each expression in it changed."""
    match node:
        case Number() | Variable() | SlotReference():
            return node
        case Binary(operator, left, right):
            return Binary(operator, change(left), change(right))
        case FunctionCall(function, arguments):
            return FunctionCall(function, tuple(map(change, arguments)))
        case Vector(elements):
            return Vector(tuple(map(change, elements)))
        case Over(function, variable, domain, body):
            return Over(function, variable, change(domain), change(body))
        case BitField(operand, name, index):
            return BitField(change(operand), name, change(index) if index is not None else None)
        case Unary(operator, operand):
            return Unary(operator, change(operand))
        case Conditional(condition, then, otherwise):
            return Conditional(change(condition), change(then), change(otherwise))
        case BitRange(first, last):
            return BitRange(change(first), change(last))
        case Subscript(operand, index):
            return Subscript(change(operand), change(index))
        case Bits(operand, high, low):
            return Bits(change(operand), change(high), change(low))


def map_statement(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    """Returns a statement with each of its expressions changed."""
    match statement:
        case Assignment(target, value):
            return Assignment(change(target), change(value))
        case EffectCall(FunctionCall(function, arguments)):
            return EffectCall(FunctionCall(function, tuple(map(change, arguments))))
        case If(condition, body):
            return If(change(condition), map_statement(body, change))
        case For(variable, domain, body):
            return For(
                variable, change(domain), tuple(map_statement(each, change) for each in body)
            )


def parts_of(node: Expression) -> tuple[Expression, ...]:
    """Returns the direct subexpressions of a node."""
    parts: list[Expression] = []

    def note(part: Expression) -> Expression:
        parts.append(part)
        return part

    map_parts(node, note)
    return tuple(parts)


def has_choice(statement: Statement) -> bool:
    """Whether a statement contains a conditional expression."""
    found = False

    def look(node: Expression) -> Expression:
        nonlocal found
        found = found or isinstance(node, Conditional)
        return node if found else map_parts(node, look)

    map_statement(statement, look)
    return found


def names_in(node: Expression) -> Iterator[str]:
    """Yields every name in an expression."""
    if isinstance(node, Variable):
        yield node.text
    for part in parts_of(node):
        yield from names_in(part)
