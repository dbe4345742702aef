"""What is written more often than other words: the order of what completion offers.

The lists follow how often words occur in kernels of compilers and people; what is not named in
them comes behind, in its own order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.names import NAME_BEGINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_ABOVE: Final = 100
"""Lines above the cursor that are looked at."""
_MAX_LINE_LENGTH: Final = 1000


def _order(words: str) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split())}


_OPCODES: Final = _order(
    "mov add ld setp bra st mul cvt fma and shl selp cvta or sub shr ret mad not neg atom call xor"
    " bar shfl vote min max cp abs fence div tex wmma rcp mbarrier ex2 rsqrt sqrt mma clz popc"
    " bfe bfi prmt lop3 shf rem red addc madc subc sin cos lg2 tanh ldmatrix wgmma tcgen05 barrier"
    " activemask redux match elect brev membar griddepcontrol prefetch exit trap"
)
_MODIFIERS: Final = _order(
    ".parity .global .param .shared .const .local .to .sync .lo .wide .rn .approx"
    " .eq .ne .lt .ge .gt .le .s32 .b32 .u32 .f32 .u64 .b64 .f64 .s64 .pred .b16 .u16 .f16 .s16"
    " .f16x2 .bf16 .u8 .b8 .s8 .hi .rzi .v2 .v4 .ftz .aligned .add .relaxed .acquire .release .gpu"
    " .cta .sys .async .row .col"
)
_OTHERWISE: Final = {"setp": (".lo",), "set": (".lo",), "mma": (".s32",)}
"""Modifiers that are frequent, but not with these opcodes."""
_DIRECTIVES: Final = _order(
    ".reg .visible .entry .func .param .shared .global .extern .local .maxntid .reqntid"
    " .minnctapersm .maxnreg .pragma .const .align .loc .file .weak"
)
_SPECIAL_REGISTERS: Final = _order(
    "%tid %ctaid %ntid %nctaid %laneid %warpid %clock64 %globaltimer"
)
_RANK_OF_RARE: Final = 999


def of_opcode(name: str) -> str:
    """Sorts an opcode among others: text of one length."""
    return f"{_OPCODES.get(name, _RANK_OF_RARE):03}"


def of_modifier(name: str, opcode: str = "") -> str:
    """Sorts a modifier among others that are as legal as it is."""
    if name in _OTHERWISE.get(opcode, ()):
        return f"{_RANK_OF_RARE - 1:03}"
    return f"{_MODIFIERS.get(name.partition('::')[0], _RANK_OF_RARE):03}"


def of_directive(name: str) -> str:
    """Sorts a directive among others that may stand at the same place."""
    return f"{_DIRECTIVES.get(name, _RANK_OF_RARE):03}"


def of_special_register(name: str) -> str:
    """Sorts a special register, named without its component."""
    return f"{_SPECIAL_REGISTERS.get(name, _RANK_OF_RARE):03}"


def next_modifiers_near(
    analysis: Analysis, opcode: str, typed: Sequence[str], line: int
) -> list[str]:
    """The modifiers that follow the same words in the lines above, the nearest first."""
    written = "".join((opcode, *typed))
    search = re.compile(rf"{NAME_BEGINS}{re.escape(written)}(\.[\w:]+)", re.ASCII).findall
    lines = analysis.document.lines
    found: dict[str, None] = {}
    for text in reversed(lines[max(0, line - _MAX_LINES_ABOVE) : line]):
        if written in text and len(text) < _MAX_LINE_LENGTH:
            found.update(dict.fromkeys(search(text)))
    return list(found)
