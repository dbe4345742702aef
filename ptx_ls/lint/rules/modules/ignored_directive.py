"""The rule ignored-directive."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.fixes.text import without_directive
from ptx_ls.lint.rule import Finding, Repair, Surroundings, rule
from ptx_ls.semantics.problems.module import IgnoredDirective, IgnoredFault
from ptx_ls.source import Severity

_MESSAGES: Final = {
    IgnoredFault.NO_BLOCK: "`{name}` has no effect without `.maxntid` or `.reqntid`",
    IgnoredFault.THREADS: "`{name}` has no effect: {value} threads do not fit into a "
    "multiprocessor, {target} has {limit}",
    IgnoredFault.BLOCKS: "`{name}` has no effect: {value} blocks do not fit into a "
    "multiprocessor, {target} has {limit}",
    IgnoredFault.MOST_REGISTERS: "`{name}` has no effect: {value} registers are more than a "
    "thread has, which is {limit}",
    IgnoredFault.FEWEST_REGISTERS: "`{name}` counts as {limit}, the fewest registers of a thread",
    IgnoredFault.PRAGMA: "unknown pragma `{name}` has no effect",
    IgnoredFault.MASK: "pragma `{name}` takes a mask, as in `used_bytes_mask 0xff`",
}


@rule("ignored-directive", on=IgnoredDirective, severity=Severity.WARNING)
def ignored_directive(mismatch: IgnoredDirective, surroundings: Surroundings) -> Finding:
    """Reports a directive that the assembler passes over.

    ## Why is this bad?
    It does not do what it says. The assembler tells so, too, part of it only when it generates
    code. How many blocks fit follows from how large they are, so `.minnctapersm` needs `.maxntid`
    or `.reqntid`; and no limit can exceed what a multiprocessor of the target has.

    ## Example
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
    .visible .entry kernel() .maxntid 1024 .minnctapersm 4
    {
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 8.0
    .target sm_90
    .address_size 64
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
        repairs=_repairs(mismatch, surroundings),
    )


def _repairs(mismatch: IgnoredDirective, surroundings: Surroundings) -> tuple[Repair, ...]:
    """Leaves out what has no effect; what counts as something else may be written so."""
    if mismatch.fault not in (IgnoredFault.NO_BLOCK, IgnoredFault.MOST_REGISTERS):
        return ()
    return without_directive(mismatch.start, surroundings)
