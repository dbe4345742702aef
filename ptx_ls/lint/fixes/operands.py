"""Fixes that change the operands of an instruction, each checked before it is offered."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.isa import OperandKind, ViolationKind
from ptx_ls.isa.checking.verdict import SECOND
from ptx_ls.lint.fixes.alternatives import is_legal, verdict_on
from ptx_ls.lint.fixes.text import fraction
from ptx_ls.lint.rule import Applicability, Repair, SpanEdit
from ptx_ls.source.numerals import decimal
from ptx_ls.syntax import operands as syntax_operands
from ptx_ls.syntax import parser
from ptx_ls.syntax.dotted import dotted_words
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.names import is_name
from ptx_ls.syntax.offsets import after, along, shifted
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.isa import Operand
    from ptx_ls.lint.rule import RuleContext
    from ptx_ls.semantics.problems.instructions import InstructionMismatch

_MAX_REGISTERS: Final = 3
"""The most registers that are offered instead of one."""
_MAX_STATEMENT_LINES: Final = 40
"""The most lines of a statement that is read again."""
_SIGNS: Final = ("-", "!", "~")


def places(mismatch: InstructionMismatch, context: RuleContext) -> list[FunctionSpan]:
    """Returns where the operands of the instruction are; empty if that is not certain."""
    line, column = mismatch.opcode_start
    first, *others = context.lines[line : line + _MAX_STATEMENT_LINES]
    rest = after(first, column) + "".join([after(each, 0) for each in others])
    text, semicolon, _ = rest.partition(";")
    if not semicolon or "\r" in text:
        return []
    parsed = parser.parse(text + semicolon)
    if parsed.problem is not None:
        return []
    written, _ = syntax_operands.of_instruction(parsed.tree)
    if len(written) != len(mismatch.operands):
        return []
    start = mismatch.opcode_start
    return [(shifted(one.start, start), shifted(one.end, start)) for one in written]


def exchanged(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that exchanges two operands, if the mismatch says that they are swapped."""
    words = mismatch.violation.note.split()  # operands 1 and 2 are swapped
    found = places(mismatch, context) if words[-1:] == ["swapped"] else []
    if not found:
        return ()
    first, second = (found[int(number) - 1] for number in words if number.isdecimal())
    texts = [_text(place, context) for place in (first, second)]
    if not all(texts):
        return ()
    edits = (SpanEdit(*first, texts[1]), SpanEdit(*second, texts[0]))
    return (Repair(f"Exchange `{texts[0]}` and `{texts[1]}`", edits),)


def shortened(
    mismatch: InstructionMismatch, context: RuleContext
) -> tuple[FunctionSpan | None, tuple[Repair, ...]]:
    """Returns the surplus operands at the end, and a fix that removes them if that is legal."""
    expected = mismatch.violation.expected
    count = expected[0].rpartition(" ")[2] if expected else ""
    if not count.isdecimal() or int(count) >= len(mismatch.operands):
        return None, ()
    kept = int(count)
    if not is_legal(mismatch, context, operands=mismatch.operands[:kept]):
        return None, ()
    found = places(mismatch, context)
    if not found:
        return None, ()
    surplus = found[kept][0], found[-1][1]
    start = found[kept - 1][1] if kept else mismatch.opcode_end
    what = "operand" if len(found) == kept + 1 else f"{len(found) - kept} operands"
    return surplus, (Repair(f"Remove the last {what}", (SpanEdit(start, surplus[1], ""),)),)


def masked(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that appends a mask of all lanes, if that makes the instruction legal."""
    if ".sync" not in isa.split_modifiers(mismatch.opcode)[1]:
        return ()
    found = places(mismatch, context)
    mask = isa.Operand(OperandKind.INTEGER, value=-1)
    if not found or not is_legal(mismatch, context, operands=(*mismatch.operands, mask)):
        return ()
    end = found[-1][1]
    return (Repair("Append a mask of all lanes", (SpanEdit(end, end, ", -1"),)),)


def divided(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that splits `%r2 -5` into two operands."""
    index = _index(mismatch)
    match [*tokenize(mismatch.operand)]:
        case [name, minus, number, _] if minus.string == "-" and minus.prefix and not number.prefix:
            value = integer(number.string)
        case _:
            return ()
    if index is None or value is None or mismatch.start[0] != mismatch.end[0]:
        return ()
    first = mismatch.operands[index]._replace(elements=(), offset=False)
    second = isa.Operand(OperandKind.INTEGER, value=-value)
    both = (*mismatch.operands[:index], first, second, *mismatch.operands[index + 1 :])
    if not is_legal(mismatch, context, operands=both):
        return ()
    _, place = name.placed(mismatch.start)
    return (Repair("Insert `,`", (SpanEdit(place, place, ","),), Applicability.UNSAFE),)


def unsigned(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that removes the sign of an operand that cannot have one."""
    index, sign = _index(mismatch), mismatch.operand[:1]
    is_on_line = mismatch.start[0] == mismatch.end[0]
    if sign not in _SIGNS or index is None or not is_on_line:
        return ()
    plain = mismatch.operands[index]._replace(negation="")
    if not is_legal(mismatch, context, operands=_with(mismatch.operands, index, plain)):
        return ()
    length = len(mismatch.operand) - len(mismatch.operand[1:].lstrip())
    edit = SpanEdit(mismatch.start, along(mismatch.start, length), "")
    return (Repair(f"Remove the `{sign}`", (edit,)),)


def other_registers(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that use the register with the same number in a bank of the right type."""
    prefix = mismatch.operand.rstrip(string.digits)
    digits = mismatch.operand[len(prefix) :]
    kind, *numbers = mismatch.violation.part
    is_numbered = digits and is_name(prefix)
    if not is_numbered or kind != "operand" or not mismatch.operands:
        return ()
    found: list[Repair] = []
    is_fitting: dict[str, bool] = {}
    for name, type_name in _numbered_alike(prefix, digits, mismatch.start, context):
        if type_name not in is_fitting:
            operands = _retyped(mismatch.operands, [int(number) for number in numbers], type_name)
            is_fitting[type_name] = (
                operands is not None
                and _may_fit(mismatch, type_name)
                and _is_sound(mismatch, operands, context)
            )
        if is_fitting[type_name]:
            edit = SpanEdit(mismatch.start, mismatch.end, name)
            found.append(Repair(f"Replace with `{name}`, which is {type_name}", (edit,)))
        if len(found) == _MAX_REGISTERS:
            break
    return tuple(found)


def _may_fit(mismatch: InstructionMismatch, type_name: str) -> bool:
    """Returns whether a type has an expected width: a quick test before the full check."""
    expected = " ".join(mismatch.violation.expected)
    types = isa.database().type_facts
    widths = {types[name][0] for name in dotted_words(expected) if name in types}
    return not widths or "wider" in expected or types.get(type_name, (0, ""))[0] in widths


def as_fraction(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that turns an integer into a floating-point constant."""
    index, text = _index(mismatch), fraction(mismatch.operand)
    if index is None or text is None:
        return ()
    operand = isa.Operand(OperandKind.FLOAT, value=float(text.removeprefix("-")))
    if not is_legal(mismatch, context, operands=_with(mismatch.operands, index, operand)):
        return ()
    edit = SpanEdit(mismatch.start, mismatch.end, text)
    return (Repair(f"Replace with `{text}`", (edit,)),)


def _numbered_alike(
    prefix: str, digits: str, place: FunctionPosition, context: RuleContext
) -> Iterator[tuple[str, str]]:
    """Yields names and types of registers with that number in other banks."""
    for register in context.ranges:
        is_seen = register.start < place and register.vector_size == 1
        if is_seen and register.name != prefix and decimal(digits) < register.count:
            yield register.name + digits, register.type


def _retyped(
    operands: Sequence[Operand], indices: list[int], type_name: str
) -> tuple[Operand, ...] | None:
    """Returns the operands with a register of another type in one place."""
    if indices[0] >= len(operands):
        return None
    operand = operands[indices[0]]
    if len(indices) > 1 and indices[1] == SECOND:
        second = operand.paired._replace(type=type_name) if operand.paired is not None else None
        changed = operand._replace(paired=second)
    elif len(indices) > 1:
        if indices[1] >= len(operand.elements):
            return None
        part = operand.elements[indices[1]]._replace(type=type_name)
        changed = operand._replace(elements=_with(operand.elements, indices[1], part))
    else:
        changed = operand._replace(type=type_name)
    return _with(operands, indices[0], changed)


def _with(operands: Sequence[Operand], index: int, operand: Operand) -> tuple[Operand, ...]:
    return (*operands[:index], operand, *operands[index + 1 :])


def _index(mismatch: InstructionMismatch) -> int | None:
    """Returns the index of the operand that the mismatch names, if it is a whole operand."""
    kind, *numbers = mismatch.violation.part
    is_operand = kind == "operand" and len(numbers) == 1
    return int(numbers[0]) if is_operand and int(numbers[0]) < len(mismatch.operands) else None


def _is_sound(
    mismatch: InstructionMismatch, operands: Sequence[Operand], context: RuleContext
) -> bool:
    """Returns whether the operands cause no violation except of the order of modifiers."""
    verdict = verdict_on(mismatch, context, operands=operands)
    order = ViolationKind.MODIFIER_ORDER
    return verdict is not None and all(one.kind is order for one in verdict.violations)


def _text(place: FunctionSpan, context: RuleContext) -> str:
    """Returns the text of a span on one line; "" for any other."""
    (line, start), (last, end) = place
    return context.lines[line][start:end] if line == last else ""
