"""Sorts completions by how common their words are.

The lists are in the order of frequency in kernels that compilers and people wrote; all other words
come later, in their usual order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.syntax.record import MultiLine, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.semantics.analysis import Analysis

_MAX_LINES_ABOVE: Final = 100
"""Maximum number of lines above the cursor whose modifiers come first."""


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
_OF_OPCODES: Final = {
    "atom": ".global .shared .add .cas .exch .min .max .inc .and .or .xor",
    "cvta": ".to",
    "fence": ".acq_rel .proxy .sc .mbarrier_init .acquire .release",
    "ldmatrix": ".x4 .x2 .x1",
    "mma": ".m16n8k16 .m16n8k8 .m16n8k32 .m16n8k64 .m16n8k4 .row .col .f32 .f16 .bf16",
    "rcp": ".approx .rn",
    "red": ".global .shared .add .min .max .and .or .xor",
    "shf": ".wrap .clamp",
    "tex": ".2d .1d .3d .level",
    "vote": ".sync .ballot .any .all",
}
"""Modifiers that come before all others of an opcode, also before those that the form needs."""
_OTHERWISE: Final = {"setp": (".lo",), "set": (".lo",), "mma": (".s32",)}
"""Frequent modifiers that are rare with these opcodes."""
_DIRECTIVES: Final = _order(
    ".reg .visible .entry .func .param .shared .global .extern .local .maxntid .reqntid"
    " .minnctapersm .maxnreg .pragma .const .align .loc .file .weak"
)
_SPECIAL_REGISTERS: Final = _order(
    "%tid %ctaid %ntid %nctaid %laneid %warpid %clock64 %globaltimer"
)
_RANK_OF_RARE: Final = 999


def of_opcode(name: str) -> str:
    """Returns the sort key of an opcode; all keys have the same length."""
    return f"{_OPCODES.get(name, _RANK_OF_RARE):03}"


def of_modifier(name: str, opcode: str = "") -> str:
    """Returns the sort key of a modifier among those that are equally legal."""
    if name in _OTHERWISE.get(opcode, ()):
        return f"{_RANK_OF_RARE - 1:03}"
    return f"{_MODIFIERS.get(name.partition('::')[0], _RANK_OF_RARE):03}"


def usual_modifiers(opcode: str) -> list[str]:
    """Returns the modifiers that come first after an opcode, and after others of it, in order."""
    return _OF_OPCODES.get(opcode, "").split()


def of_directive(name: str) -> str:
    """Returns the sort key of a directive."""
    return f"{_DIRECTIVES.get(name, _RANK_OF_RARE):03}"


def of_special_register(name: str) -> str:
    """Returns the sort key of a special register, named without its component."""
    return f"{_SPECIAL_REGISTERS.get(name, _RANK_OF_RARE):03}"


def next_modifiers_near(
    analysis: Analysis, opcode: str, typed: Sequence[str], line: int
) -> list[str]:
    """Returns the modifiers that follow the same words in the lines above, the nearest first."""
    written = "".join((opcode, *typed, "."))
    found: dict[str, None] = {}
    for record in reversed(analysis.document.records[max(0, line - _MAX_LINES_ABOVE) : line]):
        for shape in record.records if isinstance(record, MultiLine) else (record,):
            if isinstance(shape, Shape) and shape.opcode.startswith(written):
                found[modifiers_of(shape.opcode[len(written) - 1 :])[0]] = None
    return list(found)
