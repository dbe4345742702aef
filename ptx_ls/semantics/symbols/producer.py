"""Who wrote a module: a compiler says so in its first lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.facts import fact

if TYPE_CHECKING:
    from ptx_ls.document.document import Document

_BANNER: Final = re.compile(r"\s*//.*\b[Gg]enerated by\b.*\b(?:Compiler|Back-End)\b").match
_MAX_HEADER_LINES: Final = 16
"""Lines at the top of a module in which its compiler names itself."""


@fact
def is_generated(document: Document) -> bool:
    """Whether the first lines of a module say that a compiler wrote it."""
    return any(map(_BANNER, document.lines[:_MAX_HEADER_LINES]))
