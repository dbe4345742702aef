"""The rule misplaced-instruction."""

from __future__ import annotations

from typing import Final

from ptx_ls.lint.fixes.text import did_you_mean
from ptx_ls.lint.rule import Finding, Related, RuleContext, rule
from ptx_ls.semantics.problems.instructions import MisplacedInstruction
from ptx_ls.syntax.tokens import DIRECTIVE, FUNCTION, LINKAGE, SPACE, dotted_type

_OPENING: Final = (DIRECTIVE, FUNCTION, LINKAGE, SPACE)
"""Kinds of tokens that begin a statement of the module."""


@rule("misplaced-instruction", on=MisplacedInstruction)
def misplaced_instruction(mismatch: MisplacedInstruction, context: RuleContext) -> Finding:
    """Reports an instruction, a label or a block outside of a function.

    ## Why is this bad?
    ptxas stops at this statement. Often a brace closes the function too early, or the opening brace
    of the function is missing.

    ## Example
    ```ptx
    .visible .entry kernel()
    {
    }
    ret;
    ```

    Use instead:
    ```ptx
    .visible .entry kernel()
    {
        ret;
    }
    ```
    """
    line, column = mismatch.start
    word = context.lines[line][column : mismatch.end[1]]
    message = f"`{word}` is outside of a function, where only directives are allowed"
    if mismatch.in_section:
        message = f"`{word}` is in a section, where only data and labels are allowed"
    directive = f".{word}"
    if not mismatch.in_section and dotted_type(directive) in _OPENING:
        return did_you_mean(message, directive, mismatch)
    if mismatch.closing_brace is None:
        return Finding(message)
    related = Related(*mismatch.closing_brace, "the previous function ends here")
    return Finding(message, related=(related,))
