"""Completion items."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from heapq import nsmallest
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from ptx_ls import isa
from ptx_ls.features.markup import NOTHING, Markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ptx_ls.features.completion.typing_place import TypingPlace
    from ptx_ls.source import Range


class ItemKind(StrEnum):
    """The kind of an item."""

    OPCODE = "opcode"
    MODIFIER = "modifier"
    REGISTER = "register"
    SPECIAL_REGISTER = "special register"
    LABEL = "label"
    VARIABLE = "variable"
    PARAMETER = "parameter"
    FUNCTION = "function"
    DIRECTIVE = "directive"
    TYPE = "type"
    STATE_SPACE = "state space"
    TARGET = "target"
    VALUE = "value"
    IDIOM = "idiom"


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """An item: `text` replaces `range`.

    `sort` is the sort key, and `filter` the text that typing is compared with, `label` if empty.
    `template` is the text with placeholders (see `snippet`), "" for none; an editor may show
    `signature` right after the label. `documentation` is empty if `data` is to be resolved. An item
    that is not available is legal only in another version or for another target. At most one item
    `is_best`: much likelier than the others. `commits` are characters that accept the item.
    """

    label: str
    kind: ItemKind
    range: Range
    text: str
    detail: str = ""
    documentation: Markdown = NOTHING
    sort: str = ""
    filter: str = ""
    data: str = ""
    is_available: bool = True
    template: str = ""
    signature: str = ""
    is_deprecated: bool = False
    is_best: bool = False
    commits: str = ""


@dataclass(frozen=True, slots=True)
class Completions:
    """Items in order. `is_incomplete`: more typing may bring other items."""

    items: tuple[CompletionItem, ...]
    is_incomplete: bool = False


def after_two(items: Sequence[CompletionItem]) -> str:
    """Returns the sort key of an item after the two likeliest ones."""
    return f"{max(nsmallest(2, (item.sort for item in items)), default='0')}~"


def in_turn(*groups: Sequence[CompletionItem]) -> list[CompletionItem]:
    """Returns the items of groups with sort keys that take one item of each group in turn."""
    ordered = [sorted(group, key=lambda item: item.sort) for group in groups]
    items = filter(None, chain.from_iterable(zip_longest(*ordered)))
    return [replace(item, sort=f"0{number:04}") for number, item in enumerate(items)]


def keyword(place: TypingPlace, name: str, *, detail: str = "", rank: str = "1") -> CompletionItem:
    """Returns an item for a directive or state space, explained when it is resolved."""
    directive = isa.database().directives.get(name)
    return CompletionItem(
        name,
        ItemKind.DIRECTIVE,
        place.range,
        name,
        detail=detail or (directive.summary if directive is not None else ""),
        sort=f"{rank}{name}",
        data=f"directive {name}",
    )
