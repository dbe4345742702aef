"""Fixes that replace a removed or deprecated feature with its successor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.isa import ViolationKind
from ptx_ls.lint.fixes.alternatives import MAX_FIXES, synchronised, verdict_on, with_modifiers
from ptx_ls.lint.fixes.text import replaced
from ptx_ls.lint.rule import Repair
from ptx_ls.semantics.problems.instructions import InstructionMismatch, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ptx_ls.lint.rule import RuleContext

_GONE: Final = (ViolationKind.REMOVED, ViolationKind.DEPRECATED)


def successors(
    mismatch: InstructionMismatch | Unavailable, context: RuleContext
) -> tuple[Repair, ...]:
    """Returns fixes that avoid a feature that is removed or deprecated."""
    if isinstance(mismatch, Unavailable):
        directive = isa.database().directives.get(mismatch.name)
        if directive is None or not directive.instead:
            return ()
        return replaced(mismatch, directive.instead)
    fixes = synchronised(mismatch, context)
    return fixes or tuple(_changed(mismatch, context))[:MAX_FIXES]


def _changed(mismatch: InstructionMismatch, context: RuleContext) -> Iterator[Repair]:
    """Yields fixes that replace a modifier with one that the note names, or remove a modifier."""
    opcode, modifiers = isa.split_modifiers(mismatch.opcode)
    words = [word.strip("`,;:()").rstrip(".") for word in mismatch.violation.note.split()]
    for spelled in (word for word in words if word.startswith(f"{opcode}.")):
        named = isa.split_modifiers(spelled)[1]
        changed = (*named, *(each for each in modifiers if each not in named))
        if _is_current(changed, mismatch, context):
            yield with_modifiers(mismatch, changed)
    for other in (word for word in words if word.startswith(".")):
        for index, modifier in enumerate(modifiers):
            if other.startswith(modifier):
                changed = (*modifiers[:index], other, *modifiers[index + 1 :])
                if _is_current(changed, mismatch, context):
                    yield with_modifiers(mismatch, changed, f"Replace `{modifier}` with `{other}`")
    for index, modifier in enumerate(modifiers):
        changed = (*modifiers[:index], *modifiers[index + 1 :])
        if _is_current(changed, mismatch, context):
            yield with_modifiers(mismatch, changed, f"Remove `{modifier}`")


def _is_current(
    modifiers: Sequence[str], mismatch: InstructionMismatch, context: RuleContext
) -> bool:
    """Whether the instruction is legal, and no part of it is removed or deprecated."""
    verdict = verdict_on(mismatch, context, modifiers=modifiers)
    if verdict is None or not verdict.is_accepted:
        return False
    return not any(one.kind in _GONE for one in verdict.violations)
