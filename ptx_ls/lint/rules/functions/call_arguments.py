"""The rule call-arguments."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.messages import with_quotes
from ptx_ls.lint.rule import Finding, Related, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.calls import BadCall, CallFault
from ptx_ls.source import Severity

_MESSAGES: Final = {
    CallFault.SIZE: "`{argument}` has {found} bytes, expected {wanted} for {parameter}",
    CallFault.TYPE: "`{argument}` is {found_type}, expected {wanted_type} for {parameter}",
    CallFault.SHAPE: "`{argument}` is {found_type}, expected {wanted_type} for {parameter}",
    CallFault.ALIGNMENT: "`{argument}` is aligned to {found} bytes, expected {wanted} for "
    "{parameter}",
    CallFault.OPERAND: "`{argument}` is {found_type}, expected a register or a `.param` variable",
    CallFault.HANDED_ON: "`{argument}` is a parameter of the caller, expected a copy of its value",
    CallFault.TABLE: "`{argument}` is not an array of functions",
    CallFault.PREDICATE: "predicate `{argument}` is passed for {parameter}, but ptxas does not "
    "compile predicate arguments",
    CallFault.IGNORED: "`_` discards a result, expected an argument for {parameter}",
}
_NOWHERE: Final = (0, 0)
_UNNAMED: Final = "_"
_COUNTED: Final = {
    CallFault.RESULTS: "{name} returns {wanted} result{s}, found {found}",
    CallFault.ARGUMENTS: "{name} takes {wanted} argument{s}, found {found}",
    CallFault.AT_LEAST: "{name} takes at least {wanted} argument{s}, found {found}",
}


@rule("call-arguments", on=BadCall)
def call_arguments(mismatch: BadCall, _: RuleContext) -> Finding:
    """Reports a call whose arguments or results do not fit the function.

    ## Why is this bad?
    ptxas rejects the module. A bit-size type, such as `.b32`, matches every type of the same size,
    but an integer does not match a floating-point type. Arrays must agree in size and alignment.
    `_` discards a result. To pass on a parameter of the caller, copy its value to a register or
    `.param` variable and pass this copy.

    In a call that spans several lines, everything from the first operand to the wrong operand is
    underlined, because ptxas reports the line of the first operand.

    ## Example
    ```ptx
    .func (.param .b32 result) add_one(.param .b32 value)
    {
        ret;
    }
    .visible .entry kernel()
    {
        .param .b32 value;
        call add_one, (value);
        ret;
    }
    ```

    Use instead:
    ```ptx
    .func (.param .b32 result) add_one(.param .b32 value)
    {
        ret;
    }
    .visible .entry kernel()
    {
        .param .b32 value;
        call (_), add_one, (value);
        ret;
    }
    ```
    """
    finding = _finding(mismatch)
    if mismatch.operands[0] < mismatch.start[0] and mismatch.operands != _NOWHERE:
        # ptxas names the line where the operands begin, and users look there.
        finding = finding._replace(start=mismatch.operands, end=mismatch.end)
    return finding


def _finding(mismatch: BadCall) -> Finding:
    symbol, fault = mismatch.symbol, mismatch.fault
    values = {
        "found": mismatch.found,
        "wanted": mismatch.wanted,
        "argument": mismatch.argument,
        "found_type": _quoted(mismatch.found_type),
        "wanted_type": _quoted(mismatch.wanted_type),
    }
    if fault in _COUNTED:
        plural = "" if mismatch.wanted == 1 else "s"
        message = _COUNTED[fault].format(name=f"`{symbol.name}`", s=plural, **values)
        related = Related(
            symbol.start, symbol.end, f"`{symbol.name}` is declared here", symbol.name
        )
        return Finding(message, repairs=_without_results(mismatch), related=(related,))
    is_unnamed = symbol.name == _UNNAMED
    parameter = (
        "this parameter" if is_unnamed else f"parameter `{symbol.name}` of the called function"
    )
    message = _MESSAGES[fault].format(parameter=parameter, **values)
    severity = Severity.WARNING if fault is CallFault.PREDICATE else None
    if not mismatch.is_near:
        return Finding(message, severity=severity)
    shown = "the parameter" if is_unnamed else f"`{symbol.name}`"
    related = Related(symbol.start, symbol.end, f"{shown} is declared here")
    return Finding(message, severity=severity, related=(related,))


def _quoted(described: str) -> str:
    """Quotes a type as it is declared, or the PTX in other words."""
    return f"`{described}`" if described.startswith(".") else with_quotes(described)


def _without_results(mismatch: BadCall) -> tuple[Repair, ...]:
    """Returns a fix that discards all results, if the call names none."""
    if mismatch.fault is not CallFault.RESULTS or mismatch.found or not mismatch.wanted:
        return ()
    sinks = f"({', '.join('_' * mismatch.wanted)})"
    edit = SpanEdit(mismatch.start, mismatch.start, f"{sinks}, ")
    return (Repair(f"Insert `{sinks}`", (edit,)),)
