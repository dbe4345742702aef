"""The rule illegal-modifier."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import removal, replacements
from ptx_ls.lint.messages import choices, joined, with_reason
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("illegal-modifier", on=ViolationKind.ILLEGAL_MODIFIER)
def illegal_modifier(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a modifier that the instruction's types, operands or other modifiers exclude.

    ## Why is this bad?
    ptxas rejects the module. Each form of an instruction has its own modifiers. For example, `add`
    allows neither `.sat` with `.s64` nor `.ftz` with `.f64`.

    ## Example
    ```ptx
    add.sat.s64 %rd1, %rd2, %rd3;
    ```

    Use instead:
    ```ptx
    add.s64 %rd1, %rd2, %rd3;
    ```
    """
    violation = mismatch.violation
    message = f"`{violation.found}` is not allowed in `{mismatch.opcode}`"
    legal = f"expected {choices(violation.expected)}" if violation.expected else ""
    note = "" if violation.note.startswith("rule of") else violation.note
    return Finding(
        with_reason(joined(message, legal), note),
        guesses=partial(_changes, mismatch, context),
    )


def _changes(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that remove the modifier or replace it."""
    expected = mismatch.violation.expected
    return *removal(mismatch, context), *replacements(mismatch, expected, context)
