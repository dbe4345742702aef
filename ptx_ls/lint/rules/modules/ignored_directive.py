"""The rule ignored-directive."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.fixes.text import without_directive
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.semantics.problems.module import IgnoredDirective, IgnoredFault
from ptx_ls.source import Severity

_MESSAGES: Final = {
    IgnoredFault.NO_BLOCK: "`{name}` has no effect without `.maxntid` or `.reqntid`",
    IgnoredFault.THREADS: "`{name}` has no effect: {value:,} threads do not fit into a "
    "multiprocessor; {target} has room for {limit:,}",
    IgnoredFault.BLOCKS: "`{name}` has no effect: {value:,} blocks do not fit into a "
    "multiprocessor; {target} has room for {limit:,}",
    IgnoredFault.MOST_REGISTERS: "`{name}` has no effect: {value:,} registers exceed {limit:,}, "
    "the maximum for a thread",
    IgnoredFault.FEWEST_REGISTERS: "ptxas raises `{name}` to {limit}, the minimum for a thread",
    IgnoredFault.PRAGMA: "unknown pragma `{name}` has no effect",
    IgnoredFault.MASK: "pragma `{name}` takes a mask, as in `used_bytes_mask 0xff`",
}


@rule("ignored-directive", on=IgnoredDirective, severity=Severity.WARNING)
def ignored_directive(mismatch: IgnoredDirective, context: RuleContext) -> Finding:
    """Reports a directive that ptxas ignores.

    ## Why is this bad?
    The directive has no effect. ptxas also warns, in some cases only when it generates code.
    `.minnctapersm` needs `.maxntid` or `.reqntid`, because the block size determines how many
    blocks fit. A limit has no effect if it exceeds the resources of a multiprocessor of the target.

    ## Example
    ```ptx
    .visible .entry kernel() .maxntid 1024 .minnctapersm 4
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .visible .entry kernel() .maxntid 512 .minnctapersm 4
    {
        ret;
    }
    ```
    """
    message = _MESSAGES[mismatch.fault]
    return Finding(
        message.format(
            name=mismatch.name, value=mismatch.value, limit=mismatch.limit, target=mismatch.target
        ),
        repairs=_repairs(mismatch, context),
    )


def _repairs(mismatch: IgnoredDirective, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that remove a directive without effect."""
    if mismatch.fault not in (IgnoredFault.NO_BLOCK, IgnoredFault.MOST_REGISTERS):
        return ()
    return without_directive(mismatch.start, context)
