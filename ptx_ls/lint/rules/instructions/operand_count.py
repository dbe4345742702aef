"""The rule operand-count."""

from __future__ import annotations

from functools import partial

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.operands import masked, shortened
from ptx_ls.lint.messages import joined, quoted
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch


@rule("operand-count", on=ViolationKind.OPERAND_COUNT)
def operand_count(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports an instruction with too many or too few operands.

    ## Why is this bad?
    The assembler rejects the module. The modifiers decide how many operands there are:
    `shfl.sync` has one more than `shfl`.

    ## Example
    ```ptx
    add.s32 %r1, %r2;
    ```

    Use instead:
    ```ptx
    add.s32 %r1, %r1, %r2;
    ```
    """
    violation = mismatch.violation
    if mismatch.operand:
        return Finding(
            joined(
                f"{quoted(mismatch.operand)} has {violation.found} parts",
                f"expected {' or '.join(violation.expected)}" if violation.expected else "",
            )
        )
    if not violation.expected:
        return Finding(f"wrong number of operands for `{mismatch.opcode}`: {violation.note}")
    surplus, repairs = shortened(mismatch, context)
    guesses = None if repairs else partial(masked, mismatch, context)
    place = surplus or (mismatch.start, mismatch.end)
    takes = f"`{mismatch.opcode}` takes {_operands(violation.expected[0])}, found {violation.found}"
    message = f"{takes}: `{mismatch.form}`" if mismatch.form else takes
    return Finding(message, *place, repairs=repairs, guesses=guesses)


def _operands(count: str) -> str:
    if count == "0":
        return "no operands"
    return "1 operand" if count == "1" else f"{count} operands"
