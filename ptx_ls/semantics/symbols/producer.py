"""Who wrote a module: a compiler says so in its first lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_BANNER: Final = re.compile(r"\s*//.*\b[Gg]enerated by\b.*\b(?:Compiler|Back-End)\b").match
_MAX_HEADER_LINES: Final = 16
"""Lines at the top of a module in which its compiler names itself."""


def is_generated(lines: Sequence[str]) -> bool:
    """Whether the first lines of a module say that a compiler wrote it."""
    return any(map(_BANNER, lines[:_MAX_HEADER_LINES]))
