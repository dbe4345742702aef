"""The rule operand-kind."""

from __future__ import annotations

from functools import partial

from ptx_ls import isa
from ptx_ls.isa import OperandKind, ViolationKind
from ptx_ls.lint.fixes.alternatives import is_legal
from ptx_ls.lint.fixes.operands import divided, exchanged, unsigned
from ptx_ls.lint.messages import joined, subject, wanted, with_article
from ptx_ls.lint.rule import Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch

_KINDS = frozenset(kind.value for kind in OperandKind)


@rule("operand-kind", on=ViolationKind.OPERAND_KIND)
def operand_kind(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports an operand of the wrong kind, such as an address where a register is expected.

    ## Why is this bad?
    The assembler rejects the module. Only a few instructions read memory, only `mov` and `cvt` read
    special registers, and a destination is always a register or an address.

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
        repairs = divided(mismatch, context)
        guesses = None if repairs else partial(_otherwise_written, mismatch, context)
        return Finding(f"{what}: {violation.note}", repairs=repairs, guesses=guesses)
    if mismatch.operand == "_" and not violation.expected:
        return Finding("`_` discards a result and cannot be a source")
    noun = _noun(violation.found, mismatch.operand, _space(mismatch))
    has = f"{what} is {with_article(noun)}" if noun else f"{what} does not fit here"
    if noun == "number" and all(one.startswith("constant") for one in violation.expected):
        has = f"{what} is out of range"
    guesses = partial(_bracketed, mismatch, context)
    return Finding(joined(has, wanted(violation.expected)), guesses=guesses)


def _otherwise_written(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that exchange two operands, or remove the sign of one."""
    return exchanged(mismatch, context) or unsigned(mismatch, context)


def _bracketed(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that puts a name in brackets, if that makes the instruction legal."""
    kind, *numbers = mismatch.violation.part
    if kind != "operand" or len(numbers) > 1:
        return ()
    operands = list(mismatch.operands)
    index = int(numbers[0])
    if operands[index].kind is OperandKind.LIST:
        return ()
    operands[index] = isa.Operand(OperandKind.ADDRESS, elements=(operands[index],))
    if not is_legal(mismatch, context, operands=operands):
        return ()
    text = f"[{mismatch.operand}]"
    return (Repair(f"Write `{text}`", (SpanEdit(mismatch.start, mismatch.end, text),)),)


def _space(mismatch: InstructionMismatch) -> str:
    """Returns what a name denotes: a state space, or a word such as `label` or `function`."""
    kind, *numbers = mismatch.violation.part
    index = int(numbers[0]) if numbers else -1
    is_operand = kind == "operand" and len(numbers) == 1 and index < len(mismatch.operands)
    return mismatch.operands[index].space if is_operand else ""


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
