"""The rule modifier-order."""

from __future__ import annotations

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import with_modifiers
from ptx_ls.lint.rule import Applicability, Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.source import Severity


@rule("modifier-order", on=ViolationKind.MODIFIER_ORDER, severity=Severity.HINT)
def modifier_order(mismatch: InstructionMismatch, _: RuleContext) -> Finding:
    """Reports modifiers in an order that differs from the manual.

    ## Why is this bad?
    Readers expect the order in the manual, and tools may require it. ptxas accepts most other
    orders, which are reported as hints; an order that it rejects is an error. In compiler output,
    an accepted order is not reported.

    ## Example
    ```ptx
    ld.u32.global %r1, [%rd1];
    ```

    Use instead:
    ```ptx
    ld.global.u32 %r1, [%rd1];
    ```

    ## Fix safety
    The fix moves only modifiers. Their order does not change the meaning of the instruction.
    """
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    canonical = mismatch.violation.expected[0] if mismatch.violation.expected else ""
    ordered = isa.split_modifiers(canonical)[1]
    severity = None if mismatch.violation.lenient else Severity.ERROR
    message = f"`{mismatch.violation.found}` is not in the manual's order"
    if sorted(ordered) != sorted(modifiers):
        return Finding(message, severity=severity)
    repair = with_modifiers(mismatch, ordered, applicability=Applicability.CERTAIN)
    message = f"{message}, expected `{opcode}{canonical}`"
    return Finding(message, severity=severity, repairs=(repair,))
