"""Reads blank lines, comments, labels and simple directives by regular expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ptx_ls.source.patterns import LazyPattern
from ptx_ls.syntax import record
from ptx_ls.syntax.literals import SHORT_INTEGER
from ptx_ls.syntax.names import IDENTIFIER, NAME_PATTERN, NO_MORE, OF_NAMES
from ptx_ls.syntax.plain.declarations import plain_declaration
from ptx_ls.syntax.tokens import NAME, dotted_type

if TYPE_CHECKING:
    from ptx_ls.syntax.record import Record

END: Final = r"[ \t]*+(?:\r?\n?|//[^\0\r\n]*+(?:\r?\n)?)$"
"""The end of a line after a statement: white space, perhaps a comment, and the line end."""
_LABEL: Final = LazyPattern(rf"[ \t]*+{NAME_PATTERN}[ \t]*+:(?!:){END}", re.ASCII).match
_REGISTERS: Final = re.compile(
    rf"[ \t]*+\.reg[ \t]++\.(?:pred|[busf](?:8|16|32|64)|f16x2|b128)[ \t]++"
    rf"{NAME_PATTERN}(?:<[1-9]\d{{0,9}}>)?;{END}",
    re.ASCII,
).match
_VARIABLE: Final = re.compile(
    r"[ \t]*+(?:\.(?:extern|visible|weak)[ \t]++)?\.(?:shared|local|param|global|const)[ \t]++"
    rf"(?:\.align[ \t]++{SHORT_INTEGER}[ \t]++)?\.[busf](?:8|16|32|64)[ \t]++"
    rf"{IDENTIFIER}(?:\[(?:{SHORT_INTEGER})?\])?;{END}",
    re.ASCII,
).match
_PRAGMA: Final = LazyPattern(rf"[ \t]*+\.pragma[ \t]++\"[\x01-\t\v\f\x0e-!#-\x7f]*+\";{END}").match
_PLACE: Final = rf"(?:{SHORT_INTEGER}|0[0-7]{{0,20}})"
"""A number in a `.loc`; one that begins with 0 is octal."""
_THREE_PLACES: Final = rf"(?:[ \t]++{_PLACE}){{3}}"
_LOCATION: Final = LazyPattern(
    rf"[ \t]*+\.loc{_THREE_PLACES}"
    rf"(?:[ \t]*+,[ \t]*+function_name[ \t]++[{OF_NAMES}]++(?:[ \t]*+\+[ \t]*+{_PLACE})?"
    rf"(?:[ \t]*+,[ \t]*+inlined_at{_THREE_PLACES})?)?{END}",
    re.ASCII,
).match
_COUNT: Final = rf"(?:0[xX][\da-fA-F]{{1,16}}|0|[1-9]\d{{0,18}}){NO_MORE}"
_DATUM: Final = (
    rf"(?:-?{_COUNT}(?:[ \t]*+,[ \t]*+-?{_COUNT})*"
    rf"|\.?{IDENTIFIER}(?:[ \t]*+\+[ \t]*+{_COUNT})?|{IDENTIFIER}[ \t]*+-[ \t]*+{IDENTIFIER})"
)
"""Numbers, or one name with an addend."""
_DOTTED_DATUM: Final = LazyPattern(rf"[ \t]*+\.b\d++[ \t]++(\.{IDENTIFIER})", re.ASCII).match
_DATUM_LINE: Final = LazyPattern(rf"[ \t]*+\.b(?:8|16|32|64)[ \t]++{_DATUM}{END}", re.ASCII).match


def _data(line: str) -> bool:
    """Whether a line has data; a dotted name in it must not be a type or directive."""
    if _DATUM_LINE(line) is None:
        return False
    dotted = _DOTTED_DATUM(line)
    return dotted is None or dotted_type(dotted[1]) is NAME


_BRACES: Final = {"{": record.OPEN, "}": record.CLOSE}
_PATTERNS: Final = (
    (":", _LABEL, record.LABEL),
    (".reg", _REGISTERS, record.DECLARATION),
    (".", _VARIABLE, record.DECLARATION),
    (".pragma", _PRAGMA, record.DIRECTIVE),
    (".loc", _LOCATION, record.LOCATION),
    (".b", _data, record.DATA),
)
"""Patterns with the records of matching lines, each after a text that these lines contain."""


def read_plain(line: str) -> Record | None:
    """Returns the record of a line that one of the patterns matches, or None."""
    stripped = line.strip(" \t\r\n\f")
    if not stripped:
        return record.BLANK
    if stripped.startswith("//") and not line.endswith("\r") and "\0" not in line:
        return record.COMMENT
    if stripped in _BRACES:
        return _BRACES[stripped]
    found = next(
        (read for mark, matches, read in _PATTERNS if mark in line and matches(line)), None
    )
    if found is None and stripped.endswith(";"):
        declaration = plain_declaration(line)
        return None if declaration is None else record.DECLARATION
    return found
