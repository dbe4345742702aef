"""The rule undeclared-register."""

from __future__ import annotations

import string

from ptx_ls import isa
from ptx_ls.lint.fixes.declare import declaring
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.lint.undeclared import is_register, undeclared
from ptx_ls.semantics.problems.instructions import Undeclared


@rule("undeclared-register", on=Undeclared, where=is_register)
def undeclared_register(mismatch: Undeclared, context: RuleContext) -> Finding:
    """Reports a register that is not declared where it is used.

    ## Why is this bad?
    The assembler rejects the module. A declaration is visible from its place to the end of its
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
    digits = mismatch.name[len(mismatch.name.rstrip(string.digits)) :]
    special = isa.database().special_registers.keys()
    known = context.single_registers, context.numbered(digits), special
    finding = undeclared(mismatch, "register", known, context, context.register)
    return finding._replace(repairs=(*finding.repairs, *declaring(mismatch, context)))
