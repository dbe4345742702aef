"""The rule operand-kind."""

from __future__ import annotations

from ptx_ls.isa import OperandKind, ViolationKind
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.words import joined, quoted, wanted, with_article
from ptx_ls.semantics.mismatch import InstructionMismatch

_KINDS = frozenset(kind.value for kind in OperandKind)


@rule("operand-kind", on=ViolationKind.OPERAND_KIND)
def operand_kind(mismatch: InstructionMismatch, surroundings: Surroundings) -> Finding:
    """Reports an operand of a kind that its place does not take, such as an address for a register.

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
    del surroundings
    violation = mismatch.violation
    what = quoted(mismatch.operand) if mismatch.operand else f"`{mismatch.opcode}`"
    if violation.note:
        return Finding(f"{what}: {violation.note}")
    noun = _noun(violation.found, mismatch.operand)
    has = f"{what} is {with_article(noun)}" if noun else f"{what} does not fit here"
    return Finding(joined(has, wanted(violation.expected)))


def _noun(found: str, operand: str) -> str:
    if operand[:1].isdigit():
        return "number"
    if operand.startswith('"'):
        return "string"
    if operand.startswith("%") and found == operand:
        return "special register"
    return found if found in _KINDS else ""
