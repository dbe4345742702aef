"""The executable pseudo-code of an instruction, with its own operands and constants filled in."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.features.hover.instructions.float_constants import with_decided_floats
from ptx_ls.features.hover.numbers.lop3 import formula
from ptx_ls.isa.execution.folding import fold, integer, largest
from ptx_ls.isa.execution.formats import value_type
from ptx_ls.isa.execution.parser import PseudoCodeError, parse_expression
from ptx_ls.isa.execution.specialize import specialized, with_names
from ptx_ls.isa.execution.tree import (
    Assignment,
    BitField,
    BitRange,
    Expression,
    For,
    FunctionCall,
    If,
    LaneNumber,
    Number,
    Statement,
    Subscript,
    Unary,
    Variable,
    has_choice,
    map_parts,
    map_statement,
    names_in,
    parts_of,
)
from ptx_ls.isa.execution.variant import Variant
from ptx_ls.syntax.names import is_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ptx_ls.isa.execution.variant import Line
    from ptx_ls.isa.model import Form

_MAX_DECIMAL: Final = 1 << 16
"""Constants that do not fit their type as written are shown in hexadecimal from here on."""
_CAST: Final = "(."
"""Begins a cast in a constant expression, such as `(.u64)`."""
_LANE: Final = LaneNumber("lane")
_NAMES: Final = frozenset({Variable})
_MAX_UNROLLED_ITERATIONS: Final = 4
"""Maximum number of iterations of a loop that are shown one by one."""
_WRITTEN_AND_READ: Final = 2
"""How often a temporary is named that is read once."""
_MAX_CACHED_VARIANTS: Final = 256
"""Maximum number of variants whose statements are cached."""
LinesOfCode = list[tuple["Line", tuple[Statement, ...]]]


def computed(
    lines: Iterable[Line], variant: Variant, operands: Mapping[str, Expression]
) -> LinesOfCode:
    """Returns lines with their statements, written with the operands of an instruction.

    Constant temporaries are inlined. A register that is overwritten before its last read is saved
    as `old_a`. A comment on a choice is omitted where constants decide it.

    Raises:
        PseudoCodeError: if a line cannot be read.
    """
    form, modifiers, slots = variant.form, tuple(variant.modifiers), tuple(variant.slots.items())
    general, once = _general(tuple(lines), form, modifiers, slots)
    kept = {name: Variable(f"old_{name}") for name in _overwritten(general, operands)}
    values = {**operands, **kept}
    found: LinesOfCode = []
    bounded: dict[str, Expression] = {}
    for line, statements in general:
        left: list[Statement] = []
        for statement in statements:
            particular = _particular(statement, values, operands)
            match statement, particular:
                case Assignment(_, general_value), Assignment(Variable(name), value) if (
                    name in once
                ):
                    if bounded and integer(value) is None:
                        value = _folded(general_value, {**values, **bounded})
                    if integer(value) is not None:
                        values[name] = value
                        continue
                    if largest(value) >= 0:
                        bounded[name] = value
            left += _unrolled(particular)
        if left or not statements:
            is_decided = line.comment != "" and _is_decided(statements, left)
            found.append((line._replace(comment="") if is_decided else line, tuple(left)))
    own = {name for each in operands.values() for name in names_in(each)}
    found = _inlined(found, once - operands.keys() - own)
    saved = tuple(Assignment(name, operands[operand]) for operand, name in kept.items())
    if saved and found:
        found.insert(0, (found[0][0]._replace(indentation="", comment=""), saved))
    return found


def _inlined(lines: LinesOfCode, temporaries: frozenset[str]) -> LinesOfCode:
    """Replaces temporaries that only the statement after the one that assigns them reads, once."""
    counts = Counter(name for each in _every(lines) for name in _names_of(each))
    found: LinesOfCode = []
    for line, statements in lines:
        left: list[Statement] = []
        for statement in statements:
            before = left or (
                found[-1][1] if found and found[-1][0].indentation == line.indentation else ()
            )
            changed = (
                _with_temporary(before[-1], statement, counts, temporaries) if before else None
            )
            if changed is None:
                left.append(statement)
            elif left:
                left[-1] = changed
            else:
                earlier, kept = found.pop()
                found += [(earlier, kept[:-1])] if kept[1:] else []
                left.append(changed)
        found.append((line, tuple(left)))
    return found


def _with_temporary(
    before: Statement, statement: Statement, counts: Counter[str], temporaries: frozenset[str]
) -> Statement | None:
    """Returns a statement with the value of the temporary before it, if nothing else reads that."""
    match before, statement:
        case Assignment(Variable(name), value), Assignment(target, read) if (
            name in temporaries and counts[name] == _WRITTEN_AND_READ and name in names_in(read)
        ):
            return Assignment(target, with_names(read, {name: value}.get))
    return None


def _names_of(statement: Statement) -> list[str]:
    """Returns the names in a statement, each as often as it is there."""
    found: list[str] = []

    def note(node: Expression) -> Expression:
        found.extend(names_in(node))
        return node

    map_statement(statement, note)
    return found


@lru_cache(maxsize=_MAX_CACHED_VARIANTS)
def _general(
    lines: tuple[Line, ...],
    form: Form | None,
    modifiers: tuple[str, ...],
    slots: tuple[tuple[str, str], ...],
) -> tuple[LinesOfCode, frozenset[str]]:
    """Returns lines with their statements, for some modifiers and any operands.

    Also returns the names that are assigned once and not in a loop.
    """
    variant = Variant(form, dict(slots), modifiers, ())
    found = [(line, specialized(line, variant)) for line in lines]
    return found, _assigned_once(_every(found))


def _every(lines: LinesOfCode) -> list[Statement]:
    return [statement for _, statements in lines for statement in statements]


def as_expression(text: str, type_name: str) -> Expression:
    """Returns an operand as part of an expression; a constant as its type interprets it."""
    if (text.startswith("%") and is_name(text)) or _CAST in text.replace(" ", ""):
        return Variable(text)
    try:
        found = parse_expression(text)
    except PseudoCodeError:
        return Variable(text)
    value, type_ = integer(found), value_type(type_name)
    if value is None or type_ is None or type_.kind not in ("signed", "unsigned"):
        return found
    bits = value & (1 << type_.width) - 1
    if type_.n_parts > 1:
        return Number(hex(bits))
    actual = bits - ((bits >> type_.bits - 1) << type_.bits) if type_.kind == "signed" else bits
    if actual == value:
        return found
    if actual < 0:
        return Unary("-", Number(str(-actual)))
    return Number(hex(actual) if actual >= _MAX_DECIMAL else str(actual))


def _particular(
    statement: Statement, values: Mapping[str, Expression], targets: Mapping[str, Expression]
) -> Statement:
    """Replaces names with their `values`; in the target of an assignment, first with `targets`."""
    match statement:
        case Assignment(target, value):
            left = _folded(target, {**values, **targets})
            return Assignment(left, _folded(value, values))
        case If(condition, body):
            return If(_folded(condition, values), _particular(body, values, targets))
        case For(variable, domain, body):
            inner = {name: value for name, value in values.items() if name != variable}
            changed = tuple(_particular(each, inner, targets) for each in body)
            return For(variable, _folded(domain, values), changed)
    return map_statement(statement, lambda node: _folded(node, values))


def _unrolled(statement: Statement) -> Sequence[Statement]:
    """Unrolls a short loop if that makes its temporaries constant, as in `prmt` by a constant."""
    if not isinstance(statement, For) or not isinstance(statement.domain, BitRange):
        return (statement,)
    first, last = map(integer, statement.domain)
    if first is None or last is None or last - first >= _MAX_UNROLLED_ITERATIONS:
        return (statement,)
    found: list[Statement] = []
    for iteration in range(first, last + 1):
        values: dict[str, Expression] = {statement.variable: Number(str(iteration))}
        for each in statement.body:
            particular = _particular(each, values, {})
            match particular:
                case Assignment(Variable(name), value) if integer(value) is not None:
                    values[name] = value
                case _:
                    found.append(particular)
        if len(values) == 1:
            return (statement,)
    return found


def _is_decided(general: Sequence[Statement], particular: Sequence[Statement]) -> bool:
    """Whether constants decided all choices of a line, which its comment explains."""
    return any(map(has_choice, general)) and not any(map(has_choice, particular))


def _folded(node: Expression, values: Mapping[str, Expression]) -> Expression:
    if set(map(type, values.values())) <= _NAMES and len(set(values.values())) == len(values):
        return with_decided_floats(with_names(node, values.get))  # there are no constants
    named = with_names(node, {"lane": _LANE, **values}.get)
    return fold(with_decided_floats(_with_tables(named)))


def _with_tables(node: Expression) -> Expression:
    """Replaces calls of `lut`, which `lop3` uses, with a formula if the table is constant."""
    node = map_parts(node, _with_tables)
    if isinstance(node, FunctionCall) and node.function == "lut":
        table = integer(node.arguments[3])
        if table is not None:
            names = dict(zip("abc", node.arguments, strict=False))
            return with_names(parse_expression(formula(table)), names.get)
    return node


def _assigned_once(statements: Iterable[Statement]) -> frozenset[str]:
    once: set[str] = set()
    again: set[str] = set()
    for statement, is_repeated in _flat(statements):
        if isinstance(statement, Assignment) and isinstance(statement.target, Variable):
            name = statement.target.text
            (again if is_repeated or name in once else once).add(name)
    return frozenset(once - again)


def _flat(
    statements: Iterable[Statement], *, is_repeated: bool = False
) -> Iterator[tuple[Statement, bool]]:
    """Yields statements in order, and whether each may be executed more than once."""
    for statement in statements:
        yield statement, is_repeated
        if isinstance(statement, For):
            # A loop over several lines has no body; the statements after it are in the loop.
            is_repeated = is_repeated or not statement.body
            yield from _flat(statement.body, is_repeated=True)
        elif isinstance(statement, If):
            yield from _flat([statement.body], is_repeated=True)


def _overwritten(lines: LinesOfCode, operands: Mapping[str, Expression]) -> list[str]:
    """Returns the operands that are read after the same register is assigned as another operand."""
    registers = [it for it in operands.values() if isinstance(it, Variable)]
    if len(set(registers)) == len(registers):
        return []
    found: dict[str, None] = {}
    written: set[str] = set()
    for statement, is_repeated in _flat(_every(lines)):
        if not isinstance(statement, Assignment):
            continue
        target = _root(statement.target)
        for name, place in _reads(statement.value):
            register = operands.get(name)
            if not isinstance(register, Variable):
                continue
            # A loop may read in its next iteration what it writes, unless parts are independent.
            is_written_here = is_repeated and not _same_part(place, statement.target)
            before = {*written, target} if is_written_here else written
            if any(name != it and register == operands.get(it) for it in before):
                found[name] = None
        if target in operands:
            written.add(target)
    return list(found)


def _root(node: Expression) -> str:
    while not isinstance(node, Variable):
        parts = parts_of(node)
        if not parts:
            return ""
        node = parts[0]
    return node.text


def _reads(node: Expression) -> Iterator[tuple[str, Expression]]:
    """Yields every name in an expression, with the part of it that is read."""
    if isinstance(node, Variable):
        yield node.text, node
    elif isinstance(node, Subscript | BitField) and isinstance(node.operand, Variable):
        yield node.operand.text, node
        if node.place is not None:
            yield from _reads(node.place)
    else:
        for part in parts_of(node):
            yield from _reads(part)


def _same_part(left: Expression, right: Expression) -> bool:
    """Whether two subscripts are the same: `a[i]` and `d[i]`."""
    if isinstance(left, Subscript) and isinstance(right, Subscript):
        return left.place == right.place
    if isinstance(left, BitField) and isinstance(right, BitField):
        return left[1:] == right[1:] and left.place is not None
    return False
