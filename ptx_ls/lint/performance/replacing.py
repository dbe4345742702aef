"""Replaces an instruction by others that compute the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.lint.performance.instructions import opcode_start
from ptx_ls.lint.rule import SpanEdit
from ptx_ls.semantics.calls.call_sites import position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.symbols.region_text import Found

_NEEDS_CARE: Final = ("\n", "\r", "/", '"')
"""Signs of line ends, comments and strings, which an edit would remove."""
_END: Final = ";"


def replacement(found: Found, lines: Sequence[str], *, registers: str = "") -> tuple[SpanEdit, ...]:
    """Returns the edit that replaces an instruction; () if that is not possible.

    It would remove a comment, or hide a register that the instruction uses.

    Args:
        found: the instruction.
        lines: those to write in its place, without `;`. The last one gets the guard.
        registers: a declaration of registers that only these lines use, without `;`.
    """
    text = found.text
    if any(mark in text for mark in _NEEDS_CARE) or not text.endswith(_END):
        return ()
    names = [word for word in registers.replace(",", " ").split() if word.startswith("%")]
    if any(name in text for name in names):
        return ()
    start = opcode_start(text)
    if not registers and len(lines) == 1:
        return (SpanEdit(position(found, start), position(found, len(text) - 1), lines[0]),)
    block = [registers, *lines[:-1], text[:start] + lines[-1]]
    code = f"{{ {' '.join(f'{line};' for line in block)} }}"
    return (SpanEdit(position(found, 0), position(found, len(text)), code),)
