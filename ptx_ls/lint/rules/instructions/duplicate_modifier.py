"""The rule duplicate-modifier."""

from __future__ import annotations

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("duplicate-modifier", on=ViolationKind.DUPLICATE_MODIFIER)
def duplicate_modifier(mismatch: InstructionMismatch, _: RuleContext) -> Finding:
    """Reports a modifier that occurs twice in an opcode.

    ## Why is this bad?
    ptxas ignores the repetition of a few modifiers, and rejects the repetition of all others.

    ## Example
    ```ptx
    mul.lo.lo.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    mul.lo.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    The fix is certain where ptxas accepts the repetition. Otherwise, another modifier may have been
    intended, and the fix is a guess.
    """
    found = mismatch.violation.found
    # If ptxas rejects the repetition, another modifier may have been intended.
    is_clear = mismatch.violation.lenient
    applicability = Applicability.CERTAIN if is_clear else Applicability.GUESS
    edit = SpanEdit(mismatch.start, mismatch.end, "")
    repair = Repair(f"Remove `{found}`", (edit,), applicability)
    return Finding(f"`{found}` is given twice", repairs=(repair,))
