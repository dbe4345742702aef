"""The rule duplicate-label."""

from __future__ import annotations

from ptx_ls.lint.declarations.declaration_notes import duplicate
from ptx_ls.lint.fixes.text import renamed
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import Duplicate
from ptx_ls.semantics.symbols.symbols import SymbolKind


def is_label(mismatch: Duplicate) -> bool:
    """Returns whether a label is declared twice."""
    return mismatch.symbol.kind is SymbolKind.LABEL


@rule("duplicate-label", on=Duplicate, where=is_label)
def duplicate_label(mismatch: Duplicate, context: RuleContext) -> Finding:
    """Reports a label that is declared twice in the same block.

    ## Why is this bad?
    ptxas rejects the module: a branch to the label could go to two places.

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
    repairs = renamed(mismatch.symbol, context.taken)
    return duplicate(mismatch, "label")._replace(repairs=repairs)
