"""Fixes that need only the text: of words, numbers, names and whole directives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.document.coordinates import on_row
from ptx_ls.lint.rule import Applicability, Finding, Repair, SpanEdit
from ptx_ls.syntax.offsets import after, before
from ptx_ls.syntax.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Collection

    from ptx_ls.document.coordinates import FunctionPosition
    from ptx_ls.lint.rule import RuleContext
    from ptx_ls.semantics.problems.mismatch import Mismatch
    from ptx_ls.semantics.symbols.reserved_names import ReservedName
    from ptx_ls.semantics.symbols.symbols import Symbol

_AFTER_ARGUMENTS: Final = ("(", ")", "{", "}", ";", "")


def without_directive(start: FunctionPosition, context: RuleContext) -> tuple[Repair, ...]:
    """Returns a fix that removes the directive of a function's head that begins at `start`."""
    line, column = start
    text = context.lines[line]
    begin = column - len(blank_before(text, column))
    shown = _with_arguments(after(text, column))
    end = column + len(shown)
    if begin == 0 or text[end : end + 1] in (",", "("):
        begin = column
    return (Repair(f"Remove `{shown}`", (SpanEdit(*on_row(line, begin, end), ""),)),)


def _with_arguments(text: str) -> str:
    """Returns the directive that a text begins with, and its arguments: words, or a list."""
    tokens = tokenize(text)
    last = next(tokens)
    is_list = False
    for number, token in enumerate(tokens):
        is_list = is_list or (number == 0 and token.string == "(")
        if is_list and token.string == ")":
            last = token
            break
        if not is_list:
            if token.string in _AFTER_ARGUMENTS or token.string.startswith("."):
                break
            last = last if token.string == "," else token
    return text[: last.start[1] + len(last.string)]


def blank_before(text: str, column: int) -> str:
    """Returns the spaces and tabs right before a column."""
    near = before(text, column)
    return near[len(near.rstrip(" \t")) :]


def blank_after(text: str, column: int) -> str:
    """Returns the spaces and tabs right after a column."""
    near = after(text, column)
    return near[: len(near) - len(near.lstrip(" \t"))]


def fraction(number: str) -> str | None:
    """Returns a decimal integer as a floating-point literal; None for any other text."""
    digits = number.removeprefix("-")
    is_whole = digits.isdecimal() and (digits == "0" or not digits.startswith("0"))
    return f"{number}.0" if is_whole else None


def replaced(
    mismatch: Mismatch, text: str, applicability: Applicability = Applicability.GUESS
) -> tuple[Repair, ...]:
    """Returns a fix that replaces the text of a mismatch."""
    edit = SpanEdit(mismatch.start, mismatch.end, text)
    return (Repair(f"Replace with `{text}`", (edit,), applicability),)


def did_you_mean(message: str, near: str | None, mismatch: Mismatch) -> Finding:
    """Returns a finding with a similar spelling and a fix that writes it, if there is one."""
    if near is None:
        return Finding(message)
    return Finding(f"{message}; did you mean `{near}`?", repairs=replaced(mismatch, near))


def renamed(declared: Symbol | ReservedName, taken: Collection[str]) -> tuple[Repair, ...]:
    """Returns a fix that renames a declaration, but not its uses; () if no free name is found."""
    candidates = (f"{declared.name}_{number}" for number in range(2, 100))
    free = next((one for one in candidates if one not in taken), None)
    if free is None:
        return ()
    return (Repair(f"Rename to `{free}`", (SpanEdit(declared.start, declared.end, free),)),)
