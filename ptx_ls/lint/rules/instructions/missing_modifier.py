"""The rule missing-modifier."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import insertions, may_be_certain
from ptx_ls.lint.messages import choices
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("missing-modifier", on=ViolationKind.MISSING_MODIFIER)
def missing_modifier(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports an instruction that lacks a required modifier.

    ## Why is this bad?
    ptxas rejects the module, because the instruction is ambiguous without the modifier. For
    example, the product of two 32-bit integers has 64 bits, so `mul` needs `.lo`, `.hi` or `.wide`.

    ## Example
    ```ptx
    mul.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    mul.lo.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    The fix is certain if only one modifier fits. Otherwise, each choice is a guess.
    """
    violation = mismatch.violation
    expected = violation.expected
    needed = choices(expected) if expected else "another modifier"
    note = "" if violation.note.startswith("rule of") else violation.note
    message = f"`{mismatch.opcode}` needs {needed}" + (f": {note}" if note else "")
    if may_be_certain(expected):
        return Finding(message, repairs=insertions(mismatch, expected, context))
    return Finding(message, guesses=partial(insertions, mismatch, expected, context))
