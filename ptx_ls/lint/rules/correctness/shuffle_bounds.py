"""The rule shuffle-bounds.

Source: PTX ISA, "shfl.sync". Bits 4 to 0 of the operand `c` limit the lane that is read, bits 12 to
8 divide the warp into segments.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.lint.candidates.computation import has_unusual_constants
from ptx_ls.lint.collectives.read_lanes import MODES, SEGMENT_AT, read_lanes
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, RuleContext, rule
from ptx_ls.semantics.constants.unusual import unusual_constants
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.semantics.constants.unusual import Constant, ConstantUse

_OPCODE: Final = "shfl"
_WARP: Final = 32
_LAST: Final = _WARP - 1
_SEGMENTS: Final = frozenset({0, 16, 24, 28, 30, 31})
"""The segment masks for segments of 32, 16, 8, 4, 2 and 1 lanes."""


class ShuffleFault(Enum):
    """The kind of a mistake in the bounds of a shuffle."""

    OWN = auto()
    """Every lane reads its own value."""
    ONE_WAY = auto()
    """A lane reads another one, which does not read it."""
    LOW = auto()
    """The last lanes of a segment cannot be read."""
    SEGMENT = auto()
    """The segment mask does not divide the warp into equal segments."""


class ShuffleBounds(NamedTuple):
    """A shuffle whose lane or bounds are wrong.

    `operand`: the wrong one. `bounds`: the operand `c`, if it is a constant. `usual`: the one for
    the whole warp. `is_zero`: whether the bound is 0.
    """

    fault: ShuffleFault
    mode: str
    operand: str
    text: str
    usual: str
    is_zero: bool
    start: FunctionPosition
    end: FunctionPosition


def find(seen: CheckInput) -> Iterator[ShuffleBounds]:
    """Yields the shuffles of a function that cannot have been meant."""
    for use in unusual_constants(seen.function):
        if use.shape.name == _OPCODE:
            modifiers = isa.split_modifiers(use.shape.opcode)[1]
            mode = next((each for each in modifiers if each in MODES), "")
            found = _wrong(use, mode) if mode else None
            if found is not None:
                fault, constant = found
                usual = "0" if mode == ".up" else str(_LAST)
                name, text, is_zero = constant.place.name, constant.text, constant.whole == 0
                at = constant.start, constant.end
                yield ShuffleBounds(fault, mode, name, text, usual, is_zero, *at)


def _wrong(use: ConstantUse, mode: str) -> tuple[ShuffleFault, Constant] | None:
    """Returns what is wrong with a shuffle, and the constant to blame; None if nothing is."""
    lane, bounds = use.constant("b"), use.constant("c")
    offset = lane.whole if lane is not None else None
    limits = bounds.whole if bounds is not None else None
    if limits is None or bounds is None:
        is_own = lane is not None and offset == 0 and mode != ".idx"
        return (ShuffleFault.OWN, lane) if is_own and lane is not None else None
    segment = (limits >> SEGMENT_AT) % _WARP
    if segment not in _SEGMENTS:
        return ShuffleFault.SEGMENT, bounds
    offsets = range(_WARP) if offset is None else (offset % _WARP,)
    sources = [read_lanes(mode, each, limits % _WARP, segment) for each in offsets]
    if all(read == own for each in sources for own, read in enumerate(each)):
        is_lane = lane is not None and offset == 0
        if mode == ".idx" and offset is not None:
            return None  # each lane of a segment of one lane
        return ShuffleFault.OWN, lane if is_lane and lane is not None else bounds
    moving = [each for each in sources if each != [*range(_WARP)]]
    if mode == ".bfly" and all(map(_is_one_way, moving)):
        return ShuffleFault.ONE_WAY, bounds
    whole = [read_lanes(mode, each, 0 if mode == ".up" else _LAST, segment) for each in offsets]
    return (ShuffleFault.LOW, bounds) if sources != whole else None


def _is_one_way(sources: list[int]) -> bool:
    """Whether a lane reads one that does not read it."""
    return any(sources[read] != own for own, read in enumerate(sources))


@rule(
    "shuffle-bounds",
    on=ShuffleBounds,
    severity=Severity.WARNING,
    find=find,
    given=has_unusual_constants,
    looks_at=Instructions(_OPCODE),
)
def shuffle_bounds(mismatch: ShuffleBounds, _: RuleContext) -> Finding:
    """Reports a `shfl` whose clamp value keeps lanes from receiving another lane's value.

    ## Why is this bad?
    Operand `c` of `shfl` contains a clamp value. A lane that would read a lane beyond the clamp
    value receives its own value. For the whole warp, the clamp value must be 0 with `.up`, which
    reads lower lanes, and 31 with all other modes. Common mistakes are 0 with other modes, and 32,
    which is the number of lanes. For segments of *w* lanes, where *w* is a power of two, `c` must
    also contain the bits `(32 - w) << 8`.

    ## Example
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        shfl.sync.down.b32 %r2, %r1, 16, 32, -1;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```

    Use instead:
    ```ptx
    .version 7.0
    .target sm_80
    .address_size 64
    .visible .entry kernel(.param .b64 result)
    {
        .reg .b32 %r<3>;
        .reg .b64 %rd<2>;
        ld.param.b64 %rd1, [result];
        mov.u32 %r1, %laneid;
        shfl.sync.down.b32 %r2, %r1, 16, 31, -1;
        st.global.b32 [%rd1], %r2;
        ret;
    }
    ```
    """
    text, mode = mismatch.text, mismatch.mode
    if mismatch.fault is ShuffleFault.SEGMENT:
        return Finding(
            f"the segment mask in `{text}` does not divide the warp into segments of 1, 2, 4, 8, "
            "16 or 32 lanes"
        )
    if mismatch.fault is ShuffleFault.ONE_WAY:
        return Finding(
            f"with the clamp value `{text}`, only some lanes exchange their values: use "
            f"{mismatch.usual} for the whole warp"
        )
    if mismatch.fault is ShuffleFault.LOW:
        return Finding(
            f"with the clamp value `{text}`, no lane can read the last lanes of its "
            f"segment: use {mismatch.usual} for the whole warp",
            severity=None if mismatch.is_zero else Severity.INFORMATION,
        )
    if mismatch.operand == "b":
        return Finding(
            f"each lane receives its own value: `{mode}` by {text} does not read another lane"
        )
    return Finding(
        f"each lane receives its own value: with `{mode}` and the clamp value `{text}`, no other "
        f"lane is in range; use {mismatch.usual} for the whole warp"
    )
