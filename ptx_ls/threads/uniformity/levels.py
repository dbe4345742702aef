"""The groups of threads within which all live threads may agree, and why they might not."""

from __future__ import annotations

from enum import Enum, IntEnum, auto
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple

LANES: Final = 32
ALL_LANES: Final = (1 << LANES) - 1
WARPS_OF_GROUP: Final = 4
"""Number of warps of a warpgroup."""


class Level(IntEnum):
    """A group of threads; each is a part of the next larger one."""

    DIVERGENT = 0
    """A single thread."""
    WARP = 1
    WARPGROUP = 2
    """Four warps of which the first has an index that is a multiple of 4."""
    CTA = 3
    CLUSTER = 4
    GRID = 5

    @property
    def word(self) -> str:
        """Its name in a sentence."""
        return _WORDS[self]


_WORDS: Final = {
    Level.DIVERGENT: "thread",
    Level.WARP: "warp",
    Level.WARPGROUP: "warpgroup",
    Level.CTA: "block",
    Level.CLUSTER: "cluster",
    Level.GRID: "grid",
}


class CauseKind(Enum):
    """Why a value, or what runs, may differ between threads."""

    SPECIAL = auto()
    """A special register, given by `name`."""
    INSTRUCTION = auto()
    """An instruction whose result may differ even if its operands do not."""
    PARAMETER = auto()
    """A parameter of a function, which its callers choose."""
    UNSET = auto()
    """A register that a path leaves without a value."""
    OPERAND = auto()
    """The result of another instruction."""
    BRANCH = auto()
    """A branch that decides which of several instructions writes the value, or how often."""
    GUARD = auto()
    """The guard of an instruction that may write the value."""
    PROMISE = auto()
    """The modifier `.uni` of a branch."""
    LIMIT = auto()
    """Too many instructions to follow."""


class Cause(NamedTuple):
    """Why a level is not a higher one; the last link of a chain has neither `inner` nor `node`.

    Attributes:
        kind: the kind of the reason.
        use: a use of a register in the instruction that it is about; -1 for none.
        name: the special register, or the opcode of the instruction.
        inner: the reason of this reason.
        node: the definition, branch or guard whose own cause continues the chain.
    """

    kind: CauseKind
    use: int = -1
    name: str = ""
    inner: Cause | None = None
    node: int | None = None


class ValueLevel(NamedTuple):
    """The largest group of threads that surely agree on a value whenever they get there together.

    Attributes:
        level: the group.
        is_of_index: whether it is a function of the index of the thread in its block, and of
            values that are the same in the whole block. A value of level `WARP` is then a function
            of the index of the warp.
    """

    level: Level
    is_of_index: bool = True

    def meet(self, other: ValueLevel) -> ValueLevel:
        """Returns the level of a value that depends on both."""
        return ValueLevel(min(self.level, other.level), self.is_of_index and other.is_of_index)


UNIFORM: Final = ValueLevel(Level.GRID)
UNKNOWN: Final = ValueLevel(Level.DIVERGENT, is_of_index=False)
