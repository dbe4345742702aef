"""What completion offers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.source import Range


class ItemKind(StrEnum):
    """What an item is."""

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


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """An item: `text` replaces `range`.

    `sort` orders items, and `filter` is what typing is compared with, `label` if empty.
    `documentation` is Markdown, or empty where `data` is to be resolved. An item that is not
    available is legal only in another version or for another target.
    """

    label: str
    kind: ItemKind
    range: Range
    text: str
    detail: str = ""
    documentation: str = ""
    sort: str = ""
    filter: str = ""
    data: str = ""
    is_available: bool = True


@dataclass(frozen=True, slots=True)
class Completions:
    """Items in order. `is_incomplete`: more typing may bring other items."""

    items: tuple[CompletionItem, ...]
    is_incomplete: bool = False
