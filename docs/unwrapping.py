"""Joins the lines of a paragraph, so that the sources of pages may be wrapped."""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = "```"
_OWN_LINE: Final = re.compile(r"\s*(?:[-*#|<>]|\d+\.\s|\Z)|(?:```)")
"""Begins a line that is not part of the paragraph above it."""


def unwrapped(text: str) -> str:
    """Returns Markdown in which each paragraph and each item of a list is one line."""
    lines: list[str] = []
    is_code = can_continue = False
    for line in text.split("\n"):
        is_fence = line.startswith(_FENCE)
        if can_continue and not is_code and not _OWN_LINE.match(line):
            lines[-1] = f"{lines[-1]} {line.lstrip()}"
            continue
        lines.append(line)
        is_code ^= is_fence
        can_continue = bool(line.strip()) and not line.startswith(("#", "|", "<", _FENCE))
    return "\n".join(lines)
