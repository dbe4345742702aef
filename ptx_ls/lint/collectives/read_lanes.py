"""The lanes whose values the lanes of a warp receive from a shuffle.

Source: PTX ISA, "shfl.sync". Bits 4 to 0 of the operand `c` limit the lane that is read, bits 12 to
8 divide the warp into segments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.syntax.record import Shape
from ptx_ls.threads.uniformity.levels import LANES

if TYPE_CHECKING:
    from ptx_ls.lint.collectives.masks import MaskedStatement
    from ptx_ls.values.decoding import DecodedInstruction

MODES: Final = (".up", ".down", ".bfly", ".idx")
SEGMENT_AT: Final = 8
"""The first bit of the segment mask in the operand `c`."""
_OPCODE: Final = "shfl"


def read_lanes(mode: str, offset: int, clamp: int, segment: int) -> list[int]:
    """Returns the lane that each lane reads."""
    found = []
    for own in range(LANES):
        first = own & segment
        bound = first | clamp & ~segment
        read = {
            ".up": own - offset,
            ".down": own + offset,
            ".bfly": own ^ offset,
            ".idx": first | offset & ~segment,
        }[mode]
        is_within = read >= bound if mode == ".up" else read <= bound
        found.append(read if is_within else own)
    return found


def lanes_read_outside(statement: MaskedStatement) -> int:
    """Returns the lanes that a shuffle reads, as bits, if none of them is in its mask; else 0."""
    record, mask = statement.found.record, statement.mask
    if mask is None or not isinstance(record, Shape) or record.name != _OPCODE:
        return 0
    mode = next((it for it in isa.split_modifiers(record.opcode)[1] if it in MODES), "")
    decoder = statement.uniformity.values.given.decoder
    instruction = decoder.of_statement(statement.found)
    lane, bounds = (decoder.number(instruction, it) for it in instruction.operands[-3:-1])
    if not mode or bounds is None:
        return 0
    offsets = [[lane] * LANES] if lane is not None else _offsets(statement, instruction)
    limits = bounds % LANES, bounds >> SEGMENT_AT & LANES - 1
    read = 0
    for own in offsets:
        sources = {each: read_lanes(mode, each % LANES, *limits) for each in {*own}}
        for number in range(LANES):
            if mask >> number & 1:
                read |= 1 << sources[own[number]][number]
    return 0 if read & mask else read


def _offsets(statement: MaskedStatement, instruction: DecodedInstruction) -> list[list[int]]:
    """Returns the second operand of a shuffle in each lane of each warp; none if it is unknown."""
    uniformity = statement.uniformity
    use = uniformity.values.given.decoder.reading_use(instruction, instruction.operands[-3].text)
    if use is None or not uniformity.may_be_known(use):
        return []
    found: list[list[int]] = []
    for shape in uniformity.shapes:
        numbers = [each.constant for each in uniformity.in_threads(use, shape)]
        known = [each for each in numbers if each is not None]
        if len(known) < len(numbers) or len(known) % LANES:
            return []
        found += [known[at : at + LANES] for at in range(0, len(known), LANES)]
    return found
