"""The rule unbalanced-brace."""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.lint.rule import Edit, Finding, Repair, Surroundings, rule
from ptx_ls.semantics.mismatch import LooseBrace

_SAYS: Final = re.compile(r"[ \t]*+(?!//)[^\s]").match
"""Whether a line has more than a comment."""


@rule("unbalanced-brace", on=LooseBrace)
def unbalanced_brace(mismatch: LooseBrace, surroundings: Surroundings) -> Finding:
    """Reports a brace without its partner.

    ## Why is this bad?
    The assembler rejects the module. Functions do not nest in PTX, so the search for a partner ends
    where the next function begins.

    ## Example
    ```ptx
    {
    bar.sync 0;
    ```

    Use instead:
    ```ptx
    {
    bar.sync 0;
    }
    ```
    """
    if not mismatch.is_opening:
        edit = Edit(mismatch.start, mismatch.end, "")
        return Finding("`}` closes nothing", repairs=(Repair("Remove the `}`", (edit,)),))
    last = max((n for n, line in enumerate(surroundings.lines) if _SAYS(line)), default=None)
    if last is None:
        return Finding("`{` is never closed")
    line = surroundings.lines[last]
    place = last, len(line.rstrip("\r\n"))
    repair = Repair("Insert `}` behind the last statement", (Edit(place, place, "\n}"),))
    return Finding("`{` is never closed", repairs=(repair,))
