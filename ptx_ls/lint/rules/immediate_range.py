"""The rule immediate-range."""

from __future__ import annotations

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.words import joined, quoted, wanted
from ptx_ls.semantics.mismatch import InstructionMismatch


@rule("immediate-range", on=ViolationKind.IMMEDIATE_RANGE)
def immediate_range(mismatch: InstructionMismatch, surroundings: Surroundings) -> Finding:
    """Reports a constant outside the values that the instruction takes.

    ## Why is this bad?
    The assembler rejects the module: there are 16 barriers, and `lop3` has a table of 8 bits.

    ## Example
    ```ptx
    bar.sync 16;
    ```

    Use instead:
    ```ptx
    bar.sync 15;
    ```
    """
    del surroundings
    violation = mismatch.violation
    what = quoted(mismatch.operand or violation.found)
    return Finding(joined(f"{what} is out of range", wanted(violation.expected), violation.note))
