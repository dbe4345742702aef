"""The rule vector-size."""

from __future__ import annotations

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.words import joined, quoted, wanted
from ptx_ls.semantics.mismatch import InstructionMismatch


@rule("vector-size", on=ViolationKind.VECTOR_SIZE)
def vector_size(mismatch: InstructionMismatch, surroundings: Surroundings) -> Finding:
    """Reports a vector with another number of elements than the instruction wants.

    ## Why is this bad?
    The assembler rejects the module. `.v2` and `.v4` fix the number of elements, as does the shape
    of a matrix instruction.

    ## Example
    ```ptx
    ld.global.v4.f32 {%f1, %f2}, [%rd1];
    ```

    Use instead:
    ```ptx
    ld.global.v2.f32 {%f1, %f2}, [%rd1];
    ```
    """
    del surroundings
    violation = mismatch.violation
    what = quoted(mismatch.operand) if mismatch.operand else f"`{mismatch.opcode}`"
    count = f"{what} has {violation.found} element{'' if violation.found == '1' else 's'}"
    if not violation.found.isdecimal():
        count = f"{what} is no vector"
    return Finding(joined(count, wanted(violation.expected), violation.note))
