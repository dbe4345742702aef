"""Decodes descriptors of matrices and instructions, as far as their bits are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.features import markup
from ptx_ls.features.markup import Markdown
from ptx_ls.isa.matrices.descriptor import descriptor_of

if TYPE_CHECKING:
    from ptx_ls.isa.matrices.swizzle import Swizzle
    from ptx_ls.syntax.record import Shape

_ROW: Final = 128
"""Bytes of a row of the picture: all banks of shared memory."""


def descriptor(shape: Shape, operand: str, zeros: int, ones: int) -> Markdown:
    """Describes the descriptor in an operand of an instruction; "" for other operands.

    `zeros` and `ones` are its bits that are known to be 0 and 1.
    """
    modifiers = tuple(isa.split_modifiers(shape.opcode)[1])
    found = descriptor_of(shape.name, operand, modifiers)
    if found is None:
        return markup.NOTHING
    numbers = [(field, field.number(zeros, ones)) for field in found.fields]
    known = [field.text(number) for field, number in numbers if number is not None]
    if not any(known):
        return markup.NOTHING
    unknown = [field.name for field, number in numbers if number is None and field.name]
    text = markup.joined(", ", map(markup.own, filter(None, known)))
    more = markup.filled("; unknown: {}", markup.joined(", ", unknown)) if unknown else ""
    mode = found.mode(zeros, ones)
    return markup.paragraphs(
        markup.filled("{}: {}{}.", found.name, text, more),
        picture(mode) if mode is not None and mode.bits else "",
    )


def picture(mode: Swizzle) -> Markdown:
    """Draws a swizzling mode: where each piece of each row of 128 bytes is stored."""
    size = 1 << mode.low
    rows = [
        " ".join(f"{mode.apply(start + at) % _ROW // size}" for at in range(0, _ROW, size))
        for start in range(0, mode.repeat, _ROW)
    ]
    head = markup.filled(
        "Where each piece of {} bytes is stored, in rows of {} bytes:", str(size), str(_ROW)
    )
    return markup.paragraphs(head, markup.block("\n".join(rows), ""))
