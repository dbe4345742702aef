"""Patterns of names, and of their beginnings and ends, for use in other patterns.

Source: PTX ISA, "Identifiers". The patterns require `re.ASCII`.
"""

from __future__ import annotations

import re
from typing import Final

from ptx_ls.source.patterns import LazyPattern

LETTER: Final = r"[A-Za-z_$]"
"""The first character of a name without `%`."""
LETTERS: Final = r"[A-Za-z_$]++"
OF_NAMES: Final = r"\w$"
"""The later characters of a name, for use in a character class: `[.{OF_NAMES}]`."""
IN_NAME: Final = rf"[{OF_NAMES}]"
FIRST_OF_NAME: Final = r"[%A-Za-z_$]"
IDENTIFIER: Final = r"[A-Za-z_$][\w$]*+"
"""A name without `%`."""
REGISTER_NAME: Final = r"%[\w$]++"
NAME_PATTERN: Final = rf"(?:{REGISTER_NAME}|{IDENTIFIER})"
NAME_CHARACTERS: Final = r"[%\w$]++"
"""A name where only a name is possible; also matches an invalid one, such as `1a`."""
NAME_FOR_EDITORS: Final = r"[%$A-Za-z_][\w$]*"
"""A name as a JavaScript regular expression, which has no possessive quantifiers."""
LINKER_NAME: Final = r"[\w$.]++"
"""A name that may contain dots, as those of sections do, or a number."""
NAME_BEGINS: Final = r"(?<![\w$.%])"
"""Matches where a name may begin: not within another one, and not at a component."""
OPERAND_BEGINS: Final = r"(?<![\w$.%:])"
"""Matches where an operand may begin: like a name, but not in a modifier like `.shared::cta`."""
NOT_IN_NAME: Final = r"(?<![\w$%])"
"""Matches where no name continues, though a component may begin there."""
NAME_ENDS: Final = r"(?![\w$])"
NO_MORE: Final = r"(?![\w$.])"
"""Matches at the end of a name without components, or of a number."""
WITH_COMPONENTS: Final = rf"(?!_{NO_MORE}){NAME_PATTERN}(?:\.\w++)*"
"""A name with its dotted parts, such as `%v.x`; does not match the sink `_`."""

_NAME: Final = LazyPattern(NAME_PATTERN, re.ASCII)
_FREE: Final = LazyPattern(rf"{NAME_BEGINS}{NAME_PATTERN}", re.ASCII)

is_name: Final = _NAME.fullmatch
"""Matches if the whole text is a name."""
name_at: Final = _NAME.match
"""Matches a name at a place."""
find_names: Final = _FREE.finditer
"""Yields the matches of all names in a text, without their components."""
first_name: Final = _FREE.search
names_in: Final = _FREE.findall
_REGISTER: Final = LazyPattern(REGISTER_NAME, re.ASCII)
identifiers_in: Final = LazyPattern(rf"{NAME_BEGINS}{IDENTIFIER}", re.ASCII).findall
"""Returns all names without `%` in a text."""

_MAX_SHOWN: Final = 60
"""Maximum length in characters of a name that is shown whole."""
_N_KEPT: Final = 24
"""Number of characters that are kept at each end of a longer name."""

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


def without_registers(text: str) -> str:
    """Returns a text with `%` in place of each name that begins so."""
    return _REGISTER.sub("%", text)


def shortened_name(name: str) -> str:
    """Returns a name with `…` for its middle if it is long, as mangled names of templates are."""
    if len(name) <= _MAX_SHOWN:
        return name
    return f"{name[:_N_KEPT]}…{name[-_N_KEPT:]}"
