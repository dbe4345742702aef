"""The rule state-space."""

from __future__ import annotations

from typing import Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.declarations.declaration_notes import declaration_of
from ptx_ls.lint.fixes.alternatives import exchanged, insertions
from ptx_ls.lint.messages import joined, quoted, subject, wanted, with_reason
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.syntax.tokens import SPACES

_ANY: Final = "address"
"""The word for the address that an instruction without a state space takes."""


@rule("state-space", on=ViolationKind.STATE_SPACE)
def state_space(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a variable that is not in the state space that the instruction accesses.

    ## Why is this bad?
    ptxas rejects the module. The name of a variable is an address in the state space of the
    variable; `cvta` converts it to a generic address.

    ## Example
    ```ptx
    .shared .b32 buffer[4];
    ld.global.u32 %r1, [buffer];
    ```

    Use instead:
    ```ptx
    .shared .b32 buffer[4];
    ld.shared.u32 %r1, [buffer];
    ```
    """
    violation = mismatch.violation
    what = subject(mismatch)
    expected = ["generic address" if noun == _ANY else noun for noun in violation.expected]
    return Finding(
        with_reason(
            joined(f"{what} is in {quoted(violation.found)}", wanted(expected)),
            violation.note,
        ),
        repairs=_moved(mismatch, context),
        related=declaration_of(mismatch.operand, violation.found, mismatch.start, context),
    )


def _moved(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that makes the instruction access the variable's state space."""
    _, modifiers = isa.split_modifiers(mismatch.opcode)
    space = mismatch.violation.found
    given = next((n for n, modifier in enumerate(modifiers) if modifier in SPACES), None)
    if given is None:
        return insertions(mismatch, (space,), context)[:1]
    return exchanged(mismatch, given, space, context)
