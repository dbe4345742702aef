"""Comments that keep a rule quiet: `// ptx-ls: ignore[operand-width]`, or `ignore` for all rules.

They hold for what begins on their line, or on the next one where they have a line of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.source import Diagnostic

_COMMENT: Final = re.compile(r"//\s*+ptx-ls:\s*+ignore\b(?:\s*+\[([^\]]*+)\])?", re.ASCII).search
_MARK: Final = "ptx-ls:"


def told(diagnostics: Iterable[Diagnostic], lines: Sequence[str]) -> list[Diagnostic]:
    """The diagnostics that no comment keeps quiet; their lines count in `lines`."""
    return [one for one in diagnostics if not _is_ignored(one, lines)]


def comment(rule: str) -> str:
    """The comment that keeps a rule quiet."""
    return f"// {_MARK} ignore[{rule}]"


def extended(line: str, rule: str) -> tuple[int, int, str] | None:
    """Where a line has such a comment: start, end and new text of its list with one more rule.

    None if there is no list.
    """
    match = _COMMENT(line)
    if match is None or match[1] is None:
        return None
    names = [name.strip() for name in match[1].split(",") if name.strip()]
    return *match.span(1), ", ".join([*names, rule])


def _is_ignored(diagnostic: Diagnostic, lines: Sequence[str]) -> bool:
    number = diagnostic.range.start.line
    if 0 <= number < len(lines) and _names(lines[number], diagnostic.rule):
        return True
    above = lines[number - 1] if 0 < number <= len(lines) else ""
    return above.lstrip().startswith("//") and _names(above, diagnostic.rule)


def _names(line: str, rule: str) -> bool:
    match = _COMMENT(line) if _MARK in line else None
    if match is None:
        return False
    return match[1] is None or rule in [name.strip() for name in match[1].split(",")]
