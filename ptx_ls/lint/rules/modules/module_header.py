"""The rule module-header."""

from __future__ import annotations

from typing import Final

from ptx_ls import isa
from ptx_ls.lint.fixes.text import replaced
from ptx_ls.lint.rule import Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.semantics.problems.declarations import BadHeader, HeaderFault
from ptx_ls.source import Severity

_MISSING: Final = {
    ".version": "missing `.version`: every module must start with it",
    ".target": "missing `.target`: it must follow `.version`",
}
_VALUES: Final = {
    ".version": "a version must be two numbers, as in `.version 8.0`",
    ".target": "the first name of `.target` must be an architecture, such as `sm_90`",
    ".address_size": "`{found}` is not an address size, expected 32 or 64",
}


@rule("module-header", on=BadHeader)
def module_header(mismatch: BadHeader, context: RuleContext) -> Finding:
    """Reports a module that does not begin with `.version` and `.target`.

    ## Why is this bad?
    ptxas rejects the module. `.version` and `.target` must be the first two directives, because
    they determine which features are allowed. `.address_size` may follow `.target`.

    ## Example
    ```ptx
    .target sm_90
    .address_size 64
    .visible .entry kernel()
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel()
    {
        ret;
    }
    ```
    """
    if mismatch.fault is HeaderFault.MISSING:
        return Finding(_MISSING[mismatch.directive], repairs=_inserted(mismatch, context))
    (line, start), (_, end) = mismatch.start, mismatch.end
    found = context.lines[line][start:end]
    if mismatch.fault is HeaderFault.MISPLACED:
        return Finding(f"`{mismatch.directive}` is allowed only at the start of the module")
    if mismatch.fault is HeaderFault.NARROW:
        message = "ptxas 13 generates no code for 32-bit addresses"
        repairs = replaced(mismatch, "64")
        return Finding(message, severity=Severity.WARNING, repairs=repairs)
    if mismatch.fault is HeaderFault.DEBUG:
        return Finding("`debug` requires debugging data, but the module has no `.section`")
    if mismatch.fault is HeaderFault.APART:
        return Finding(
            "the number must follow `.version` on the same line, with only white space between them"
        )
    if mismatch.fault is HeaderFault.OPTION:
        return Finding(f"`{found}` conflicts with the architecture or with another option")
    message = _VALUES[mismatch.directive].format(found=found)
    if mismatch.directive == ".address_size":
        return Finding(message, repairs=replaced(mismatch, "64"))
    return Finding(message)


def _inserted(mismatch: BadHeader, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that inserts the oldest `.version` that supports the module's target."""
    targets = context.isa_context.target
    target = isa.database().targets.get(targets[0]) if targets else None
    if mismatch.directive != ".version" or target is None:
        return ()
    statement = f".version {target.since[0]}.{target.since[1]}"
    edit = SpanEdit(mismatch.start, mismatch.start, f"{statement}\n")
    return (Repair(f"Insert `{statement}`", (edit,)),)
