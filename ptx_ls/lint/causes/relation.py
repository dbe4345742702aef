"""A relation between problems: some classes of problems may be caused by others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ptx_ls.lint.check_input import CheckInput

MismatchClass = type[Any]
Follows = Callable[[Any], bool]
"""Whether a problem follows from another one."""


class Relation(NamedTuple):
    """Problems of the classes `effects` that follow from problems of the classes `causes`.

    `test` takes all problems of the classes `causes`, and returns a predicate that says whether an
    effect follows from them; None if none can. Without `effects`, problems of any class may follow.
    `is_wide`: they may also follow from something in another function.
    """

    effects: tuple[MismatchClass, ...]
    causes: tuple[MismatchClass, ...]
    test: Callable[[Sequence[Any], CheckInput], Follows | None]
    is_wide: bool = False
