"""The rule unknown-modifier."""

from __future__ import annotations

from functools import partial
from typing import Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.isa.foreign_names import type_named
from ptx_ls.lint.fixes.alternatives import removal, replacements
from ptx_ls.lint.fixes.text import did_you_mean
from ptx_ls.lint.messages import choices, joined
from ptx_ls.lint.rule import Finding, Repair, RuleContext, rule
from ptx_ls.lint.suggestions import near_modifiers, unused_modifiers
from ptx_ls.semantics.problems.instructions import InstructionMismatch

_READ_ONLY: Final = ".const"
_WRITING: Final = frozenset({"st", "atom", "red", "stmatrix"})


@rule("unknown-modifier", on=ViolationKind.UNKNOWN_MODIFIER)
def unknown_modifier(mismatch: InstructionMismatch, context: RuleContext) -> Finding:
    """Reports a modifier that no form of the instruction has.

    ## Why is this bad?
    ptxas rejects the module. ptxas ignores a few such modifiers, which are reported as warnings.

    ## Example
    ```ptx
    add.satt.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    add.sat.s32 %r1, %r2, %r3;
    ```
    """
    violation = mismatch.violation
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    message = f"`{opcode}` has no modifier `{violation.found}`"
    if violation.found == _READ_ONLY and opcode in _WRITING:
        message = f"`{opcode}` cannot write to read-only `{_READ_ONLY}`"
    candidates = near_modifiers(unused_modifiers(opcode, modifiers), violation.found)
    wanted = violation.expected
    fitting = (other for other in candidates if other in wanted)
    near = next(fitting, candidates[0] if candidates else None)
    meant = type_named(violation.found)
    near = meant if meant in wanted else near
    if near is None:
        legal = f"expected {choices(wanted)}" if wanted else ""
        return Finding(joined(message, legal), guesses=partial(_changes, mismatch, context))
    return did_you_mean(message, near, mismatch)


def _changes(mismatch: InstructionMismatch, context: RuleContext) -> tuple[Repair, ...]:
    """Returns fixes that replace the unknown modifier, or else one that removes it."""
    others = replacements(mismatch, mismatch.violation.expected, context)
    return others or removal(mismatch, context)
