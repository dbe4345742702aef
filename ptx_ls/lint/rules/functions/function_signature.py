"""The rule function-signature."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.declarations.signature_check import BadSignature, SignatureFault

_MESSAGES: Final = {
    SignatureFault.NAME: "`_` cannot name a parameter, except in a prototype",
    SignatureFault.OPEN_RESULT: "result `{name}` cannot be an array without a size",
    SignatureFault.OPEN_ARRAY: "array `{name}` has no size, which is allowed only for the last "
    "parameter",
    SignatureFault.OPEN_REGISTER: "array `{name}` without a size is in `.reg`, expected `.param`",
    SignatureFault.DIMENSIONS: "parameter `{name}` has several dimensions, expected one",
    SignatureFault.RANGE: "parameter `{name}` is a range of registers, expected a single one",
    SignatureFault.ALIGNMENT: "`{name}` is aligned to {alignment} bytes, expected at most 128",
    SignatureFault.POWER: "the alignment of `{name}` is {alignment}, expected a power of two",
    SignatureFault.SPACE: "parameter `{name}` is in `{space}`, expected `.param` or `.reg`",
    SignatureFault.RESULTS: (
        "`{name}` is not in `.reg`, but a function with several results needs all of them in `.reg`"
    ),
    SignatureFault.VERSION: "`{name}` is in `.param`, but before PTX ISA 2.0, only kernel "
    "parameters may be in `.param`",
    SignatureFault.TARGET: "`{name}` is in `.param`, but before sm_20, only kernel parameters may "
    "be in `.param`",
    SignatureFault.LIST: "`{name}` is in the parameter list of a kernel, but before PTX ISA 1.4, "
    "parameters are declared in the body",
    SignatureFault.PROTOTYPE: "a declaration of kernel `{name}` without a body needs PTX ISA 3.0",
}


@rule("function-signature", on=BadSignature)
def function_signature(mismatch: BadSignature, _: RuleContext) -> Finding:
    """Reports invalid parameters and results of a function or prototype.

    ## Why is this bad?
    ptxas rejects the module. A parameter must be a single value or a one-dimensional array. Only
    the last parameter may be an unsized array, which makes the function take any number of
    arguments.

    ## Example
    ```ptx
    .extern .func print(.param .align 8 .b8 values[], .param .b64 format);
    ```

    Use instead:
    ```ptx
    .extern .func print(.param .b64 format, .param .align 8 .b8 values[]);
    ```
    """
    symbol = mismatch.symbol
    return Finding(
        _MESSAGES[mismatch.fault].format(
            name=symbol.name, alignment=symbol.alignment, space=symbol.space
        )
    )
