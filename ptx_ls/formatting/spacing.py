"""Decides which tokens of a statement have a space between them, and where its head ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ptx_ls.syntax.record import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.formatting.items import LayoutItem

_TIGHT_BEFORE: Final = frozenset({",", ";", ")", "]", "}"})
_TIGHT_AFTER: Final = frozenset({"(", "[", "{", "!", "~", "@"})
_SIGNS: Final = frozenset({"+", "-"})
_CLOSING: Final = frozenset({")", "]", "}", ">"})
_NAMES: Final = frozenset({"word", "reg", "number"})
_WITH_RANGES: Final = frozenset({Kind.DECLARATION, Kind.DIRECTIVE})
"""Statements in which `<` begins a number of registers or labels."""


def head_length(items: Sequence[LayoutItem], kind: Kind) -> int:
    """Returns how many tokens precede the operands: guard and opcode, or `.reg` and its type.

    Returns 0 if nothing is aligned.
    """
    stop = 0
    if kind is Kind.INSTRUCTION:
        stop = guard_length(items) + 1
    elif kind is not Kind.DECLARATION or items[0].text != ".reg":
        return 0
    while stop < len(items) and items[stop].kind == "dotted":
        stop += 1
    return stop


def guard_length(items: Sequence[LayoutItem]) -> int:
    """Returns how many tokens the guard predicate of an instruction has."""
    if items[0].text != "@":
        return 0
    return 3 if items[1].text == "!" else 2


def blanks(items: Sequence[LayoutItem], kind: Kind) -> list[str]:
    """Returns the text before each token within a line: "" or one space.

    `items` are the tokens of one statement of this kind, without comments.
    """
    n_head = max(1, head_length(items, kind))
    result = [""]
    for number in range(1, len(items)):
        before, item = items[number - 1], items[number]
        is_apart = _is_apart(before, item, kind, is_after_head=number == n_head)
        result.append(" " if is_apart else "")
    return result


def _is_apart(before: LayoutItem, item: LayoutItem, kind: Kind, *, is_after_head: bool) -> bool:
    left, right = before.text, item.text
    if left in (",", ";"):
        return left == ";" or kind is not Kind.DATA
    if right in _TIGHT_BEFORE or left in _TIGHT_AFTER or "|" in (left, right):
        return False
    if left in _SIGNS:
        return left == right
    if right in _SIGNS:
        return is_after_head or not _ends_operand(before)
    if right in ("(", "["):
        return is_after_head or not _is_attached(before, right)
    if right == ":":
        return kind is not Kind.LABEL and not is_after_head
    if kind in _WITH_RANGES and (right in ("<", ">") or left == "<"):
        return False
    return item.kind != "dotted" or left not in _CLOSING


def _ends_operand(before: LayoutItem) -> bool:
    """Whether a sign after a token is an addition, not part of a number."""
    return before.kind != "operator" or before.text in _CLOSING


def _is_attached(before: LayoutItem, bracket: str) -> bool:
    """Whether a bracket belongs to the token before it: `name[4]`, `generic(x)`."""
    if before.kind == "dotted":
        return bracket == "(" and before.text in (".attribute", ".unified")
    return before.kind in _NAMES or (before.text == "]" and bracket == "[")
