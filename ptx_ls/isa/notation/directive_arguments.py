"""Reads the arguments of directives in the manual's notation: `nx{, ny{, nz}}`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_PARTS: Final = re.compile(
    r"(?P<argument>\.?[\w|]+(?:\.\w+)?|\"[^\"]*\")|[{}]|[^{}\w.|\"]+|."
).finditer


class ArgumentPart(NamedTuple):
    """An argument, or text between arguments. `is_optional`: it is in braces, or is a brace."""

    text: str
    is_argument: bool
    is_optional: bool


def argument_parts(notation: str) -> Iterator[ArgumentPart]:
    """Yields the parts of a notation, in order and without gaps."""
    depth = 0
    for match in _PARTS(notation):
        depth += match[0] == "{"
        yield ArgumentPart(match[0], match["argument"] is not None, depth > 0)
        depth -= match[0] == "}"
