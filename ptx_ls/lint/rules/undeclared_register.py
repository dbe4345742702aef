"""The rule undeclared-register."""

from __future__ import annotations

from ptx_ls import isa
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.lint.undeclared import is_register, undeclared
from ptx_ls.semantics.mismatch import Undeclared


@rule("undeclared-register", on=Undeclared, where=is_register)
def undeclared_register(mismatch: Undeclared, surroundings: Surroundings) -> Finding:
    """Reports a register that is not declared where it is used.

    ## Why is this bad?
    The assembler rejects the module. A declaration holds from where it stands to the end of its
    `{ }` block, and `%r<10>` declares `%r0` to `%r9`.

    ## Example
    ```ptx
    add.s32 %r10, %r1, %r2;
    ```

    Use instead:
    ```ptx
    add.s32 %r9, %r1, %r2;
    ```
    """
    known = (*surroundings.numbered(mismatch.name), *isa.database().special_registers)
    return undeclared(mismatch, "register", known)
