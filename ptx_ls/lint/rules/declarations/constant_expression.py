"""The rule constant-expression."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.constants.expressions import BadConstant, ConstantFault

_MESSAGES: Final = {
    ConstantFault.MIXED: "`{text}` mixes an integer with a floating-point number, expected two of "
    "one kind",
    ConstantFault.INTEGER: "`{text}` is a floating-point number, expected an integer",
    ConstantFault.ZERO: "division by `{text}`, which is zero",
    ConstantFault.SINGLE: "`{text}` cannot be computed with, expected a `0d` or decimal literal",
    ConstantFault.CAST: "a constant is cast to `{text}`, expected `.s64` or `.u64`",
}


@rule("constant-expression", on=BadConstant)
def constant_expression(mismatch: BadConstant, surroundings: Surroundings) -> Finding:
    """Reports a constant expression that cannot be computed.

    ## Why is this bad?
    The assembler rejects the module. It computes with 64-bit integers or with floating-point
    numbers and converts neither into the other; remainders, shifts, logic and `?:` are for
    integers. It computes all of an expression, even what `&&` and `?:` would not need.

    ## Example
    ```ptx
    mov.u32 %r1, 5 / 0;
    ```

    Use instead:
    ```ptx
    mov.u32 %r1, 5 / 2;
    ```
    """
    del surroundings
    return Finding(_MESSAGES[mismatch.fault].format(text=mismatch.text))
