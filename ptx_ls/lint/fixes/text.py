"""Fixes that need only the text: of literals, marks, names and whole directives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.lint.rule import Applicability, Repair, SpanEdit
from ptx_ls.syntax.offsets import NEAR, before

if TYPE_CHECKING:
    from collections.abc import Collection

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import Surroundings

_DIRECTIVE: Final = re.compile(
    r"[ \t]*+(\.\w++(?:[ \t]*+\([^(){};]*+\)|[ \t]++(?!\.)[\w\"][^,.(){};]*+"
    r"(?:,[ \t]*+[\w\"][^,.(){};]*+)*)?)",
    re.ASCII,
).match
"""Matches a directive and its arguments, up to the next directive."""
_DIGITS: Final = {"0f": 8, "0d": 16}
_VALUE: Final = re.compile(r"[ \t]*+=[^;{}\"]*+(?:\{[^;]*\}[ \t]*+)?(?=;)").match


def without_directive(start: FunctionPosition, surroundings: Surroundings) -> tuple[Repair, ...]:
    """Returns a fix that removes the directive of a function's head that begins at `start`."""
    line, column = start
    text = surroundings.lines[line]
    begin = column - len(_blank_before(text, column))
    match = _DIRECTIVE(text, column, column + NEAR)
    if match is None:
        return ()
    shown = match[1].rstrip()
    end = column + len(shown)
    if begin == 0 or text[end : end + 1] in (",", "("):
        begin = column
    return (Repair(f"Remove `{shown}`", (SpanEdit(*on_row(line, begin, end), ""),)),)


def without_value(start: FunctionPosition, surroundings: Surroundings) -> tuple[Repair, ...]:
    """Returns a fix that removes the initial value whose `=` is at `start`."""
    line, column = start
    text = surroundings.lines[line]
    begin = column - len(_blank_before(text, column))
    match = _VALUE(text, begin, column + NEAR)
    if match is None:
        return ()
    return (Repair("Remove the initial value", (SpanEdit(*on_row(line, begin, match.end()), ""),)),)


def _blank_before(text: str, column: int) -> str:
    """Returns the spaces and tabs right before a column."""
    near = before(text, column)
    return near[len(near.rstrip(" \t")) :]


def literal(text: str) -> str | None:
    """Returns the number that a malformed literal probably means; None if that is not clear."""
    prefix, digits = text[:2].lower(), text[2:]
    count = _DIGITS.get(prefix)
    if count is not None:
        is_short = 0 < len(digits) < count and re.fullmatch(r"[0-9A-Fa-f]+", digits) is not None
        return text + "0" * (count - len(digits)) if is_short else None
    if re.fullmatch(r"\d+[lLuU]+", text):
        number = text.rstrip("lLuU")
        return number + ("U" if "u" in text.lower() else "")
    if re.fullmatch(r"0\d+", text):
        return text.lstrip("0") or "0"
    return None


def replaced(
    start: FunctionPosition,
    end: FunctionPosition,
    text: str,
    applicability: Applicability = Applicability.GUESS,
) -> tuple[Repair, ...]:
    """Returns a fix that replaces the text of a range."""
    return (Repair(f"Replace with `{text}`", (SpanEdit(start, end, text),), applicability),)


def renamed(
    name: str, start: FunctionPosition, end: FunctionPosition, taken: Collection[str]
) -> tuple[Repair, ...]:
    """Returns a fix that gives a declaration an unused name; its uses stay as they are."""
    candidates = (f"{name}_{number}" for number in range(2, 100))
    free = next((one for one in candidates if one not in taken), None)
    if free is None:
        return ()
    return (Repair(f"Rename to `{free}`", (SpanEdit(start, end, free),)),)
