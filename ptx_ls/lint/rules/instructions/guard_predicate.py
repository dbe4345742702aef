"""The rule guard-predicate."""

from __future__ import annotations

import string

from ptx_ls.lint.fixes.text import replaced
from ptx_ls.lint.messages import quoted, with_article
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import BadGuard
from ptx_ls.source.numerals import decimal


@rule("guard-predicate", on=BadGuard)
def guard_predicate(mismatch: BadGuard, context: RuleContext) -> Finding:
    """Reports an instruction whose guard is not a predicate register.

    ## Why is this bad?
    ptxas rejects the module: a guard must be a register of type `.pred`.

    ## Example
    ```ptx
    @%r1 bra DONE;
    DONE:
    ret;
    ```

    Use instead:
    ```ptx
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra DONE;
    DONE:
    ret;
    ```
    """
    type_ = mismatch.facts.type
    what = quoted(type_) if type_ else with_article(mismatch.facts.kind)
    message = f"guard `{mismatch.name}` is {what}, expected a `.pred` register"
    digits = mismatch.name[len(mismatch.name.rstrip(string.digits)) :]
    for register in context.ranges if digits else ():
        is_seen = register.start < mismatch.start and register.type == ".pred"
        if is_seen and decimal(digits) < register.count:
            return Finding(message, repairs=replaced(mismatch, register.name + digits))
    return Finding(message)
