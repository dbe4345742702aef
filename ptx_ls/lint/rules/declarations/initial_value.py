"""The rule initial-value."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.fixes.text import fraction, replaced
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.semantics.problems.values import BadInitialValue, InitialValueFault

_MESSAGES: Final = {
    InitialValueFault.TOO_MANY: "too many initial values for `{name}`: {count}",
    InitialValueFault.SHAPE: "the braces do not match the dimensions of `{name}`",
    InitialValueFault.SPACE: "`{value}` cannot be an initial value, expected a variable in "
    "`.global` or `.const`",
    InitialValueFault.TYPE: "the initial value of `{name}`, which is `{type}`, must be {wanted}, "
    "found `{value}`",
    InitialValueFault.FORM: "`{value}` cannot be an initial value, expected an address such as "
    "`name`, `name + 4` or `generic(name) + 4`",
    InitialValueFault.ADDRESS: "the address of `{value}` fits only a `.u32` or `.u64` variable, "
    "but `{name}` is `{type}`",
    InitialValueFault.BYTE: "a byte of the address of `{value}` fits only a `.u8` variable, but "
    "`{name}` is `{type}`",
    InitialValueFault.MASK: "`{value}` does not select a single byte of an address, expected "
    "0xFF, 0xFF00 and so on",
    InitialValueFault.OFFSET: "`{value}` is added to an address, expected an integer",
    InitialValueFault.FUNCTION: "the address of function `{value}` must be written as "
    "`{value}`, without `generic()` and without an offset",
}


_FLOATS: Final = frozenset({".f32", ".f64"})
_HALF: Final = ".f16"


@rule("initial-value", on=BadInitialValue)
def initial_value(mismatch: BadInitialValue, _: RuleContext) -> Finding:
    """Reports too many initial values, or initial values of the wrong kind.

    ## Why is this bad?
    ptxas rejects the module. A floating-point variable takes only floating-point literals, and an
    integer variable takes no floating-point literal. Only `.global` and `.const` variables have an
    address before the module runs. A whole address fits only a `.u32` or `.u64` variable, and only
    a constant can be added to an address.

    ## Example
    ```ptx
    .global .u32 table[2] = {1, 2, 3};
    ```

    Use instead:
    ```ptx
    .global .u32 table[3] = {1, 2, 3};
    ```
    """
    symbol, value = mismatch.symbol, mismatch.value
    given, limit = mismatch.n_values
    is_type = mismatch.fault is InitialValueFault.TYPE
    if is_type and symbol.type == _HALF:
        return Finding(
            f"`{symbol.name}` cannot have an initial value, because its type is `{_HALF}`; "
            "use `.b16` and the bits of the value"
        )
    is_float = symbol.type in _FLOATS
    message = _MESSAGES[mismatch.fault].format(
        name=symbol.name,
        type=symbol.type,
        value=value,
        wanted="a floating-point constant" if is_float else "an integer",
        count=f"found {given} in braces, expected at most {limit}",
    )
    repairs: tuple[Repair, ...] = ()
    meant = fraction(value) if is_type and is_float else None
    if meant is not None:
        repairs = replaced(mismatch, meant)
    return Finding(message, repairs=repairs)
