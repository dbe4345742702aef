"""The rule vector-size."""

from __future__ import annotations

from functools import partial
from typing import Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import exchanged, replacements
from ptx_ls.lint.messages import choices, joined, subject, wanted, with_reason
from ptx_ls.lint.rule import Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.source.english import counted

_SIZES: Final = (".v2", ".v4", ".v8")
_SINGLE_COMPONENT: Final = ("single component",)
"""The operand that is expected instead of a whole special register."""


@rule("vector-size", on=ViolationKind.VECTOR_SIZE)
def vector_size(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a vector whose number of elements does not match the instruction.

    ## Why is this bad?
    ptxas rejects the module. Modifiers such as `.v2` and `.v4`, or the shape of a matrix
    instruction, determine the number of elements.

    ## Example
    ```ptx
    ld.global.v4.f32 {%f1, %f2}, [%rd1];
    ```

    Use instead:
    ```ptx
    ld.global.v2.f32 {%f1, %f2}, [%rd1];
    ```
    """
    violation = mismatch.violation
    if violation.part[0] == "modifier":
        expected = f"expected {choices(violation.expected)}"
        return Finding(
            joined(f"`{violation.found}` does not match the size of the operands", expected),
            guesses=partial(replacements, mismatch, violation.expected, context),
        )
    what = subject(mismatch)
    part = "component" if violation.expected == _SINGLE_COMPONENT else "element"
    count = f"{what} is not a vector"
    if violation.found.isdecimal():
        count = f"{what} has {counted(int(violation.found), part)}"
    return Finding(
        with_reason(joined(count, wanted(violation.expected)), violation.note),
        guesses=partial(_resized, mismatch, context),
    )


def _resized(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that changes the modifier to the size of the vector, or takes a component."""
    if mismatch.violation.expected == _SINGLE_COMPONENT:
        edit = SpanEdit(mismatch.end, mismatch.end, ".x")
        return (Repair("Append `.x`", (edit,)),)
    _, modifiers = isa.split_modifiers(mismatch.opcode)
    number = next((n for n, modifier in enumerate(modifiers) if modifier in _SIZES), None)
    wanted_size = f".v{mismatch.violation.found}"
    if number is None or wanted_size not in _SIZES:
        return ()
    return exchanged(mismatch, number, wanted_size, context)
