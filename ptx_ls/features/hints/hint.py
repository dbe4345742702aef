"""Inlay hints as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptx_ls.source import Position


class HintKind(Enum):
    """The kind of information in a hint."""

    LITERAL = auto()
    SPECIAL_REGISTER = auto()
    LOCATION = auto()
    REGISTER_TYPE = auto()
    OPERAND_NAME = auto()
    LIVE_REGISTERS = auto()


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: an operand's name is shown before the text at `position`, all others after it.

    `resolve` explains it by its `data`.
    """

    position: Position
    text: str
    kind: HintKind
    data: dict[str, str] = field(default_factory=dict)
