"""The rule unknown-opcode."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from ptx_ls import isa
from ptx_ls.isa.checking.match import takes
from ptx_ls.isa.foreign_names import instruction_named, is_word_of_c
from ptx_ls.lint.fixes.text import did_you_mean
from ptx_ls.lint.rule import Applicability, Finding, Repair, RuleContext, SpanEdit, rule
from ptx_ls.lint.suggestions import nearest
from ptx_ls.semantics.directives.misread_statements import declares
from ptx_ls.semantics.problems.instructions import UnknownOpcode

_MAX_MODIFIER_LENGTH: Final = 40
"""Maximum number of characters of a modifier that is searched for in an opcode."""


@rule("unknown-opcode", on=UnknownOpcode)
def unknown_opcode(mismatch: UnknownOpcode, context: RuleContext) -> Finding:
    """Reports an instruction whose opcode PTX does not have.

    ## Why is this bad?
    ptxas rejects the module. Opcodes must be in lower case. An unknown opcode is not reported if
    the `.version` is newer than the latest version that ptx-ls supports.

    ## Example
    ```ptx
    ad.s32 %r1, %r2, %r3;
    ```

    Use instead:
    ```ptx
    add.s32 %r1, %r2, %r3;
    ```
    """
    message = f"unknown opcode `{mismatch.opcode}`"
    if mismatch.is_label or mismatch.opcode in context.missing_labels:
        repair = Repair(
            "Insert `:`", (SpanEdit(mismatch.end, mismatch.end, ":"),), Applicability.UNSAFE
        )
        return Finding(f"missing `:` after the label `{mismatch.opcode}`", repairs=(repair,))
    is_directive = declares(mismatch.opcode)
    near = f".{mismatch.opcode}" if is_directive else _meant(mismatch.opcode, mismatch.modifiers)
    return did_you_mean(message, near, mismatch)


@lru_cache(maxsize=1024)
def _meant(opcode: str, modifiers: tuple[str, ...]) -> str | None:
    """Returns what is probably intended: the same under another name, or a similar opcode.

    A similar opcode must take the modifiers.
    """
    instruction = instruction_named(opcode, modifiers)
    if instruction is not None or is_word_of_c(opcode):
        return instruction
    wanted = set(modifiers)
    keywords = isa.database().keywords
    longest = max(map(len, keywords))
    for end in range(min(len(opcode) - 1, longest), 0, -1):
        parts = _parts(opcode[:end], opcode[end:], wanted) if opcode[:end] in keywords else ()
        if parts:
            return ".".join((opcode[:end], *parts))
    return nearest(opcode, keywords, fits=lambda other: _has(other, wanted))


def _has(opcode: str, modifiers: AbstractSet[str]) -> bool:
    instruction = isa.database().instruction(opcode)
    return instruction is not None and any(takes(form.row, modifiers) for form in instruction.forms)


def _parts(opcode: str, text: str, wanted: AbstractSet[str]) -> tuple[str, ...]:
    """Returns the modifiers in a word without dots, if the opcode takes them with `wanted`."""
    for end in range(min(len(text), _MAX_MODIFIER_LENGTH), 0, -1):
        both = wanted | {f".{text[:end]}"}
        if _has(opcode, both):
            rest = _parts(opcode, text[end:], both) if text[end:] else ()
            if rest or not text[end:]:
                return (text[:end], *rest)
    return ()
