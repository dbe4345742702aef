"""The changes that a run makes to files."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from ptx_ls.source.named_tuple import NamedTuple


class Fixes(Enum):
    """The fixes to apply, and what becomes of them."""

    NONE = auto()
    CERTAIN = auto()
    UNSAFE = auto()
    UNSAFE_SHOWN = auto()
    """Certain and unsafe fixes are shown as a patch after the reports; the file is not changed."""
    CERTAIN_PATCH = auto()
    """Certain fixes are shown as a patch, and nothing else."""
    UNSAFE_PATCH = auto()
    """Certain and unsafe fixes are shown as a patch, and nothing else."""

    @property
    def has_unsafe(self) -> bool:
        """Whether unsafe fixes are applied, too."""
        return self in (Fixes.UNSAFE, Fixes.UNSAFE_SHOWN, Fixes.UNSAFE_PATCH)

    @property
    def is_patch(self) -> bool:
        """Whether nothing but the patch is of interest."""
        return self in (Fixes.CERTAIN_PATCH, Fixes.UNSAFE_PATCH)

    @property
    def is_written(self) -> bool:
        """Whether the file is changed."""
        return self in (Fixes.CERTAIN, Fixes.UNSAFE)


class Changes(NamedTuple):
    """The changes that a run makes to files.

    Attributes:
        fixes: the fixes to apply.
        adds_suppressions: whether to add comments that suppress what is found.
        reason: the reason that these give; "" for none.
    """

    fixes: Fixes = Fixes.NONE
    adds_suppressions: bool = False
    reason: str = ""

    @property
    def has_report_as_is(self) -> bool:
        """Whether the report is that of the file as it is, unless fixes are applied."""
        return not (self.adds_suppressions or self.fixes.is_patch)


NO_CHANGES: Final = Changes()
