"""Texts with placeholders: `add.s32 «d», «a», «b»;`. The cursor goes to `«»` last.

Neither character occurs in PTX.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_STOP: Final = re.compile(r"«([^«»]*)»")
_SPECIAL: Final = re.compile(r"[\\$}]")


def stop(name: str) -> str:
    """Returns a placeholder, which shows `name` until it is filled in."""
    return f"«{name}»"


def plain(template: str) -> str:
    """Returns the text with each placeholder replaced with its name."""
    return _STOP.sub(r"\1", template)


def filled(template: str, values: Sequence[str]) -> str:
    """Returns the template with its first placeholders replaced by values, unless these are ""."""
    following = iter(values)
    return _STOP.sub(lambda match: next(following, "") or match[0], template)


def names_of(template: str) -> list[str]:
    """Returns the names of the placeholders."""
    return [name for name in _STOP.findall(template) if name]


def text_mate(template: str) -> str:
    """Returns the text in the snippet syntax of LSP: `add.s32 ${1:d}, ${2:a}, ${3:b};`."""
    parts = []
    number = end = 0
    for match in _STOP.finditer(template):
        parts.append(_escaped(template[end : match.start()]))
        if match[1]:
            number += 1
            parts.append(f"${{{number}:{_escaped(match[1])}}}")
        else:
            parts.append("$0")
        end = match.end()
    return "".join([*parts, _escaped(template[end:])])


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: "\\" + match[0], text)
