"""The rule shuffle-bounds.

Source: PTX ISA, "shfl.sync". Bits 4 to 0 of the operand `c` limit the lane that is read, bits 12 to
8 divide the warp into segments.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls import isa
from ptx_ls.document.coordinates import FunctionPosition
from ptx_ls.flow.function_flow import function_flow
from ptx_ls.flow.slices.moved_constants import MovedConstant, judged, moved_constant
from ptx_ls.lint.collectives.read_lanes import MODES, SEGMENT_AT, read_lanes
from ptx_ls.lint.rule import CheckInput, Finding, Instructions, Related, RuleContext, rule
from ptx_ls.source import Severity
from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.record import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ptx_ls.document.coordinates import FunctionSpan
    from ptx_ls.flow.function_flow import FunctionFlow
    from ptx_ls.semantics.symbols.region_text import Found
    from ptx_ls.syntax.record import Record

_OPCODE: Final = "shfl"
_LANE: Final = 2
"""The number of the operand `b`."""
_BOUNDS: Final = 3
"""The number of the operand `c`."""
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
    the whole warp. `is_zero`: whether the bound is 0. `moved`: where a register gets the constant.
    """

    fault: ShuffleFault
    mode: str
    operand: str
    text: str
    usual: str
    is_zero: bool
    start: FunctionPosition
    end: FunctionPosition
    moved: FunctionSpan | None


def find(seen: CheckInput) -> Iterator[ShuffleBounds]:
    """Yields the shuffles of a function that cannot have been meant."""
    shapes = {each for each in seen.text.shapes_of((_OPCODE,)) if _mode(each)}
    if not shapes:
        return
    flow = function_flow(seen.function, seen.module.never_returning)
    yield from judged(flow, shapes, lambda found: _mistake(seen, flow, found))


def _mistake(seen: CheckInput, flow: FunctionFlow, found: Found) -> ShuffleBounds | None:
    mode, lane = _mode(found.record), moved_constant(flow, found, _LANE)
    wrong = _wrong(mode, lane, moved_constant(flow, found, _BOUNDS))
    if wrong is None:
        return None
    fault, constant = wrong
    is_moved = seen.is_generated and bool(constant.register)
    if is_moved and (constant is lane or _is_single(constant)):
        return None  # a template, for no offset or for segments of one lane
    usual = "0" if mode == ".up" else str(_LAST)
    name, is_zero = "b" if constant is lane else "c", constant.number == 0
    return ShuffleBounds(
        fault, mode, name, constant.text, usual, is_zero, *constant.span, constant.moved
    )


def _mode(record: Record) -> str:
    modifiers = isa.split_modifiers(record.opcode)[1] if isinstance(record, Shape) else ()
    return next((each for each in modifiers if each in MODES), "")


def _is_single(bounds: MovedConstant) -> bool:
    """Whether the segments of a warp have one lane each."""
    return (bounds.number >> SEGMENT_AT) % _WARP == _LAST


def _wrong(
    mode: str, lane: MovedConstant | None, bounds: MovedConstant | None
) -> tuple[ShuffleFault, MovedConstant] | None:
    """Returns what is wrong with a shuffle, and the constant to blame; None if nothing is."""
    offset = lane.number if lane is not None else None
    fault = _fault(mode, offset, bounds.number if bounds is not None else None)
    if fault is None:
        return None
    blamed = lane if fault is ShuffleFault.OWN and offset == 0 else bounds
    return None if blamed is None else (fault, blamed)


@lru_cache(maxsize=1 << 8)
def _fault(mode: str, offset: int | None, limits: int | None) -> ShuffleFault | None:
    """Returns what is wrong with a shuffle; `offset` and `limits`: its operands `b` and `c`.

    A lane that does not exist is reported as a constant that is too large.
    """
    if offset is not None and not 0 <= offset < _WARP:
        return None
    if limits is None:
        return ShuffleFault.OWN if offset == 0 and mode != ".idx" else None
    segment = (limits >> SEGMENT_AT) % _WARP
    if segment not in _SEGMENTS:
        return ShuffleFault.SEGMENT
    offsets = range(_WARP) if offset is None else (offset,)
    sources = [read_lanes(mode, each, limits % _WARP, segment) for each in offsets]
    if all(read == own for each in sources for own, read in enumerate(each)):
        is_single = mode == ".idx" and offset is not None  # each lane of a segment of one lane
        return None if is_single else ShuffleFault.OWN
    moving = [each for each in sources if each != [*range(_WARP)]]
    if mode == ".bfly" and all(map(_is_one_way, moving)):
        return ShuffleFault.ONE_WAY
    whole = [read_lanes(mode, each, 0 if mode == ".up" else _LAST, segment) for each in offsets]
    return ShuffleFault.LOW if sources != whole else None


def _is_one_way(sources: list[int]) -> bool:
    """Whether a lane reads one that does not read it."""
    return any(sources[read] != own for own, read in enumerate(sources))


@rule(
    "shuffle-bounds",
    on=ShuffleBounds,
    severity=Severity.WARNING,
    find=find,
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
    related: tuple[Related, ...] = ()
    if mismatch.moved is not None:
        related = (Related(*mismatch.moved, "the register gets the constant here"),)
    if mismatch.fault is ShuffleFault.SEGMENT:
        return Finding(
            f"the segment mask in `{text}` does not divide the warp into segments of 1, 2, 4, 8, "
            "16 or 32 lanes",
            related=related,
        )
    if mismatch.fault is ShuffleFault.ONE_WAY:
        return Finding(
            f"with the clamp value `{text}`, only some lanes exchange their values: use "
            f"{mismatch.usual} for the whole warp",
            related=related,
        )
    if mismatch.fault is ShuffleFault.LOW:
        return Finding(
            f"with the clamp value `{text}`, no lane can read the last lanes of its "
            f"segment: use {mismatch.usual} for the whole warp",
            severity=None if mismatch.is_zero else Severity.INFORMATION,
            related=related,
        )
    if mismatch.operand == "b":
        return Finding(
            f"each lane receives its own value: `{mode}` by {text} does not read another lane",
            related=related,
        )
    return Finding(
        f"each lane receives its own value: with `{mode}` and the clamp value `{text}`, no other "
        f"lane is in range; use {mismatch.usual} for the whole warp",
        related=related,
    )
