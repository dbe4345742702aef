"""Comments that suppress a rule: `// ptx-ls: ignore[operand-width]`, or `ignore` for all rules.

A comment applies to diagnostics that begin on its line; if it is alone on its line, also to those
that begin on the next line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source import separate
from ptx_ls.source.patterns import LazyPattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ptx_ls.source import Diagnostic

_COMMENT: Final = LazyPattern(r"//\s*+ptx-ls:\s*+ignore\b(?:\s*+\[([^\]]*+)\])?", re.ASCII).search
_MARK: Final = "ptx-ls:"


def unsuppressed(diagnostics: Iterable[Diagnostic], lines: Sequence[str]) -> list[Diagnostic]:
    """Returns the diagnostics that no comment in `lines` suppresses.

    A diagnostic with several places is split if comments suppress only some of them.
    """
    ignored: dict[int, frozenset[str] | None] = {}

    def is_reported(one: Diagnostic) -> bool:
        number = one.range.start.line
        if number not in ignored:
            ignored[number] = _ignored(number, lines)
        names = ignored[number]
        return names is not None and one.rule not in names

    found: list[Diagnostic] = []
    for one in diagnostics:
        alone = separate([one]) if one.singles else [one]
        kept = [each for each in alone if is_reported(each)]
        found += [one] if len(kept) == len(alone) else kept
    return found


def comment(rule: str) -> str:
    """Returns the comment that suppresses a rule."""
    return f"// {_MARK} ignore[{rule}]"


def extended(line: str, rule: str) -> tuple[int, int, str] | None:
    """Returns the start, end and new text of the list of rules in a comment, with `rule` added.

    Returns None if there is no list.
    """
    match = _COMMENT(line)
    if match is None or match[1] is None:
        return None
    names = [name.strip() for name in match[1].split(",") if name.strip()]
    return *match.span(1), ", ".join([*names, rule])


def _ignored(number: int, lines: Sequence[str]) -> frozenset[str] | None:
    """Returns the rules that are suppressed on a line; None for all rules."""
    own = _names(lines[number]) if 0 <= number < len(lines) else frozenset()
    above = lines[number - 1] if 0 < number <= len(lines) else ""
    if own is None or not above.lstrip().startswith("//"):
        return own
    others = _names(above)
    return None if others is None else own | others


def _names(line: str) -> frozenset[str] | None:
    """Returns the rules that a comment on a line names; None if it means all rules."""
    match = _COMMENT(line) if _MARK in line else None
    if match is None:
        return frozenset()
    return None if match[1] is None else frozenset(name.strip() for name in match[1].split(","))
