"""Tells which threads have to execute an instruction together.

Sources: PTX ISA, "bar", "barrier", "barrier.cluster", "bar.warp.sync", "shfl.sync", "vote.sync",
"match.sync", "redux.sync", "elect.sync", and `.aligned` of all other instructions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple
from ptx_ls.syntax.dotted import modifiers_of
from ptx_ls.threads.uniformity.levels import Level

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Shape

BARRIERS: Final = ("bar", "barrier")
_MASKED: Final = {"shfl": -1, "vote": -1, "match": -1, "redux": -1, "elect": -1, "bar": 0}
"""The opcodes of instructions with a mask, and the number of its operand."""
MASKED: Final = tuple(_MASKED)
WHOLE_WARP: Final = (
    "ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma", "setmaxnreg", "tcgen05",
    "tensormap",
)  # fmt: skip
"""The opcodes of instructions that a whole warp or warpgroup may have to execute together."""
OPCODES: Final = tuple(dict.fromkeys((*BARRIERS, *MASKED, *WHOLE_WARP)))
"""The opcodes of instructions that several threads may have to execute together."""
_OF_WARPGROUPS: Final = ("wgmma", "setmaxnreg")
_N_PLAIN: Final = {".sync": 1, ".red": 3}
"""The number of operands of a barrier without a count."""


class CollectiveKind(NamedTuple):
    """Which threads have to execute an instruction together.

    Attributes:
        opcode: the opcode with its modifiers.
        level: those of a warp or a warpgroup, if it has no mask; `DIVERGENT` if any may.
        needs_whole_block: whether all threads of the block have to arrive: a barrier of the block
            without a count, or one of the cluster.
        mask: the number of the operand with a mask of lanes; None without one.
        action: `.sync`, `.red` or `.arrive` of a barrier of the block, else "".
        count_operand: the number of the operand with a count of threads; None without one.
    """

    opcode: str
    level: Level
    needs_whole_block: bool = False
    mask: int | None = None
    action: str = ""
    count_operand: int | None = None

    @property
    def id_operand(self) -> int:
        """The number of the operand with the number of a barrier."""
        return 1 if self.action == ".red" else 0

    @property
    def group(self) -> Level:
        """The largest group whose threads may all have to execute the instruction."""
        if self.needs_whole_block:
            return Level.CTA
        return Level.WARP if self.mask is not None else self.level

    @property
    def needs_lanes(self) -> bool:
        """Whether no lane of the warp may have exited."""
        return (
            self.level >= Level.WARP
            and not self.action
            and self.opcode.split(".")[0] not in BARRIERS
        )


@lru_cache(maxsize=1 << 12)
def kind_of(shape: Shape) -> CollectiveKind | None:
    """Returns which threads have to execute an instruction together; None for others."""
    name, modifiers = shape.name, frozenset(modifiers_of(shape.opcode))
    if name not in OPCODES:
        return None
    n_operands = len(shape.operands)
    if name in BARRIERS and ".warp" not in modifiers:
        return _barrier(shape, modifiers)
    if name in _MASKED:
        is_masked = ".sync" in modifiers or ".warp" in modifiers
        number = _MASKED[name] % n_operands if n_operands else 0
        return CollectiveKind(shape.opcode, Level.DIVERGENT, mask=number) if is_masked else None
    if ".aligned" not in modifiers:
        return None
    level = Level.WARPGROUP if name in _OF_WARPGROUPS else Level.WARP
    return CollectiveKind(shape.opcode, level)


def _barrier(shape: Shape, modifiers: frozenset[str]) -> CollectiveKind | None:
    is_aligned = shape.name == "bar" or ".aligned" in modifiers
    level = Level.WARP if is_aligned else Level.DIVERGENT
    if ".cluster" in modifiers:
        return CollectiveKind(shape.opcode, level, needs_whole_block=True)
    action = next((each for each in (".sync", ".red", ".arrive") if each in modifiers), "")
    if not action:
        return None
    n_operands = len(shape.operands)
    is_plain = _N_PLAIN.get(action) == n_operands
    count = None if is_plain else 1 + (action == ".red")
    if count is not None and count >= n_operands:
        return None
    return CollectiveKind(shape.opcode, level, is_plain, None, action, count)
