"""The rule duplicate-label."""

from __future__ import annotations

from ptx_ls.lint.duplicates import duplicate, is_label
from ptx_ls.lint.fixes.text import renamed
from ptx_ls.lint.rule import Finding, Surroundings, rule
from ptx_ls.semantics.problems.instructions import Duplicate


@rule("duplicate-label", on=Duplicate, where=is_label)
def duplicate_label(mismatch: Duplicate, surroundings: Surroundings) -> Finding:
    """Reports a label that its block already declares.

    ## Why is this bad?
    The assembler rejects the module: a branch to the label could go to two places.

    ## Example
    ```ptx
    LOOP:
    bar.sync 0;
    LOOP:
    bra LOOP;
    ```

    Use instead:
    ```ptx
    LOOP:
    bar.sync 0;
    bra LOOP;
    ```
    """
    symbol = mismatch.symbol
    repairs = renamed(symbol.name, symbol.start, symbol.end, surroundings.taken)
    return duplicate(mismatch, "label")._replace(repairs=repairs)
