"""Patterns of names, and of where one begins and ends; other patterns are made of them.

Source: PTX ISA, "Identifiers". Patterns count on `re.ASCII`.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern

LETTER: Final = r"[A-Za-z_$]"
"""The first characters of a name without `%`."""
LETTERS: Final = r"[A-Za-z_$]++"
OF_NAMES: Final = r"\w$"
"""Any later character of a name, for a class: `[.{OF_NAMES}]`."""
IN_NAME: Final = rf"[{OF_NAMES}]"
FIRST_OF_NAME: Final = r"[%A-Za-z_$]"
IDENTIFIER: Final = r"[A-Za-z_$][\w$]*+"
"""A name without `%`."""
REGISTER_NAME: Final = r"%[\w$]++"
NAME_PATTERN: Final = rf"(?:{REGISTER_NAME}|{IDENTIFIER})"
NAME_CHARACTERS: Final = r"[%\w$]++"
"""A name in a place where only a name may be; also a broken one, such as `1a`."""
NAME_FOR_EDITORS: Final = r"[%$A-Za-z_][\w$]*"
"""A name as a regular expression of JavaScript, which has no possessive repeats."""
LINKER_NAME: Final = r"[\w$.]++"
"""A name with dots in it, as sections have, or a number."""
NAME_BEGINS: Final = r"(?<![\w$.%])"
"""Matches where a name may begin: not in another one, and not at a component of one."""
OPERAND_BEGINS: Final = r"(?<![\w$.%:])"
"""The start of an operand: as above, but not within a modifier such as `.shared::cta`."""
NOT_IN_NAME: Final = r"(?<![\w$%])"
"""Matches where a name ends; a component may begin there."""
NAME_ENDS: Final = r"(?![\w$])"
NO_MORE: Final = r"(?![\w$.])"
"""Matches after a name without components, or after a number."""
WITH_COMPONENTS: Final = rf"(?!_{NO_MORE}){NAME_PATTERN}(?:\.\w++)*"
"""A name with its dotted parts, as `%v.x`; the sink `_` is not a name."""

_NAME: Final = LazyPattern(NAME_PATTERN, re.ASCII)
_FREE: Final = LazyPattern(rf"{NAME_BEGINS}{NAME_PATTERN}", re.ASCII)

is_name: Final = _NAME.fullmatch
"""A match if a whole text is a name."""
name_at: Final = _NAME.match
"""The match of the name at a place."""
find_names: Final = _FREE.finditer
"""The matches of all names in a text, without their components."""
first_name: Final = _FREE.search
names_in: Final = _FREE.findall
identifiers_in: Final = LazyPattern(rf"{NAME_BEGINS}{IDENTIFIER}", re.ASCII).findall
"""All names in a text that have no `%`."""

_BEGINS_HERE: Final = LazyPattern(NOT_IN_NAME, re.ASCII).match
_ENDS_HERE: Final = LazyPattern(NAME_ENDS, re.ASCII).match


def has_name(text: str, name: str) -> bool:
    """Whether a text contains a name as a whole word."""
    at = text.find(name)
    while at >= 0:
        if _BEGINS_HERE(text, at) and _ENDS_HERE(text, at + len(name)):
            return True
        at = text.find(name, at + 1)
    return False
