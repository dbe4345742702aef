"""The rule undeclared-symbol."""

from __future__ import annotations

from ptx_ls import isa
from ptx_ls.lint.declarations.undeclared import undeclared
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import Undeclared
from ptx_ls.syntax.operands import OperandForm


@rule("undeclared-symbol", on=Undeclared)
def undeclared_symbol(mismatch: Undeclared, context: RuleContext) -> Finding:
    """Reports a variable, parameter or function that is not declared before it is used.

    ## Why is this bad?
    ptxas rejects the module. A function whose definition follows later, or is in another module,
    must be declared before it is used. The parameters of a kernel are visible only in that kernel.

    ## Example
    ```ptx
    .shared .b32 buffer[4];
    ld.shared.u32 %r1, [bufer];
    ```

    Use instead:
    ```ptx
    .shared .b32 buffer[4];
    ld.shared.u32 %r1, [buffer];
    ```
    """
    noun = "function" if _is_callee(mismatch) else "symbol"
    register = f"%{mismatch.name}"
    is_one = register in isa.database().special_registers or context.register(register)
    known = *context.symbols, frozenset({register} if is_one else ())
    return undeclared(mismatch, noun, known, context, context.find)


def _is_callee(mismatch: Undeclared) -> bool:
    """Returns whether the name is the callee of a `call`."""
    attempt = mismatch.attempt
    if attempt is None or attempt.opcode.partition(".")[0] != "call":
        return False
    names = (operand for operand in attempt.operands if operand.form is not OperandForm.LIST)
    return next((operand.identifier for operand in names), -1) == attempt.number
