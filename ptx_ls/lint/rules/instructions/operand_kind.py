"""The rule operand-kind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import OperandKind, ViolationKind
from ptx_ls.lint.fixes.alternatives import is_legal
from ptx_ls.lint.fixes.operands import operand_index, places, with_operand
from ptx_ls.lint.messages import joined, quoted, subject, wanted, with_article
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.syntax.literals import integer
from ptx_ls.syntax.offsets import along
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from ptx_ls.document.coordinates import FunctionSpan

_KINDS: Final = frozenset(kind.value for kind in OperandKind)
_SIGNS: Final = ("-", "!", "~")


@rule("operand-kind", on=ViolationKind.OPERAND_KIND)
def operand_kind(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports an operand of the wrong kind, such as an address where a register is expected.

    ## Why is this bad?
    ptxas rejects the module. Only a few instructions read memory, only `mov` and `cvt` read special
    registers, and a destination must be a register or an address.

    ## Example
    ```ptx
    add.u32 %r1, %r2, %tid.x;
    ```

    Use instead:
    ```ptx
    mov.u32 %r3, %tid.x;
    add.u32 %r1, %r2, %r3;
    ```
    """
    violation = mismatch.violation
    what = subject(mismatch)
    if violation.note:
        repairs = _divided(mismatch, context)
        guesses = None if repairs else partial(_otherwise_written, mismatch, context)
        return Finding(f"{what}: {violation.note}", repairs=repairs, guesses=guesses)
    if mismatch.operand == "_" and not violation.expected:
        return Finding("`_` discards a result and cannot be a source")
    expected = violation.expected
    noun = _noun(violation.found, mismatch.operand, _space(mismatch))
    unlike = _unlike_elements(mismatch)
    if unlike:
        return Finding(f"{what} mixes elements of type {unlike}, expected elements of one type")
    guesses = partial(_bracketed, mismatch, context)
    return Finding(joined(f"{what} {_fault(mismatch, noun)}", wanted(expected)), guesses=guesses)


def _fault(mismatch: InstructionMismatch, noun: str) -> str:
    """Says what is wrong with an operand that is a `noun`; "" if no noun is known for it."""
    expected = mismatch.violation.expected
    if noun == "number" and all(one.startswith("constant") for one in expected):
        return "is out of range"
    if noun == "vector" and all(one.startswith(noun) for one in expected):
        return "has an element that is not allowed here"
    base = _base(mismatch) if noun == "address" else ""
    if base and all(one.endswith(noun) for one in expected):
        return f"contains a {base}, which is not in memory"
    type_ = _type(mismatch) if noun == "register" else ""
    if type_ and all(one[0] == "." and one.split()[1:] == [noun] for one in expected):
        return f"has type {quoted(type_)}"
    return f"is {with_article(noun)}" if noun else "is not allowed here"


def _unlike_elements(mismatch: InstructionMismatch) -> str:
    """Returns the types of the elements of a vector that `mov` packs or unpacks, if they differ."""
    index, (opcode, _) = operand_index(mismatch), isa.split_modifiers(mismatch.opcode)
    if opcode != "mov" or index is None or mismatch.operands[index].kind is not OperandKind.VECTOR:
        return ""
    types = [*dict.fromkeys(each.type for each in mismatch.operands[index].elements)]
    return " and ".join(f"`{each}`" for each in types) if len(types) > 1 and all(types) else ""


def _otherwise_written(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that exchange two operands, or remove the sign of one."""
    return _exchanged(mismatch, context) or _unsigned(mismatch, context)


def _bracketed(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that puts a name in brackets, if that makes the instruction legal."""
    index = operand_index(mismatch)
    if index is None or mismatch.operands[index].kind is OperandKind.LIST:
        return ()
    address = isa.Operand(OperandKind.ADDRESS, elements=(mismatch.operands[index],))
    changed = with_operand(mismatch.operands, index, address)
    if not is_legal(mismatch, context, operands=changed):
        return ()
    text = f"[{mismatch.operand}]"
    return (Repair(f"Write `{text}`", (SpanEdit(mismatch.start, mismatch.end, text),)),)


def _space(mismatch: InstructionMismatch) -> str:
    """Returns what a name denotes: a state space, or a word such as `label` or `function`."""
    index = operand_index(mismatch)
    return "" if index is None else mismatch.operands[index].space


def _base(mismatch: InstructionMismatch) -> str:
    """Returns what an address begins with if that is code: `function`, `kernel` or `label`."""
    index = operand_index(mismatch)
    elements = () if index is None else mismatch.operands[index].elements
    return elements[0].space if elements and elements[0].space.isalpha() else ""


def _type(mismatch: InstructionMismatch) -> str:
    """Returns the type of the operand; "" if it is unknown."""
    index = operand_index(mismatch)
    return "" if index is None else mismatch.operands[index].type


def _noun(found: str, operand: str, space: str) -> str:
    if found == OperandKind.NAME and operand.endswith("]"):
        return "element"
    if found == OperandKind.NAME and space:
        return f"{space} variable" if space.startswith(".") else space
    if operand[:1].isdigit():
        return "number"
    if operand.startswith('"'):
        return "string"
    if operand.startswith("%") and found == operand:
        return "special register"
    return found if found in _KINDS else ""


def _exchanged(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
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
    return (Repair(f"Swap `{texts[0]}` and `{texts[1]}`", edits),)


def _divided(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that splits `%r2 -5` into two operands."""
    index = operand_index(mismatch)
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


def _unsigned(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that removes the sign of an operand that cannot have one."""
    index, sign = operand_index(mismatch), mismatch.operand[:1]
    is_on_line = mismatch.start[0] == mismatch.end[0]
    if sign not in _SIGNS or index is None or not is_on_line:
        return ()
    plain = mismatch.operands[index]._replace(negation="")
    if not is_legal(mismatch, context, operands=with_operand(mismatch.operands, index, plain)):
        return ()
    length = len(mismatch.operand) - len(mismatch.operand[1:].lstrip())
    edit = SpanEdit(mismatch.start, along(mismatch.start, length), "")
    return (Repair(f"Remove the `{sign}`", (edit,)),)


def _text(place: FunctionSpan, context: RuleContext) -> str:
    """Returns the text of a span on one line; "" for any other."""
    (line, start), (last, end) = place
    return context.lines[line][start:end] if line == last else ""
