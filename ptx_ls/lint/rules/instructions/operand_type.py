"""The rule operand-type."""

from __future__ import annotations

from functools import partial
from typing import Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.declarations.declaration_notes import declaration_of
from ptx_ls.lint.fixes.alternatives import is_legal, replacements
from ptx_ls.lint.fixes.operands import operand_index, other_registers, with_operand
from ptx_ls.lint.fixes.text import fraction, replaced
from ptx_ls.lint.messages import choices, joined, quoted, subject, wanted_of, with_reason
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch

_WARP_SIZE: Final = "WARP_SZ"


@rule("operand-type", on=ViolationKind.OPERAND_TYPE)
def operand_type(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a register or number whose type does not fit the instruction.

    ## Why is this bad?
    ptxas rejects the module. The declared type of a register must match the instruction type. A
    bit-size type, such as `.b32`, matches every type of the same size. Signed and unsigned integers
    of one size match each other.

    ## Example
    ```ptx
    add.s32 %r1, %r2, %f1;
    ```

    Use instead:
    ```ptx
    mov.b32 %r3, %f1;
    add.s32 %r1, %r2, %r3;
    ```
    """
    violation = mismatch.violation
    if violation.part[0] == "modifier":
        expected = f"expected {choices(violation.expected)}"
        return Finding(
            joined(f"`{violation.found}` does not match the type of the operands", expected),
            guesses=partial(replacements, mismatch, violation.expected, context),
        )
    what = subject(mismatch)
    has = f"{what} has type {quoted(violation.found)}"
    if not violation.found.startswith(".") or violation.found[1:2].isdigit():
        has = f"{what} {_number(mismatch.operand)}"
    return Finding(
        with_reason(joined(has, wanted_of(violation)), violation.note),
        guesses=partial(_replaced, mismatch, context),
        related=declaration_of(mismatch.operand, violation.found, mismatch.start, context),
    )


def _replaced(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that replace the operand with another register or number."""
    return other_registers(mismatch, context) or _as_fraction(mismatch, context)


def _number(operand: str) -> str:
    """Describes a literal operand; "has the wrong type" for others but vectors of `_`."""
    if set(operand.replace(",", " ").strip("{} ").split()) == {"_"}:
        return "discards every element"
    digits = operand.lstrip("-").replace(_WARP_SIZE, "32")
    if not digits[:1].isdigit():
        return "has the wrong type"
    is_float = "." in digits or digits[:2].lower() in ("0f", "0d")
    return f"is {'a floating-point' if is_float else 'an integer'} constant"


def _as_fraction(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that turns an integer into a floating-point constant."""
    index, text = operand_index(mismatch), fraction(mismatch.operand)
    if index is None or text is None:
        return ()
    operand = isa.Operand(isa.OperandKind.FLOAT, value=float(text.removeprefix("-")))
    if not is_legal(mismatch, context, operands=with_operand(mismatch.operands, index, operand)):
        return ()
    return replaced(mismatch, text)
