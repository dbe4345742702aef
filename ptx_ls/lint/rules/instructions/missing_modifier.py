"""The rule missing-modifier."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import completions, insertions, may_be_certain
from ptx_ls.lint.messages import choices, quoted
from ptx_ls.lint.rule import Finding, RuleContext, rule
from ptx_ls.semantics.problems.instructions import InstructionMismatch
from ptx_ls.source.english import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_SHOWN: Final = 3
"""Number of missing modifiers that a message names."""
_MAX_WITH_CHOICES: Final = 2
"""Number of missing modifiers whose alternatives a message lists."""
_MAX_CHOICES: Final = 4
"""Number of alternatives that a message lists for each of several missing modifiers."""


@rule("missing-modifier", on=ViolationKind.MISSING_MODIFIER)
def missing_modifier(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports an instruction that lacks a required modifier.

    ## Why is this bad?
    ptxas rejects the module, because the instruction is ambiguous without the modifier. For
    example, the product of two 32-bit integers has 64 bits, so `mul` needs `.lo`, `.hi` or `.wide`.

    ## Example
    ```ptx
    mul.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    mul.lo.s32 %r1, %r2, %r3;
    ```

    ## Fix safety
    The fix is certain if only one modifier fits. Otherwise, each choice is a guess.
    """
    violation = mismatch.violation
    expected = violation.expected
    needed = _needed((expected, *violation.others)) if expected else "another modifier"
    note = "" if violation.note.startswith("rule of") else violation.note
    message = f"`{mismatch.opcode}` needs {needed}" + (f": {note}" if note else "")
    if violation.others:
        missing = (expected, *violation.others)
        chosen = [each for each, *others in missing if not others]
        is_clear = len(chosen) == len(missing)
        guesses = partial(completions, mismatch, chosen, context) if is_clear else None
        return Finding(message, guesses=guesses)
    if may_be_certain(expected):
        return Finding(message, repairs=insertions(mismatch, expected, context))
    return Finding(message, guesses=partial(insertions, mismatch, expected, context))


def _needed(missing: Sequence[Sequence[str]]) -> str:
    """Returns the missing modifiers; of many, those without alternatives, and how many more.

    "`.lo` or `.hi`", "`.sync` and `.aligned`", "`.popc`, and `.and` or `.xor`", "`.sync`,
    `.aligned` and 2 more modifiers", "`.and` or `.or`, and 2 more modifiers".
    """
    shown = [quoted(each) for each, *others in missing if not others][:_MAX_SHOWN]
    is_short = len(missing) == 1 or all(len(each) <= _MAX_CHOICES for each in missing)
    if len(missing) <= _MAX_WITH_CHOICES and len(shown) < len(missing) and is_short:
        return ", and ".join(map(choices, sorted(missing, key=len)))
    n_more = len(missing) - max(1, len(shown))
    if n_more:
        more = counted(n_more, "more modifier")
        if not shown:
            return f"{choices(missing[0])}, and {more}"
        shown.append(more)
    return listed(shown, "and")
