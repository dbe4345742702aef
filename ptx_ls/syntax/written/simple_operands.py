"""Reads the operands of an instruction that is alone on a simple line, without its tokens.

That takes a tenth of the time, and most lines of compilers are simple.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

_COMPLEX: Final = frozenset("/[{|")
"""Characters of comments, and of operands that have parts."""


def simple_operands(shape: Shape, text: str) -> list[str]:
    """Returns the operands of a simple line; nothing for other lines."""
    code = text.partition(";")[0]
    if shape.gaps or not _COMPLEX.isdisjoint(code):
        return []
    words = code.split(None, 2 if shape.guard else 1)
    if len(words) < 2 or words[-2] != shape.opcode:  # noqa: PLR2004  the opcode and the operands
        return []
    return [each.strip() for each in words[-1].split(",")]
